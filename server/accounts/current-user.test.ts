import { describe, expect, it } from 'vitest';
import { profileFields } from '#shared/rules/people/profile.ts';
import { password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

/** The user's fields as sent: neither the password nor Stripe's ids. */
const sent = [
  ...profileFields,
  ...'id email profileImageUrl emailVerified profileCompleted hasSecondFactor isAdmin'.split(' '),
  ...'freeAccessGranted membershipType createdAt updatedAt draftKey'.split(' '),
];

const app = testApp();

describe.each(['/api/user', '/api/auth/user'])('GET %s', (path) => {
  it('is the current user: every field of the entity but the secrets, lists as arrays', async () => {
    const { agent, user } = await app.signedIn({ professionalCredentials: '["CFP"]' });
    const answer = await agent.get(path).expect(200);
    expect(Object.keys(answer.body as object).toSorted()).toEqual(sent.toSorted());
    expect(answer.body).toMatchObject({
      id: user.id,
      email: user.email,
      professionalCredentials: ['CFP'],
      specializationAreas: ['Retirement Planning'],
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('has the key of one person’s drafts: 32 bytes, in every session of theirs, and nobody else’s', async () => {
    const { agent, user } = await app.signedIn();
    const keyOf = async (asker: typeof agent) => ((await asker.get(path)).body as { draftKey: string }).draftKey;
    const key = await keyOf(agent);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(await keyOf((await app.signedIn()).agent)).not.toBe(key);
    expect(JSON.stringify((await agent.get('/api/user/export')).body)).not.toContain(key);
    const again = app.agent();
    await again.post('/api/login').send({ email: user.email, password }).expect(200);
    expect(await keyOf(again)).toBe(key);
  });

  it('is 401 Unauthorized for a visitor', async () => {
    const answer = await app.agent().get(path).expect(401);
    expect(answer.body).toMatchObject({ code: 'unauthorized', message: 'Unauthorized' });
  });
});

it('a browser gets one key for what links brought to its tabs, signed in or not, by a cookie that scripts can’t read', async () => {
  const ask = async (cookie = '') => {
    const { body, headers } = await app.agent().get('/api/tab-key').set('cookie', cookie).expect(200);
    const { key } = body as { key: string };
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(headers['cache-control']).toBe('no-store');
    return { key, set: [headers['set-cookie'] ?? []].flat().filter((one) => one.startsWith('tab-key=')) };
  };
  const first = await ask();
  expect(first.set).toEqual([expect.stringMatching(/^tab-key=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)]);
  const cookie = first.set[0]!.split(';')[0]!;
  expect(cookie).not.toContain(first.key);
  expect(await ask(cookie)).toEqual({ key: first.key, set: [] });
  expect((await ask()).key).not.toBe(first.key);
  for (const wrong of ['tab-key=short', `tab-key=${'%'.repeat(43)}`]) expect((await ask(wrong)).set).toHaveLength(1);
});

it('GET /api/teams/my: memberOf and ownedTeams, also before the profile is complete', async () => {
  const { agent } = await app.signedIn({ profileCompleted: false });
  expect((await agent.get('/api/teams/my').expect(200)).body).toEqual({
    memberOf: null,
    ownedTeams: [],
    closedTeams: [],
    role: null,
  });
  await app.agent().get('/api/teams/my').expect(401);
});

it('a call made for the person before is refused, and changes nothing for the one who is signed in now', async () => {
  const before = await app.signedIn();
  const now = await app.signedIn({ firstName: 'Grace' });
  const rename = (madeFor: string) =>
    now.agent.patch('/api/user/profile').set('x-made-for', madeFor).send({ firstName: 'Alex' });
  expect((await rename(before.user.id).expect(409)).body).toMatchObject({ code: 'other_account' });
  expect((await now.agent.get('/api/user')).body).toMatchObject({ firstName: 'Grace' });
  await now.agent.get('/api/user/subscriptions').set('x-made-for', before.user.id).expect(409);
  await rename(now.user.id).expect(200);
});

describe('the table of users', () => {
  it('users: what a new row has by itself', async () => {
    const answer = await app
      .agent()
      .post('/api/register')
      .send({ email: 'mia@practice.example', password: 'Brave-Otter-42', firstName: 'Mia', lastName: 'Wong' })
      .expect(201);
    expect(answer.body).toMatchObject({
      emailVerified: false,
      profileCompleted: false,
      isAdmin: false,
      freeAccessGranted: false,
      membershipType: 'standard',
    });
  });

  it.each([
    ['tools', 'base_price', 10, 2],
    ['discount_tiers', 'discount_percent', 5, 2],
    ['usage_analytics', 'performance_score', 5, 2],
    ['tool_metrics', 'avg_session_duration', 8, 2],
    ['tool_metrics', 'total_revenue', 10, 2],
    ['tool_metrics', 'performance_rating', 3, 2],
  ])('decimal precisions: %s.%s is decimal(%i,%i)', async (table, column, precision, scale) => {
    const { rows } = await app.context.db.$client.query(
      `select numeric_precision, numeric_scale from information_schema.columns
        where table_schema = 'public' and table_name = $1 and column_name = $2`,
      [table, column],
    );
    expect(rows).toEqual([{ numeric_precision: precision, numeric_scale: scale }]);
  });

  it.each([
    ['teams', 'max_members', '19'],
    ['teams', 'membership_type', 'team'],
    ['team_members', 'role', 'member'],
    ['team_invitations', 'role', 'member'],
    ['tool_subscriptions', 'subscription_type', 'individual'],
    ['users', 'membership_type', 'standard'],
    ['notifications', 'is_read', 'false'],
    ['password_reset_tokens', 'used', 'false'],
  ])('defaults: %s.%s is %s', async (table, column, value) => {
    const { rows } = await app.context.db.$client.query(
      `select column_default from information_schema.columns
        where table_schema = 'public' and table_name = $1 and column_name = $2`,
      [table, column],
    );
    expect(String(rows[0]?.column_default).replace(/^'(.*)'::.*$/, '$1')).toBe(value);
  });
});
