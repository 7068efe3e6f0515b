import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { day, minute, plus } from '#shared/rules/dates.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { type Agent, testApp, type TestApp } from '#server/testing/test-app.ts';
import { createDatabase } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { pruneLaunchTokens } from './jobs.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

const tool = 'risk-profile-ai';
const other = 'fact-find-ai';

const app = testApp();
let secrets: Record<string, string>;
beforeAll(async () => {
  const make = (id: string) => makeSecret(app, id);
  secrets = { [tool]: await make(tool), [other]: await make(other) };
});

const introspect = (token: string, by = tool) =>
  app.agent().post('/api/tools/introspect').auth(by, secrets[by]!).type('form').send({ token });

const subscribe = async (userId: string, details: Partial<typeof toolSubscriptions.$inferInsert> = {}) => {
  const [row] = await app.context.db
    .insert(toolSubscriptions)
    .values({ userId, toolId: tool, status: 'active', ...details })
    .returning();
  return row!;
};

/** A signed-in adviser with access and a fresh launch token. */
async function launched(details: Parameters<TestApp['signedIn']>[0] = {}) {
  const { agent, user } = await app.signedIn(details);
  const subscription = await subscribe(user.id);
  const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
  return { agent, user, subscription, body: body as { token: string; url: string; expiresAt: string } };
}
const sessionsOf = (userId: string) => app.context.db.select().from(toolUsage).where(eq(toolUsage.userId, userId));

describe('catalogue', () => {
  it('is public, in its order, with prices as decimal strings', async () => {
    const { body } = await app.agent().get('/api/tools').expect(200);
    expect(body.map((one: { id: string }) => one.id)).toEqual([
      'risk-profile-ai',
      'fact-find-ai',
      'file-note-ai',
      'advice-writer-ai',
      'pre-fill-ai',
      'lost-money-ai',
      'share-advice-ai',
      'portfolio-ai',
    ]);
    expect(body[0]).toMatchObject({ name: 'Risk Profile AI', basePrice: '30.00', comingSoon: false, isActive: true });
  });
});

describe('a signing secret', () => {
  it('makes no call as the tool, whatever stands before it', async () => {
    const signing = await makeSecret(app, tool, 'signing');
    for (const secret of [signing, `signing:${signing}`]) {
      const call = app.agent().post('/api/tools/introspect').auth(tool, encodeURIComponent(secret));
      expect((await call.type('form').send({ token: 'none' })).status).toBe(401);
    }
  });
});

describe('launch', () => {
  it('answers a token for five minutes and the tool’s address, and stores only a hash', async () => {
    const { body, user } = await launched();
    expect(body.url).toBe(`https://${tool}.adviserly.example/?auth_token=${body.token}`);
    const ms = new Date(body.expiresAt).getTime() - app.context.now().getTime();
    expect(Math.abs(ms - 5 * minute)).toBeLessThan(10_000);
    const rows = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id));
    expect(rows).toMatchObject([{ token: hashToken(body.token), kind: 'launch', usedAt: null, toolId: tool }]);
  });

  it('needs access, and a tool that exists', async () => {
    const { agent, user } = await app.signedIn();
    const refused = await agent.post('/api/auth/token').send({ toolId: tool }).expect(403);
    expect(refused.body).toMatchObject({
      code: 'subscription_required',
      message: 'An active subscription is required.',
    });
    await agent.post('/api/auth/token').send({ toolId: 'nothing-here' }).expect(404);
    await subscribe(user.id, { endDate: plus(app.context.now(), -4 * day) });
    await agent.post('/api/auth/token').send({ toolId: tool }).expect(403);
  });

  it.each([
    ['signing out', (agent: Agent) => agent.post('/api/logout')],
    [
      'a change of password',
      (agent: Agent) =>
        agent.post('/api/user/change-password').send({ currentPassword: password, newPassword: 'Brave-Otter-42' }),
    ],
    [
      'a first second factor',
      async (agent: Agent) => {
        await enrolApp(agent);
        return agent.get('/api/user');
      },
    ],
  ])('ends with %s, where no tool has exchanged it yet', async (_kind, act) => {
    const { agent, body } = await launched();
    expect((await act(agent)).status).toBe(200);
    expect((await introspect(body.token)).body).toEqual({ active: false });
  });

  it('is limited to 30 an hour for one adviser and tool, and says what is left', async () => {
    const { agent } = await launched();
    const answers: { status: number; headers: Record<string, string> }[] = [];
    for (let i = 0; i < 30; i += 1) answers.push(await agent.post('/api/auth/token').send({ toolId: tool }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(29).fill(200), 429]);
    const headers = (at: number) => answers.at(at)!.headers;
    expect(headers(0)['ratelimit-policy']).toBe('"launches";q=30;w=3600');
    expect(headers(0)['ratelimit']).toMatch(/^"launches";r=28;t=3\d\d\d$/);
    expect(headers(-1)['ratelimit']).toMatch(/^"launches";r=0;t=\d+$/);
  });

  it('is hardly limited where tools are developed', async () => {
    const development = {
      ...app.context,
      env: { ...app.context.env, mode: 'development' as const },
      db: createDatabase(app.database.url, app.context.log),
    };
    for (let i = 0; i < 40; i += 1) await consume(development, 'launchUserTool', 'a developer');
    await development.db.$client.end();
  });

  it.each([
    [{}, 'toolId'],
    [{ toolId: 5 }, 'toolId'],
    [{ toolId: 'a\u0000b' }, 'toolId'],
    [{ toolId: tool, userId: 'x' }, 'userId'],
    [{ toolId: tool, clientReference: 'Jane Citizen' }, 'clientReference'],
    [{ toolId: tool, clientReference: '' }, 'clientReference'],
    [{ toolId: tool, purpose: 'for Jane' }, 'purpose'],
    [[], 'body'],
  ])('names the field of bad input: %j, %s', async (input, field) => {
    const { agent } = await app.signedIn();
    const { body } = await agent.post('/api/auth/token').send(input).expect(400);
    expect(Object.keys(body.fields)).toContain(field);
  });
});

