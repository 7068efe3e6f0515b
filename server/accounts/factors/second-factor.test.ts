import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { OwnFactors } from '#shared/api/factors.ts';
import { contract } from '#shared/api/index.ts';
import { sessions, users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { rememberedDevices, secondFactors } from '#shared/schema/factors.ts';
import { mails } from '#shared/schema/notifications.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { codeOf, enrolApp } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { carryOutResets } from './change-factors.ts';

type Token = { token: string };

const app = testApp();

const launchPath = contract.tools.launch.path;
const listOf = async (agent: Agent) => (await agent.get('/api/user/factors').expect(200)).body as OwnFactors;
const login = (agent: Agent, email: string, word = password) =>
  agent.post('/api/login').send({ email, password: word });
const sendCode = (agent: Agent, code: string, more = {}) => agent.post('/api/login/code').send({ code, ...more });
const actionsOf = async (userId: string) =>
  (await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, userId)).orderBy(auditLog.createdAt)).map(
    ({ action }) => action,
  );
const subjectsTo = async (email: string) =>
  (await app.context.db.select().from(mails).where(eq(mails.toAddress, email))).map(({ subject }) => subject);

/** Somebody signed in who has an app, and what they need to sign in elsewhere. */
async function enrolled() {
  const { agent, user } = await app.signedIn();
  return { agent, user, ...(await enrolApp(agent)) };
}

describe('enrolling an app', () => {
  it('gives ten recovery codes once, tells the person, and keeps no secret readable', async () => {
    const { agent, user, secret, recoveryCodes } = await enrolled();
    expect(recoveryCodes).toHaveLength(10);
    expect(recoveryCodes[0]).toMatch(/^([2-9a-z]{4}-){5}[2-9a-z]{4}$/);
    expect(await listOf(agent)).toMatchObject({
      factors: [{ kind: 'app', name: 'Phone', lastUsedAt: null }],
      recoveryCodesLeft: 10,
    });
    expect((await agent.get('/api/user')).body).toMatchObject({ hasSecondFactor: true });
    const stored = JSON.stringify(await app.context.db.select().from(secondFactors));
    expect(stored).not.toContain(secret);
    expect(await actionsOf(user.id)).toContain('account.factor_added');
    expect(await subjectsTo(user.email)).toContain('A verification method was added');
    const { text } = await agent.get('/api/user/export').expect(200);
    expect(text).toContain('"secondFactors":[{"kind":"app"');
    expect(text).not.toContain(secret);
  });

  it('signs the other sessions out with the first factor, and none with the second', async () => {
    const { agent, user } = await app.signedIn();
    const other = (await app.signIn(user.email)).agent;
    const { secret } = await enrolApp(agent);
    await other.get('/api/user').expect(401);
    await login(other, user.email).expect(200);
    await sendCode(other, codeOf(secret)).expect(200);
    const { recoveryCodes } = await enrolApp(agent, 'Tablet');
    expect(recoveryCodes).toEqual([]);
    await other.get('/api/user').expect(200);
  });

  it('refuses a wrong code, and a code where no enrolment has begun', async () => {
    const { agent } = await app.signedIn();
    const body = { name: 'Phone', code: '000000' };
    const unbegun = await agent.post('/api/user/factors/app').send(body).expect(409);
    expect(unbegun.body).toMatchObject({ code: 'enrolment_over' });
    await agent.post('/api/user/factors/app/begin').expect(200);
    const wrong = await agent.post('/api/user/factors/app').send(body).expect(400);
    expect(wrong.body).toHaveProperty('fields.code');
  });

  it('refuses a passkey that answers none of our questions', async () => {
    const { agent } = await app.signedIn();
    const response = { clientDataJSON: 'e30', attestationObject: 'oA' };
    const passkey = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {}, response };
    await agent.post('/api/user/factors/passkey').send({ name: 'Key', passkey }).expect(403);
    await agent.post('/api/user/factors/passkey/begin').expect(200);
    const refused = await agent.post('/api/user/factors/passkey').send({ name: 'Key', passkey }).expect(403);
    expect(refused.body).toMatchObject({ code: 'passkey_refused' });
  });

  it('refuses an eleventh factor', async () => {
    const { agent, user } = await app.signedIn();
    for (let i = 0; i < 10; i += 1) await enrolApp(agent, `App ${i}`);
    const begun = await agent.post('/api/user/factors/app/begin').expect(200);
    const code = codeOf((begun.body as { secret: string }).secret);
    const full = await agent.post('/api/user/factors/app').send({ name: 'Eleventh', code }).expect(409);
    expect(full.body).toMatchObject({ code: 'factors_full' });
    expect(await app.context.db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(10);
  });
});

