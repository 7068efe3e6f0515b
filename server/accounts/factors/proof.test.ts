import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { sessions } from '#shared/schema/accounts.ts';
import { secondFactors } from '#shared/schema/factors.ts';
import { consumeByAddress } from '#server/platform/http/rate-limit.ts';
import { administrator } from '#server/testing/administrator.ts';
import { password } from '#server/testing/factories.ts';
import { codeOf, enrolApp } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

const endpoints = Object.entries(contract).flatMap(([noun, api]) =>
  Object.entries(api as Record<string, Endpoint>).map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
);
const withProof = (...kinds: Endpoint['proof'][]) => endpoints.filter(([, { proof }]) => kinds.includes(proof));

/** Puts the proof of the person's sessions `minutes` into the past. */
const later = (userId: string, minutes: number) =>
  app.context.db
    .update(sessions)
    .set({
      sess: sql`jsonb_set(${sessions.sess}::jsonb, '{provenAt}', to_jsonb(${Date.now() - minutes * 60_000}::bigint))`,
    })
    .where(eq(sessions.userId, userId));

const send = (agent: Agent, { method, path }: Endpoint, body: object) =>
  agent[method.toLowerCase() as 'post'](path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')).send(body);
const codeIn = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const cookieIn = ({ headers }: { headers: object }) =>
  /sid=s[^;]+/.exec(String(Object(headers)['set-cookie']))?.[0] ?? '';
const prove = (agent: Agent, body: object) => agent.post('/api/user/proof').send(body);
const renewCodes = (agent: Agent) => agent.post('/api/user/recovery-codes');

describe('proof within ten minutes', () => {
  it('is asked of every write of an administrator, and of what could do harm', () => {
    const unguarded = endpoints.filter(([, e]) => e.access === 'admin' && e.method !== 'GET' && e.proof !== 'always');
    expect(unguarded.map(([name]) => name)).toEqual([]);
    const theirs = withProof('always', 'factor', 'team').filter(([, { access }]) => access !== 'admin');
    expect(theirs.map(([name]) => name).toSorted()).toEqual([
      'billing.savePaymentMethod',
      'billing.setupIntent',
      'developers.announce',
      'developers.change',
      'developers.makeSecret',
      'developers.register',
      'developers.revokeSecret',
      'developers.stage',
      'factors.addApp',
      'factors.addPasskey',
      'factors.beginApp',
      'factors.beginPasskey',
      'factors.remove',
      'factors.renewCodes',
      'factors.stopReset',
      'identities.connect',
      'identities.remove',
      'security.changeEmail',
      'security.changePassword',
      'security.closeAccount',
      'security.endSession',
      'teams.acceptHandOver',
      'teams.close',
      'teams.requireFactor',
      'teams.requireMicrosoft',
      'teams.transfer',
      'toolRecalls.change',
      'toolRecalls.close',
      'toolRecalls.open',
    ]);
  });

  it.each(withProof('always'))('%s is refused without it, whatever else is wrong', async (_name, endpoint) => {
    const { agent, user, csrfToken } = await administrator(app);
    await later(user.id, 11);
    const body = endpoint.access === 'admin' ? { _csrf: csrfToken } : {};
    expect(codeIn(await send(agent, endpoint, body).expect(403))).toBe('proof_needed');
    await later(user.id, 9);
    expect(codeIn(await send(agent, endpoint, body))).not.toBe('proof_needed');
  });

  it.each(withProof('factor'))('%s takes the password itself, where there is no factor', async (_name, endpoint) => {
    const { agent, user } = await app.signedIn();
    await later(user.id, 11);
    expect(codeIn(await send(agent, endpoint, {}).expect(400))).toBe('invalid_input');
    await later(user.id, 1);
    await enrolApp(agent);
    await later(user.id, 11);
    expect(codeIn(await send(agent, endpoint, {}).expect(403))).toBe('proof_needed');
  });

  it.each(withProof('team'))('%s wants it for a team', async (_name, endpoint) => {
    const { agent, user } = await app.signedIn();
    await later(user.id, 11);
    expect(codeIn(await send(agent, endpoint, {}))).not.toBe('proof_needed');
    expect(codeIn(await send(agent, endpoint, { teamId: 'any' }).expect(403))).toBe('proof_needed');
  });
});

describe('POST /api/user/proof', () => {
  it('takes the password where there is no factor; this session alone has then proved it', async () => {
    const { agent, user } = await app.signedIn();
    const other = (await app.signIn(user.email)).agent;
    await later(user.id, 11);
    const wrong = await prove(agent, { password: 'Wrong-Horse-7' }).expect(400);
    expect(wrong.body).toHaveProperty('fields.password');
    await renewCodes(agent).expect(403);
    await prove(agent, { password }).expect(200);
    expect(codeIn(await renewCodes(agent).expect(409))).toBe('no_factor');
    expect(codeIn(await renewCodes(other).expect(403))).toBe('proof_needed');
  });

  it('takes a code and no password where there is a factor', async () => {
    const { agent, user } = await app.signedIn();
    const { secret } = await enrolApp(agent);
    await later(user.id, 11);
    expect((await prove(agent, { password }).expect(400)).body).toHaveProperty('fields.code');
    expect((await prove(agent, { code: '000000' }).expect(400)).body).toHaveProperty('fields.code');
    await renewCodes(agent).expect(403);
    await prove(agent, { code: codeOf(secret) }).expect(200);
    await renewCodes(agent).expect(200);
    await prove(agent, { code: codeOf(secret) }).expect(400);
  });

  it('gives the session a new id; the old one opens nothing, and what the session held goes on', async () => {
    const { user } = await app.signedIn();
    const login = await app.agent().post('/api/login').send({ email: user.email, password }).expect(200);
    const before = cookieIn(login);
    const begun = await app.agent().post('/api/user/factors/app/begin').set('cookie', before).expect(200);
    const proved = await app.agent().post('/api/user/proof').set('cookie', before).send({ password }).expect(200);
    const after = cookieIn(proved);
    await app.agent().get('/api/user').set('cookie', before).expect(401);
    expect((await app.agent().get('/api/user').set('cookie', after).expect(200)).body).toHaveProperty('id', user.id);
    const confirmation = { name: 'Phone', code: codeOf((begun.body as { secret: string }).secret) };
    await app.agent().post('/api/user/factors/app').set('cookie', after).send(confirmation).expect(200);
  });

  it('leaves an administrator the token of their writes', async () => {
    const { post, agent } = await administrator(app);
    const { user } = await app.signedIn();
    await prove(agent, { password }).expect(200);
    await post('/api/admin/end-sessions', { userId: user.id, reason: 'A test' }).expect(200);
  });

  it('wants something', async () => {
    const { agent } = await app.signedIn();
    expect((await prove(agent, {}).expect(400)).body).toHaveProperty('fields.password');
  });

  it('counts right passwords, too: ten a minute, whatever the outcome', async () => {
    const { agent } = await app.signedIn();
    for (let i = 0; i < 10; i += 1) await prove(agent, { password }).expect(200);
    await prove(agent, { password }).expect(429);
  });

  it('asks somebody signed in for a passkey, however many of their office have been asked', async () => {
    const ip = '203.0.113.77';
    const office = { ...app.context, caller: { actorId: null, ip } };
    for (let i = 0; i < 300; i += 1) await consumeByAddress(office, 'passkeyIp');
    const ask = (agent: Agent) => agent.post('/api/passkey/begin').set('x-forwarded-for', ip);
    await ask(app.agent()).expect(429);
    await ask((await app.signedIn()).agent).expect(200);
  });

  it('counts wrong passwords', async () => {
    const { agent } = await app.signedIn();
    for (let i = 0; i < 10; i += 1) await prove(agent, { password: 'Wrong-Horse-7' }).expect(400);
    await prove(agent, { password }).expect(429);
  });
});

/** Signed in on a browser that was remembered: with the password alone. */
async function remembered(make: () => Promise<{ agent: Agent; user: { email: string } }>) {
  const { agent, user } = await make();
  const { secret } = await enrolApp(agent);
  const device = app.agent();
  const login = () => device.post('/api/login').send({ email: user.email, password }).expect(200);
  await login();
  await device
    .post('/api/login/code')
    .send({ code: codeOf(secret), remember: true })
    .expect(200);
  await device.post('/api/logout').expect(200);
  expect((await login()).body).toHaveProperty('id');
  return { device, secret };
}

describe('a sign-in with the password alone, on a remembered device', () => {
  it.each([
    ['add an app', (device: Agent) => device.post('/api/user/factors/app/begin')],
    ['add a passkey', (device: Agent) => device.post('/api/user/factors/passkey/begin')],
    ['renew recovery codes', (device: Agent) => renewCodes(device)],
    ['move the address', (device: Agent) => device.post('/api/user/email-change').send({ email: 'a@b.example' })],
    [
      'change the password',
      (device: Agent) =>
        device.post('/api/user/change-password').send({ currentPassword: password, newPassword: 'Brave-Otter-42' }),
    ],
  ])('is no proof with which to %s', async (_what, act) => {
    const { device, secret } = await remembered(() => app.signedIn());
    expect(codeIn(await act(device).expect(403))).toBe('proof_needed');
    await prove(device, { password }).expect(400);
    await prove(device, { code: codeOf(secret, 1) }).expect(200);
    expect(codeIn(await act(device))).not.toBe('proof_needed');
  });

  it('is no proof with which to remove a factor, or to write as an administrator', async () => {
    const { device } = await remembered(() => administrator(app));
    const { factors } = (await device.get('/api/user/factors').expect(200)).body as { factors: { id: string }[] };
    expect(codeIn(await device.delete(`/api/user/factors/${factors[0]!.id}`).expect(403))).toBe('proof_needed');
    const { csrfToken } = (await device.get('/api/admin/csrf-token').expect(200)).body as { csrfToken: string };
    const write = device.post('/api/admin/end-sessions').send({ userId: 'any', reason: 'A test', _csrf: csrfToken });
    expect(codeIn(await write.expect(403))).toBe('proof_needed');
  });

  it('stays no proof after a change of password that was proved, and the ten minutes go on', async () => {
    const { agent, user } = await app.signedIn();
    await enrolApp(agent);
    await later(user.id, 9);
    const change = { currentPassword: password, newPassword: 'Brave-Otter-42' };
    await agent.post('/api/user/change-password').send(change).expect(200);
    await renewCodes(agent).expect(200);
    await later(user.id, 11);
    await renewCodes(agent).expect(403);
  });
});

describe('an enrolment', () => {
  it('is used once, of four confirmations at once', async () => {
    const { agent, user } = await app.signedIn();
    const { secret } = (await agent.post('/api/user/factors/app/begin').expect(200)).body as { secret: string };
    const confirm = () => agent.post('/api/user/factors/app').send({ name: 'Phone', code: codeOf(secret) });
    const answers = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.context.db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(1);
  });

  it('is used once, by a repeated confirmation', async () => {
    const { agent } = await app.signedIn();
    await enrolApp(agent, 'First');
    const { secret } = (await agent.post('/api/user/factors/app/begin').expect(200)).body as { secret: string };
    const confirm = () => agent.post('/api/user/factors/app').send({ name: 'Phone', code: codeOf(secret) });
    await confirm().expect(200);
    expect(codeIn(await confirm().expect(409))).toBe('enrolment_over');
  });
});