describe('introspection', () => {
  it('tells the tool who opened it, and opens a session', async () => {
    const { body, user, agent } = await launched({ firstName: 'Mei', lastName: 'Tan', dealerGroup: 'Harbour' });
    const answer = await introspect(body.token).expect(200);
    const [session] = await sessionsOf(user.id);
    expect(answer.body).toEqual({
      active: true,
      sub: user.id,
      tool_id: tool,
      session_id: session!.id,
      exp: Math.floor(new Date(body.expiresAt).getTime() / 1000),
      email: user.email,
      name: 'Mei Tan',
      given_name: 'Mei',
      family_name: 'Tan',
      dealer_group: 'Harbour',
      team: null,
      status: 'active',
      client_reference: null,
      purpose: null,
    });
    const usage = await agent.get('/api/user/usage').expect(200);
    expect(usage.body).toMatchObject([{ toolId: tool, sessions: 1 }]);
  });

  it('tells for which file it was opened and for what, and the session starts with both', async () => {
    const { agent, user } = await launched();
    const openedFor = { clientReference: 'F-10225', purpose: 'file_note' };
    const { body } = await agent
      .post('/api/auth/token')
      .send({ toolId: tool, ...openedFor })
      .expect(200);
    const told = { client_reference: 'F-10225', purpose: 'file_note' };
    const again = () => introspect(body.token).set('idempotency-key', 'visit-1').expect(200);
    expect((await again()).body).toMatchObject(told);
    expect((await again()).body).toMatchObject(told);
    const from = { purposeFrom: 'adviser', referenceFrom: 'adviser', fromLaunch: true };
    expect(await sessionsOf(user.id)).toMatchObject([{ ...openedFor, ...from, checked: null }]);
    expect((await agent.get('/api/record/recent-clients').expect(200)).body).toEqual([openedFor]);
  });

  it('opens one session for 100 simultaneous exchanges, and one answer is active', async () => {
    const { body, user } = await launched();
    const answers = await Promise.all(Array.from({ length: 100 }, () => introspect(body.token)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(answers.filter((answer) => answer.body.active)).toHaveLength(1);
    expect(answers.find((answer) => !answer.body.active)!.body).toEqual({ active: false });
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });

  it('tells another tool nothing, and uses nothing up', async () => {
    const { body, user } = await launched();
    expect((await introspect(body.token, other).expect(200)).body).toEqual({ active: false });
    expect(await sessionsOf(user.id)).toEqual([]);
    expect((await introspect(body.token).expect(200)).body.active).toBe(true);
    expect((await introspect(body.token).expect(200)).body).toEqual({ active: false });
  });

  it.each<[string, (given: Awaited<ReturnType<typeof launched>>) => Promise<unknown>]>([
    ['expired', ({ user }) => changeTokens(user.id, { expiresAt: plus(app.context.now(), -1) })],
    ['revoked', ({ user }) => changeTokens(user.id, { isRevoked: true })],
    [
      'account closed',
      ({ user }) => app.context.db.update(users).set({ closedAt: app.context.now() }).where(eq(users.id, user.id)),
    ],
    [
      'access lost',
      ({ subscription }) =>
        app.context.db
          .update(toolSubscriptions)
          .set({ status: 'expired', isActive: false })
          .where(eq(toolSubscriptions.id, subscription.id)),
    ],
  ])('answers inactive and opens no session: %s', async (_why, spoil) => {
    const given = await launched();
    await spoil(given);
    expect((await introspect(given.body.token).expect(200)).body).toEqual({ active: false });
    expect(await sessionsOf(given.user.id)).toEqual([]);
  });
  const changeTokens = (userId: string, set: Partial<typeof authTokens.$inferInsert>) =>
    app.context.db.update(authTokens).set(set).where(eq(authTokens.userId, userId));

  it('tells the tool the team where a member opens a team’s tool', async () => {
    const { user, agent } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Harbour Advice' });
    await app.context.db
      .insert(toolSubscriptions)
      .values({ teamId: team.id, toolId: tool, subscriptionType: 'team', status: 'active' });
    const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
    expect((await introspect(body.token).expect(200)).body).toMatchObject({ active: true, team: 'Harbour Advice' });
  });

  it('takes an API key again and again, in one session a day, until access is lost', async () => {
    const user = await createUser(app.context);
    const subscription = await subscribe(user.id);
    const key = `ak_${newToken()}`;
    const values = { userId: user.id, toolId: tool, token: hashToken(key), kind: 'api_key' as const };
    await app.context.db.insert(authTokens).values({ ...values, expiresAt: plus(app.context.now(), day) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => introspect(key).expect(200)));
    expect(new Set(answers.map((answer) => answer.body.session_id)).size).toBe(1);
    expect(await sessionsOf(user.id)).toHaveLength(1);
    const used = async () =>
      (await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id)))[0]!.usedAt!.getTime();
    const first = await used();
    await introspect(key).expect(200);
    expect(await used()).toBe(first);
    await app.clock.advance(day / 2 + 6 * minute);
    await introspect(key).expect(200);
    expect(await used()).toBeGreaterThan(first);
    await app.context.db
      .update(toolSubscriptions)
      .set({ status: 'expired', isActive: false })
      .where(eq(toolSubscriptions.id, subscription.id));
    expect((await introspect(key).expect(200)).body).toEqual({ active: false });
  });

  it.each([
    ['a key of a month may be kept a minute', 30 * day, minute],
    ['a key that ends sooner may be kept until then', 20_000, 20_000],
  ])('says how long an answer may be kept: %s', async (_what, life, kept) => {
    const { user } = await launched();
    const key = `ak_${newToken()}`;
    const now = app.context.now();
    const made = { userId: user.id, toolId: tool, token: hashToken(key), kind: 'api_key' as const };
    await app.context.db.insert(authTokens).values({ ...made, lastFour: key.slice(-4), expiresAt: plus(now, life) });
    const { exp, key_expires_at } = (await introspect(key).expect(200)).body as Record<string, number>;
    const inSeconds = (ms: number) => Math.floor(plus(now, ms).getTime() / 1000);
    expect(key_expires_at).toBe(inSeconds(life));
    expect(exp! - inSeconds(kept)).toBeGreaterThanOrEqual(0);
    expect(exp! - inSeconds(kept)).toBeLessThan(30);
    expect(exp).toBeLessThanOrEqual(key_expires_at!);
  });

  it('lets whom a key acts for see and revoke it, and no other adviser', async () => {
    const { agent, user } = await launched();
    const key = `ak_${newToken()}`;
    await app.context.db.insert(authTokens).values({
      userId: user.id,
      toolId: tool,
      token: hashToken(key),
      kind: 'api_key',
      lastFour: key.slice(-4),
      expiresAt: plus(app.context.now(), day),
    });
    const listed = (await agent.get('/api/user/api-keys').expect(200)).body as { id: string; token: string }[];
    expect(listed).toMatchObject([{ token: `ak_••••••••${key.slice(-4)}`, toolName: 'Risk Profile AI' }]);
    const stranger = (await app.signedIn()).agent;
    expect((await stranger.get('/api/user/api-keys').expect(200)).body).toEqual([]);
    await stranger.delete(`/api/user/api-keys/${listed[0]!.id}`).expect(404);
    expect((await introspect(key)).body).toMatchObject({ active: true });
    await agent.delete(`/api/user/api-keys/${listed[0]!.id}`).expect(200);
    expect((await introspect(key)).body).toEqual({ active: false });
  });

  it('needs the tool’s secret and a form with a token', async () => {
    const call = () => app.agent().post('/api/tools/introspect');
    const refused = await call().type('form').send({ token: 'x' }).expect(401);
    expect(refused.headers['www-authenticate']).toMatch(/^Basic /);
    const wrong = await call().auth(tool, 'wrong').type('form').send({ token: 'x' }).expect(401);
    expect(wrong.headers['ratelimit-policy']).toBe('"wrong-credentials";q=100;w=900');
    expect(wrong.headers['ratelimit']).toMatch(/^"wrong-credentials";r=\d+;t=\d+$/);
    expect(wrong.body).toMatchObject({ code: 'invalid_tool_credentials', error: 'invalid_client' });
    await call().auth(tool, secrets[other]!).type('form').send({ token: 'x' }).expect(401);
    const json = await call().auth(tool, secrets[tool]!).send({ token: 'x' }).expect(415);
    expect(json.body.message).toBe('The request must be application/x-www-form-urlencoded.');
    for (const form of ['', 'token=']) {
      const { body } = await call().auth(tool, secrets[tool]!).type('form').send(form).expect(400);
      expect(body).toMatchObject({ fields: { token: expect.any(String) }, error: 'invalid_request' });
    }
    expect((await introspect('nobody').expect(200)).body).toEqual({ active: false });
    expect((await introspect('a\u0000b').expect(200)).body).toEqual({ active: false });
    expect((await introspect('x'.repeat(9000)).expect(200)).body).toEqual({ active: false });
  });

  it('names the method it takes', async () => {
    const answer = await app.agent().get('/api/tools/introspect').auth(tool, secrets[tool]!).expect(405);
    expect(answer.headers['allow']).toBe('POST');
    expect(answer.body).toMatchObject({ code: 'method_not_allowed' });
    expect((await app.agent().get('/api/auth/token').expect(405)).headers['allow']).toBe('POST');
  });

  it('takes credentials encoded as RFC 6749 has them, and in the form', async () => {
    const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const call = () => app.agent().post('/api/tools/introspect').type('form');
    const answer = await call().auth(encoded(tool), encoded(secrets[tool]!)).send({ token: 'x' }).expect(200);
    expect(answer.body).toEqual({ active: false });
    await call().send({ token: 'x', client_id: tool, client_secret: secrets[tool]! }).expect(200, { active: false });
    await call().send({ token: 'x', client_id: tool, client_secret: 'wrong' }).expect(401);
    await call().send('token=x&client_id=a&client_id=b&client_secret=c').expect(401);
    await call().auth('%', '%zz').send({ token: 'x' }).expect(401);
  });

  it('repeats a lost answer for the exchange that asks again, for a minute', async () => {
    const { body, user } = await launched();
    const exchange = (key: string, by = tool) => introspect(body.token, by).set('idempotency-key', key).expect(200);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange('first')));
    for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body);
    expect(answers[0]!.body).toMatchObject({ active: true, sub: user.id });
    expect(await sessionsOf(user.id)).toHaveLength(1);
    // A browser that brings the token again is another exchange.
    expect((await exchange('second')).body).toEqual({ active: false });
    expect((await introspect(body.token).expect(200)).body).toEqual({ active: false });
    expect((await exchange('first', other)).body).toEqual({ active: false });
    await app.clock.advance(minute + 1000);
    expect((await exchange('first')).body).toEqual({ active: false });
  });

  it('repeats a lost answer for the whole minute, also where the token has run out meanwhile', async () => {
    const { body } = await launched();
    const exchange = () => introspect(body.token).set('idempotency-key', 'late').expect(200);
    await app.clock.advance(5 * minute - 10_000);
    const first = (await exchange()).body;
    expect(first).toMatchObject({ active: true });
    await app.clock.advance(50_000);
    expect((await exchange()).body).toEqual(first);
    await app.clock.advance(20_000);
    expect((await exchange()).body).toEqual({ active: false });
  });
});

describe('old launch tokens', () => {
  it('go after a week, while the sessions they opened and the keys stay', async () => {
    const { body, user } = await launched();
    await introspect(body.token).expect(200);
    const key = { userId: user.id, toolId: tool, token: hashToken('a key'), kind: 'api_key' as const };
    await app.context.db.insert(authTokens).values({ ...key, expiresAt: app.context.now() });
    await app.clock.advance(6 * day);
    await pruneLaunchTokens(app.context);
    expect(await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id))).toHaveLength(2);
    await app.clock.advance(2 * day);
    await pruneLaunchTokens(app.context);
    const left = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id));
    expect(left).toMatchObject([{ kind: 'api_key' }]);
    expect(await sessionsOf(user.id)).toMatchObject([{ authTokenId: null }]);
  });
});