describe('signing in', () => {
  it('answers with the user where the account has no factor', async () => {
    const { user } = await app.signedIn();
    const answer = await login(app.agent(), user.email).expect(200);
    expect(answer.body).toMatchObject({ id: user.id, email: user.email, hasSecondFactor: false });
  });

  it('asks for the factor, and opens nothing before it', async () => {
    const { user, secret } = await enrolled();
    const agent = app.agent();
    const asked = await login(agent, user.email).expect(200);
    expect(asked.body).toEqual({ secondFactor: { app: true, passkey: false } });
    await agent.get('/api/user').expect(401);
    const signedIn = await sendCode(agent, codeOf(secret)).expect(200);
    expect(signedIn.body).toMatchObject({ id: user.id });
    await agent.get('/api/user').expect(200);
  });

  it('signs out whoever was here when the password of another account is given', async () => {
    const { user } = await enrolled();
    const { agent } = await app.signedIn();
    await login(agent, user.email).expect(200);
    await agent.get('/api/user').expect(401);
  });

  it('takes each code once, also when two send it at the same moment', async () => {
    const { user, secret } = await enrolled();
    const agents = [app.agent(), app.agent(), app.agent()];
    for (const agent of agents) await login(agent, user.email).expect(200);
    const answers = await Promise.all(agents.map((agent) => sendCode(agent, codeOf(secret))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  it('takes a recovery code once, however it is typed, and says how many are left', async () => {
    const { user, recoveryCodes } = await enrolled();
    const agents = [app.agent(), app.agent()];
    for (const agent of agents) await login(agent, user.email).expect(200);
    const typed = ` ${recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')}`;
    const answers = await Promise.all(agents.map((agent) => sendCode(agent, typed)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const [mail] = (await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email))).filter(
      ({ subject }) => subject.includes('recovery code was used'),
    );
    expect(mail?.textBody).toContain('You have 9 left');
    expect(await actionsOf(user.id)).toContain('account.recovery_code_used');
  });

  it('asks for the password again after five wrong codes, or when the ten minutes are over', async () => {
    const { user, secret } = await enrolled();
    const agent = app.agent();
    await login(agent, user.email).expect(200);
    for (let i = 0; i < 5; i += 1) await sendCode(agent, 'wrong-code').expect(400);
    expect((await sendCode(agent, codeOf(secret)).expect(401)).body).toMatchObject({ code: 'sign_in_again' });
    await login(agent, user.email).expect(200);
    const late = `jsonb_set(sess::jsonb, '{secondStep,until}', '1')`;
    await app.context.db.$client.query(`update sessions set sess = ${late} where sess::jsonb ? 'secondStep'`);
    expect((await sendCode(agent, codeOf(secret)).expect(401)).body).toMatchObject({ code: 'sign_in_again' });
  });

  it('asks for the password again where it was changed after the first step', async () => {
    const { agent, user, secret } = await enrolled();
    const elsewhere = app.agent();
    await login(elsewhere, user.email).expect(200);
    await agent
      .post('/api/user/change-password')
      .send({ currentPassword: password, newPassword: 'Brave-Otter-42' })
      .expect(200);
    await sendCode(elsewhere, codeOf(secret)).expect(401);
  });

  it('counts wrong codes of an app over all sign-ins', async () => {
    const { user, secret } = await enrolled();
    for (let i = 0; i < 6; i += 1) {
      const agent = app.agent();
      await login(agent, user.email).expect(200);
      for (let j = 0; j < 5; j += 1) await sendCode(agent, '000000');
    }
    const agent = app.agent();
    await login(agent, user.email).expect(200);
    await sendCode(agent, codeOf(secret)).expect(429);
  });
});

describe('a remembered device', () => {
  const remember = async () => {
    const made = await enrolled();
    const device = app.agent();
    await login(device, made.user.email).expect(200);
    await sendCode(device, codeOf(made.secret), { remember: true }).expect(200);
    return { ...made, device };
  };

  it('signs in with the password alone, until it is forgotten', async () => {
    const { agent, user, device } = await remember();
    expect((await login(device, user.email).expect(200)).body).toMatchObject({ id: user.id });
    const [listed] = (await listOf(agent)).devices;
    await agent.delete(`/api/user/remembered-devices/${listed!.id}`).expect(200);
    expect((await login(device, user.email).expect(200)).body).toHaveProperty('secondFactor');
    await agent.delete(`/api/user/remembered-devices/${listed!.id}`).expect(404);
  });

  it.each([
    ['its 30 days are over', { expiresAt: new Date(Date.now() - 1000) }],
    ['the password was changed', { authEpoch: -1 }],
  ])('is asked again once %s', async (_why, change) => {
    const { agent, user, device } = await remember();
    await app.context.db.update(rememberedDevices).set(change).where(eq(rememberedDevices.userId, user.id));
    expect((await login(device, user.email).expect(200)).body).toHaveProperty('secondFactor');
    expect((await listOf(agent)).devices).toEqual([]);
  });

  it('means nothing for another account', async () => {
    const { device } = await remember();
    const other = await enrolled();
    expect((await login(device, other.user.email).expect(200)).body).toHaveProperty('secondFactor');
  });
});

describe('a person who removes or renews factors', () => {
  it('loses codes and devices with the last factor they remove', async () => {
    const { agent, user } = await enrolled();
    const [factor] = (await listOf(agent)).factors;
    const stranger = (await app.signedIn()).agent;
    await stranger.delete(`/api/user/factors/${factor!.id}`).expect(404);
    await agent.delete(`/api/user/factors/${factor!.id}`).expect(200);
    expect(await listOf(agent)).toMatchObject({ factors: [], recoveryCodesLeft: 0, devices: [] });
    expect((await login(app.agent(), user.email).expect(200)).body).toMatchObject({ id: user.id });
    expect(await actionsOf(user.id)).toContain('account.factor_removed');
  });

  it('gets new recovery codes, and the old ones end', async () => {
    const { agent, user, recoveryCodes } = await enrolled();
    const renewed = await agent.post('/api/user/recovery-codes').expect(200);
    const codes = (renewed.body as { recoveryCodes: string[] }).recoveryCodes;
    const elsewhere = app.agent();
    await login(elsewhere, user.email).expect(200);
    await sendCode(elsewhere, recoveryCodes[0]!).expect(400);
    await sendCode(elsewhere, codes[0]!).expect(200);
    const without = (await app.signedIn()).agent;
    await without.post('/api/user/recovery-codes').expect(409);
  });
});

describe('an administrator’s reset', () => {
  it('waits for a day, in which its owner may stop it', async () => {
    const { agent, user } = await enrolled();
    const admin = await administrator(app);
    await admin.post('/api/admin/reset-factors', { userId: user.id }).expect(200);
    expect((await listOf(agent)).resetDueAt).not.toBeNull();
    expect(await subjectsTo(user.email)).toContain('Your verification methods will be removed');
    await carryOutResets(app.context);
    expect((await listOf(agent)).factors).toHaveLength(1);
    const [mail] = (await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email))).filter(
      ({ textBody }) => textBody.includes('/stop-factor-reset?token='),
    );
    const token = /token=([\w-]+)/.exec(mail!.textBody)![1];
    await agent.post('/api/user/factor-reset/stop').send({ token }).expect(200);
    await agent.post('/api/user/factor-reset/stop').send({ token }).expect(409);
    await carryOutResets({ ...app.context, now: () => new Date(Date.now() + 25 * 3_600_000) });
    expect((await listOf(agent)).factors).toHaveLength(1);
    expect(await actionsOf(user.id)).toEqual(
      expect.arrayContaining(['admin.factor_reset_requested', 'account.factor_reset_stopped']),
    );
  });

  it('removes every factor a day later, and tells the owner', async () => {
    const { user } = await enrolled();
    const admin = await administrator(app);
    await admin.post('/api/admin/reset-factors', { userId: user.id }).expect(200);
    await carryOutResets({ ...app.context, now: () => new Date(Date.now() + 25 * 3_600_000) });
    expect((await login(app.agent(), user.email).expect(200)).body).toMatchObject({ id: user.id });
    expect(await actionsOf(user.id)).toContain('account.factors_reset');
    expect(await subjectsTo(user.email)).toContain('Your verification methods were removed');
  });
});

describe('a team that asks for a second factor', () => {
  it('is told to its members, and keeps its tools shut for those without', async () => {
    const { agent: owner, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
    await owner
      .post('/api/create-subscription')
      .send({ toolId: 'file-note-ai', trial: true, teamId: team.id })
      .expect(200);
    const path = `/api/teams/${team.id}/second-factor`;
    const [, member] = (await owner.get(`/api/teams/${team.id}/members`)).body as {
      userId: string;
      user: { email: string };
    }[];
    const { agent } = await app.signIn(member!.user.email);
    const launched = ((await agent.post(launchPath).send({ toolId: 'file-note-ai' }).expect(200)).body as Token).token;
    const admin = await administrator(app);
    const wanted = { userId: member!.userId, toolId: 'file-note-ai' };
    const key = ((await admin.post('/api/admin/generate-api-key', wanted).expect(201)).body as { apiKey: string })
      .apiKey;
    const secret = await makeSecret(app, 'file-note-ai');
    const introspect = (token: string) =>
      app.agent().post('/api/tools/introspect').auth('file-note-ai', secret).type('form').send({ token }).expect(200);

    await agent.put(path).send({ required: true }).expect(403);
    await owner.put(path).send({ required: true }).expect(200);
    expect(await subjectsTo(member!.user.email)).toContain(`Two-step verification for ${team.name}`);
    expect((await listOf(agent)).demandedBy).toEqual([team.name]);
    const shut = await agent.post(launchPath).send({ toolId: 'file-note-ai' }).expect(403);
    expect(shut.body).toMatchObject({ code: 'team_factor_required' });
    expect((await introspect(launched)).body).toEqual({ active: false });
    expect((await introspect(key)).body).toMatchObject({
      active: false,
      reason: 'team_factor_required',
      message: expect.stringMatching(/two-step verification/) as string,
    });
    await enrolApp(agent);
    await agent.post(launchPath).send({ toolId: 'file-note-ai' }).expect(200);
    expect((await introspect(key)).body).toMatchObject({ active: true });
  });
});

it('an account that is closed loses its factors', async () => {
  const { agent, user } = await enrolled();
  await agent.post('/api/user/close-account').send({ password }).expect(200);
  expect(await app.context.db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(0);
  const [closed] = await app.context.db.select().from(users).where(eq(users.id, user.id));
  expect(closed).toMatchObject({ hasSecondFactor: false });
  expect(await app.context.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
});
