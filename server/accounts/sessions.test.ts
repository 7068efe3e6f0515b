import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { passwordGuessable } from '#shared/rules/people/accounts.ts';
import type { Session } from '#shared/api/security.ts';
import { sessions, users } from '#shared/schema/accounts.ts';
import { createAdmin } from '#server/testing/factories.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { deviceName } from '#server/platform/http/device-name.ts';

const app = testApp();

const path = '/api/user/sessions';
const listOf = async (agent: Agent) => (await agent.get(path).expect(200)).body as Session[];
const hoursAgo = (count: number) => new Date(Date.now() - count * 3_600_000);

describe('GET /api/user/sessions', () => {
  it('lists where the account is signed in, marks this browser, and shows nothing that opens a session', async () => {
    const { agent, user } = await app.signedIn();
    await app
      .agent()
      .post('/api/login')
      .set('user-agent', 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')
      .send({ email: user.email, password: 'Correct-Horse-7' })
      .expect(200);
    await app.signedIn();
    const list = await listOf(agent);
    expect(list).toHaveLength(2);
    expect(list.filter((one) => one.current)).toHaveLength(1);
    expect(list.find((one) => !one.current)).toMatchObject({ device: 'Firefox on Windows' });
    for (const one of list)
      expect(Object.keys(one).toSorted()).toEqual(['createdAt', 'current', 'device', 'id', 'lastSeenAt']);
    const rows = await app.context.db.select().from(sessions).where(eq(sessions.userId, user.id));
    for (const { sid } of rows) expect(JSON.stringify(list)).not.toContain(sid);
  });

  it.each([
    ['idle too long', { lastSeenAt: hoursAgo(25) }],
    ['too old', { createdAt: hoursAgo(15 * 24) }],
    ['expired', { expire: hoursAgo(0) }],
    ['of an older epoch', { authEpoch: -1 }],
    ['signed out', { destroyedAt: hoursAgo(0) }],
  ])('leaves out a session that is %s', async (_why, change) => {
    const { agent, user } = await app.signedIn();
    const [own] = await listOf(agent);
    await app.signIn(user.email);
    const other = (await listOf(agent)).find((one) => one.id !== own!.id)!;
    await app.context.db.update(sessions).set(change).where(eq(sessions.publicId, other.id));
    expect((await listOf(agent)).map((one) => one.id)).toEqual([own!.id]);
  });

  it('follows the shorter life of administrators', async () => {
    const admin = await createAdmin(app.context);
    const { agent } = await app.signIn(admin.email);
    const [own] = await listOf(agent);
    await app.signIn(admin.email);
    const other = (await listOf(agent)).find((one) => one.id !== own!.id)!;
    await app.context.db
      .update(sessions)
      .set({ lastSeenAt: hoursAgo(2) })
      .where(eq(sessions.publicId, other.id));
    expect(await listOf(agent)).toHaveLength(1);
  });

  it('answers before the profile is complete', async () => {
    const { agent } = await app.signedIn({ profileCompleted: false });
    expect(await listOf(agent)).toHaveLength(1);
  });
});

describe('DELETE /api/user/sessions/{id}', () => {
  it('signs that session out at once and no other', async () => {
    const { agent, user } = await app.signedIn();
    const [own] = await listOf(agent);
    const other = (await app.signIn(user.email)).agent;
    const id = (await listOf(agent)).find((one) => one.id !== own!.id)!.id;
    await agent.delete(`${path}/${id}`).expect(200);
    await other.get('/api/user').expect(401);
    await agent.get('/api/user').expect(200);
    await agent.delete(`${path}/${id}`).expect(404);
  });

  it('signs this browser out, with its cookie', async () => {
    const { agent } = await app.signedIn();
    const [own] = await listOf(agent);
    const before = await app.context.db.$count(sessions);
    const answer = await agent.delete(`${path}/${own!.id}`).expect(200);
    expect([answer.headers['set-cookie']].flat().join()).toMatch(/sid=; Path=\/; Expires=Thu, 01 Jan 1970/);
    await agent.get('/api/user').expect(401);
    expect(await app.context.db.$count(sessions)).toBe(before);
  });

  it('does not know the sessions of others', async () => {
    const victim = await app.signedIn();
    const [theirs] = await listOf(victim.agent);
    const { agent } = await app.signedIn();
    await agent.delete(`${path}/${theirs!.id}`).expect(404);
    await agent.delete(`${path}/${randomUUID()}`).expect(404);
    await agent.delete(`${path}/none`).expect(400);
    await victim.agent.get('/api/user').expect(200);
  });
});

describe('POST /api/user/change-password', () => {
  const change = (agent: Agent, currentPassword: unknown, newPassword: unknown, more = {}) =>
    agent.post('/api/user/change-password').send({ currentPassword, newPassword, ...more });
  const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
  const now = 'Correct-Horse-7';
  const next = 'Brave-Otter-42';
  const sidOf = ({ headers }: { headers: Record<string, string> }) =>
    /sid=s[^;]+/.exec(String(headers['set-cookie']))![0];

  it('ends the other sessions, keeps this one under a new id, and tells the owner', async () => {
    const { agent, user } = await app.signedIn();
    const other = (await app.signIn(user.email)).agent;
    const cookie = sidOf(await app.agent().post('/api/login').send({ email: user.email, password: now }));
    const answer = await change(agent, now, next).expect(200);
    expect([answer.headers['set-cookie']].flat().join()).toMatch(/^sid=s/);
    await agent.get('/api/user').expect(200);
    await other.get('/api/user').expect(401);
    await app.agent().get('/api/user').set('cookie', cookie).expect(401);
    expect(await listOf(agent)).toHaveLength(1);
    await app.agent().post('/api/login').send({ email: user.email, password: now }).expect(401);
    await app.agent().post('/api/login').send({ email: user.email, password: next }).expect(200);
    const told = await app.context.db.$client.query(
      `select n.type, m.subject, a.action from notifications n, mails m, audit_log a
        where n.user_id = $1 and m.to_address = $2 and a.subject_id = $3 and m.kind <> 'new-device' and a.action not like 'account.sign%'`,
      [user.id, user.email, user.id],
    );
    expect(told.rows).toEqual([
      { type: 'system_alert', subject: 'Your Adviserly password was changed', action: 'account.password_changed' },
    ]);
  });

  it('kills the cookie that this browser had before', async () => {
    const { agent, user } = await app.signedIn();
    const browser = app.agent();
    const login = await browser.post('/api/login').send({ email: user.email, password: now }).expect(200);
    const cookie = sidOf(login);
    await change(browser, now, next).expect(200);
    await app.agent().get('/api/user').set('cookie', cookie).expect(401);
    await browser.get('/api/user').expect(200);
    await agent.get('/api/user').expect(401);
  });

  it.each([
    ['Wrong-Horse-7', next, { currentPassword: 'Your current password is incorrect.' }],
    [`${now}\0`, next, { currentPassword: 'Your current password is incorrect.' }],
    ['', next, { currentPassword: 'Password is required' }],
    [undefined, next, { currentPassword: 'Password is required' }],
    [now, 'Password1', { newPassword: 'This password is too common.' }],
    [now, 'Nguyen-2026', { newPassword: passwordGuessable }],
    [now, 'Short1a', { newPassword: 'Password must be at least 8 characters long' }],
    [now, `Aa1${'é'.repeat(998)}`, { newPassword: 'Password must be at most 1000 characters long' }],
  ])('names the fault of %j, %j, and changes nothing', async (current, wanted, fields) => {
    const { agent, user } = await app.signedIn();
    const answer = await change(agent, current, wanted).expect(400);
    expect((answer.body as { fields: object }).fields).toEqual(fields);
    expect(await rowOf(user.id)).toMatchObject({ password: user.password, authEpoch: 0 });
    await agent.get('/api/user').expect(200);
  });

  it('refuses another account’s id', async () => {
    const { agent } = await app.signedIn();
    await change(agent, now, next, { userId: randomUUID() }).expect(400);
  });

  it('lets one of five at once win', async () => {
    const { agent, user } = await app.signedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => change(agent, now, `${next}${i}`)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status >= 500)).toHaveLength(0);
    expect((await rowOf(user.id)).authEpoch).toBe(1);
  });

  it('limits wrong guesses by a limit of its own, not that of the sign-in', async () => {
    const { agent, user } = await app.signedIn();
    for (let i = 0; i < 10; i += 1) await change(agent, 'Wrong-Horse-7', next).expect(400);
    await change(agent, now, next).expect(429);
    await app.signIn(user.email);
  });
});

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/140.0 Mobile Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webkit} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  ['curl/8.0', 'Unknown device'],
  ['<script>alert(1)</script>', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('the list names a browser by its user agent: %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
