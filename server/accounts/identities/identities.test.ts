import { generateKeyPairSync } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import { users } from '#shared/schema/accounts.ts';
import { identities } from '#shared/schema/factors.ts';
import { mails } from '#shared/schema/notifications.ts';
import { createAdmin, createTeam, createUser, password } from '#server/testing/factories.ts';
import {
  answerOf,
  chooseAt,
  claimsIn,
  finishAt,
  signed,
  startIdentityProviders,
} from '#server/testing/identity-providers.ts';
import { codeOf, enrolApp } from '#server/testing/second-factor.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { type Agent, startTestApp, type TestApp } from '#server/testing/test-app.ts';

let outside: Awaited<ReturnType<typeof startIdentityProviders>>;
let app: TestApp;

beforeAll(async () => {
  outside = await startIdentityProviders();
  app = await startTestApp(outside.variables);
  await outside.serve(app.context.env.appUrl);
});
afterAll(async () => {
  await app.stop();
  await outside.stop();
});
beforeEach(() => outside.tamperWith(null));

const firm = { microsoft: { tid: 'a-firm', xms_edov: true }, google: { email_verified: true, hd: 'firm.example' } };
const codeIn = ({ body }: { body: unknown }) => (body as { code?: string }).code;

/** Signs in at the provider, and brings the answer back. */
const arrive = async (agent: Agent, provider: IdentityProvider, email: string) =>
  finishAt(agent, provider, await answerOf(agent, provider, email));

/** A person whose account at the provider has been connected by a sign-in with the password. */
async function connected(provider: IdentityProvider, claims: object = firm[provider]) {
  const user = await createUser(app.context);
  outside.says(user.email, { ...claims });
  const agent = app.agent();
  await arrive(agent, provider, user.email);
  await agent.post('/api/login').send({ email: user.email, password }).expect(200);
  return { agent, user };
}

/** The newest mail to this address of this kind. */
const mailTo = async (email: string, kind: string) => {
  await app.context.queue.drain();
  const all = await app.context.db
    .select()
    .from(mails)
    .where(and(eq(mails.toAddress, email), eq(mails.kind, kind)));
  return all.at(-1)!;
};

describe.each(['microsoft', 'google'] as const)('Sign in with %s', (provider) => {
  it('connects at a sign-in with the password, once, and then signs in alone', async () => {
    const user = await createUser(app.context);
    outside.says(user.email, firm[provider]);
    const agent = app.agent();
    const first = await arrive(agent, provider, user.email);
    expect(first.body).toEqual({
      connect: { email: user.email, firstName: 'Ada', lastName: 'Byron', hasAccount: true },
    });
    await agent.get('/api/user').expect(401);
    await agent.post('/api/login').send({ email: user.email, password }).expect(200);
    const told = await mailTo(user.email, 'second-factor');
    expect(told.subject).toContain('way to sign in was added');
    const later = app.agent();
    expect((await arrive(later, provider, user.email)).body).toMatchObject({ id: user.id, email: user.email });
    expect((await later.get('/api/user').expect(200)).body).toMatchObject({ id: user.id });
    const { body } = await later.get('/api/user/identities').expect(200);
    expect(body).toMatchObject({ identities: [{ provider }], demandedBy: [] });
    const signIns = await later.get('/api/user/sign-ins').expect(200);
    expect(JSON.stringify(signIns.body)).toContain(provider === 'google' ? 'through Google' : 'through Microsoft');
  });

  it('makes an account whose address counts as proved', async () => {
    const email = `new-${provider}@firm.example`;
    outside.says(email, firm[provider]);
    const agent = app.agent();
    expect((await arrive(agent, provider, email)).body).toMatchObject({ connect: { email, hasAccount: false } });
    const form = { email, password: 'Brave-Otter-42', firstName: 'Ada', lastName: 'Byron' };
    expect((await agent.post('/api/register').send(form).expect(201)).body).toMatchObject({ emailVerified: true });
    expect((await arrive(app.agent(), provider, email)).body).toMatchObject({ email });
  });
});

describe('an address that the provider does not vouch for', () => {
  it.each([
    ['google', { email_verified: false }],
    ['google', {}],
    ['microsoft', { tid: 'a-firm' }],
    ['microsoft', { tid: 'a-firm', xms_edov: false }],
    ['microsoft', { tid: 'a-firm', email_verified: true }],
  ] as const)('is not connected: %s, %o', async (provider, claims) => {
    const user = await createUser(app.context);
    outside.says(user.email, claims);
    const agent = app.agent();
    const refused = await arrive(agent, provider, user.email);
    expect(refused.body).toMatchObject({ code: 'address_unconfirmed' });
    await agent.post('/api/login').send({ email: user.email, password }).expect(200);
    expect((await arrive(app.agent(), provider, user.email)).body).toMatchObject({ code: 'address_unconfirmed' });
  });

  it.each([
    ['google', { email_verified: true }],
    ['microsoft', { tid: '9188040d-6c67-4b5d-b112-36a304b66dad', xms_edov: true }],
  ] as const)('is to be verified by mail, where it was checked once only: %s, %o', async (provider, claims) => {
    const email = `once-${provider}@firm.example`;
    outside.says(email, claims);
    const agent = app.agent();
    await arrive(agent, provider, email);
    const form = { email, password: 'Brave-Otter-42', firstName: 'Ada', lastName: 'Byron' };
    expect((await agent.post('/api/register').send(form).expect(201)).body).toMatchObject({ emailVerified: false });
  });

  it('connects no other account than its own', async () => {
    const user = await createUser(app.context);
    outside.says(user.email, firm.google);
    const other = await createUser(app.context);
    const agent = app.agent();
    await arrive(agent, 'google', user.email);
    await agent.post('/api/login').send({ email: other.email, password }).expect(200);
    expect((await agent.get('/api/user/identities')).body).toMatchObject({ identities: [] });
  });
});

describe('an answer that is not the provider’s to this browser', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const none = (claims: object) =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  const own = (change: object) => (token: string) => signed(outside.keys.privateKey, { ...claimsIn(token), ...change });

  it.each<[string, (token: string) => string]>([
    ['signed with another key', (token) => signed(stranger, claimsIn(token))],
    ['signed with another key of another name', (token) => signed(stranger, claimsIn(token), 'other')],
    ['not signed', (token) => none(claimsIn(token))],
    ['without a signature', (token) => token.replace(/[^.]+$/, '')],
    ['for another client', (token) => own({ aud: 'somebody-else' })(token)],
    ['to another question', (token) => own({ nonce: 'another' })(token)],
    ['to no question', (token) => own({ nonce: undefined })(token)],
    ['over by now', (token) => own({ iat: 1_700_000_000, exp: 1_700_000_600 })(token)],
    ['by another issuer', (token) => own({ iss: 'https://login.example' })(token)],
    ['about nobody', (token) => own({ sub: undefined })(token)],
  ])('is refused: %s', async (_what, change) => {
    const { user } = await connected('google');
    outside.tamperWith(change);
    const agent = app.agent();
    const refused = await arrive(agent, 'google', user.email);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('begin again') as string,
    });
    await agent.get('/api/user').expect(401);
  });

  it('signs in when it is untouched, so that the cases above can fail', async () => {
    const { user } = await connected('google');
    outside.tamperWith(own({}));
    expect((await arrive(app.agent(), 'google', user.email)).body).toMatchObject({ id: user.id });
  });

  it('works once: neither the state nor the code is taken again', async () => {
    const { user } = await connected('google');
    const agent = app.agent();
    const query = await answerOf(agent, 'google', user.email);
    await finishAt(agent, 'google', query).expect(200);
    expect(codeIn(await finishAt(agent, 'google', query))).toBe('provider_over');
    // The used code, in an answer to a new question.
    const again = new URLSearchParams(await answerOf(agent, 'google', user.email));
    again.set('code', new URLSearchParams(query).get('code')!);
    expect(codeIn(await finishAt(agent, 'google', again.toString()))).toBe('provider_refused');
  });

  it('is refused in another browser, which asked nothing, or something else', async () => {
    const { user } = await connected('google');
    const query = await answerOf(app.agent(), 'google', user.email);
    const victim = app.agent();
    expect(codeIn(await finishAt(victim, 'google', query))).toBe('provider_over');
    await answerOf(victim, 'google', user.email);
    expect(codeIn(await finishAt(victim, 'google', query))).toBe('provider_refused');
    await victim.get('/api/user').expect(401);
  });

  it('is refused at the other provider’s address', async () => {
    const { user } = await connected('google');
    const agent = app.agent();
    const query = await answerOf(agent, 'google', user.email);
    expect(codeIn(await finishAt(agent, 'microsoft', query))).toBe('provider_over');
  });

  it('says so when the person gave up', async () => {
    const agent = app.agent();
    const { body } = await agent.post('/api/login/provider').send({ provider: 'google' }).expect(200);
    const state = new URL((body as { url: string }).url).searchParams.get('state');
    const refused = await finishAt(agent, 'google', `error=access_denied&state=${state}&iss=${outside.url}/google`);
    expect(codeIn(refused)).toBe('provider_cancelled');
  });

  it('comes back to our own address only', async () => {
    const { body } = await app.agent().post('/api/login/provider').send({ provider: 'google' }).expect(200);
    const { searchParams } = new URL((body as { url: string }).url);
    expect(searchParams.get('redirect_uri')).toBe(`${app.context.env.appUrl}/auth/google`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    const elsewhere = { provider: 'google', returnTo: 'https://evil.example' };
    await app.agent().post('/api/login/provider').send(elsewhere).expect(400);
  });
});

describe('a connected account', () => {
  it('still has its second factor asked, and only that is proof', async () => {
    const { agent, user } = await connected('microsoft');
    const { secret } = await enrolApp(agent);
    const later = app.agent();
    expect((await arrive(later, 'microsoft', user.email)).body).toEqual({
      secondFactor: { app: true, passkey: false },
    });
    await later.get('/api/user').expect(401);
    await later
      .post('/api/login/code')
      .send({ code: codeOf(secret) })
      .expect(200);
    await later.post('/api/user/recovery-codes').expect(200);
  });

  it('is no proof for a dangerous act by itself', async () => {
    const { user } = await connected('google');
    const agent = app.agent();
    await arrive(agent, 'google', user.email);
    expect(codeIn(await agent.post('/api/user/email-change').send({ email: 'a@b.example' }))).toBe('proof_needed');
    await agent.post('/api/user/proof').send({ password }).expect(200);
    await agent.post('/api/user/email-change').send({ email: 'a@b.example' }).expect(200);
  });

  it('signs no suspended person in', async () => {
    const { user } = await connected('google');
    await app.context.db
      .update(users)
      .set({ suspendedAt: new Date(), suspendedFor: 'A test' })
      .where(eq(users.id, user.id));
    expect(codeIn(await arrive(app.agent(), 'google', user.email))).toBe('account_suspended');
  });

  it('signs no administrator in, who was one before or became one', async () => {
    const admin = await createAdmin(app.context);
    outside.says(admin.email, firm.google);
    const agent = app.agent();
    expect(codeIn(await arrive(agent, 'google', admin.email))).toBe('admin_by_password');
    await agent.post('/api/login').send({ email: admin.email, password }).expect(200);
    expect((await agent.get('/api/user/identities')).body).toMatchObject({ identities: [] });
    const { user } = await connected('google');
    await app.context.db.update(users).set({ isAdmin: true }).where(eq(users.id, user.id));
    expect(codeIn(await arrive(app.agent(), 'google', user.email))).toBe('admin_by_password');
    await app.context.db.update(users).set({ isAdmin: false }).where(eq(users.id, user.id));
  });

  it('is connected from the profile with proof, to its own address only', async () => {
    const { agent, user } = await app.signedIn();
    outside.says(user.email, firm.microsoft);
    outside.says('other@firm.example', firm.microsoft);
    const connect = async (email: string) => {
      const { body } = await agent.post('/api/user/identities').send({ provider: 'microsoft' }).expect(200);
      return finishAt(agent, 'microsoft', await chooseAt((body as { url: string }).url, email));
    };
    expect(codeIn(await connect('other@firm.example'))).toBe('other_address');
    expect((await connect(user.email)).body).toMatchObject({ id: user.id });
    const { body } = await agent.get('/api/user/identities').expect(200);
    const [{ id }] = (body as { identities: [{ id: string }] }).identities;
    await agent.delete(`/api/user/identities/${id}`).expect(200);
    expect((await arrive(app.agent(), 'microsoft', user.email)).body).toHaveProperty('connect');
    await agent.delete(`/api/user/identities/${id}`).expect(404);
  });

  it('goes with the address, which a practice that was left may keep', async () => {
    const { agent, user } = await connected('google');
    const email = `next-${user.email}`;
    await agent.post('/api/user/email-change').send({ email }).expect(200);
    const token = /token=([\w-]+)/.exec((await mailTo(email, 'email-change')).textBody)![1];
    await agent.post('/api/confirm-email-change').send({ token }).expect(200);
    expect((await arrive(app.agent(), 'google', user.email)).body).toMatchObject({ connect: { hasAccount: false } });
  });

  it('goes when the owner takes the account back, if it was connected since', async () => {
    const { user } = await connected('google');
    const old = await connected('google');
    const before = { createdAt: new Date(Date.now() - 73 * 3_600_000) };
    await app.context.db.update(identities).set(before).where(eq(identities.userId, old.user.id));
    for (const { email } of [user, old.user]) {
      await app.agent().post('/api/forgot-password').send({ email }).expect(200);
      const token = /token=([\w-]+)/.exec((await mailTo(email, 'password-reset')).textBody)![1];
      await app.agent().post('/api/reset-password').send({ token, password: 'Brave-Otter-42' }).expect(200);
    }
    expect((await arrive(app.agent(), 'google', user.email)).body).toHaveProperty('connect');
    expect((await arrive(app.agent(), 'google', old.user.email)).body).toMatchObject({ id: old.user.id });
  });
});

describe('a team that asks for its Microsoft account', () => {
  it('opens its tools in sessions that began with one of its organisation, and in no others', async () => {
    const { agent: owner, user } = await connected('microsoft');
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
    const subscription = { toolId: 'file-note-ai', trial: true, teamId: team.id };
    await owner.post('/api/create-subscription').send(subscription).expect(200);
    const path = `/api/teams/${team.id}/microsoft`;
    const [, member] = (await owner.get(`/api/teams/${team.id}/members`)).body as { user: { email: string } }[];
    const { email } = member!.user;
    const launch = (agent: Agent) => agent.post('/api/auth/token').send({ toolId: 'file-note-ai' });
    const { agent: byPassword } = await app.signIn(email);
    const { token } = (await launch(byPassword).expect(200)).body as { token: string };
    const secret = await makeSecret(app, 'file-note-ai');
    const introspect = () =>
      app.agent().post('/api/tools/introspect').auth('file-note-ai', secret).type('form').send({ token }).expect(200);

    await byPassword.put(path).send({ required: true }).expect(403);
    await owner.put(path).send({ required: true }).expect(200);
    expect((await mailTo(email, 'team-microsoft-demanded')).subject).toContain('asks you to sign in with Microsoft');
    expect((await byPassword.get('/api/user/identities')).body).toMatchObject({ demandedBy: [team.name] });
    expect(codeIn(await launch(byPassword).expect(403))).toBe('team_microsoft_required');
    expect((await introspect()).body).toEqual({ active: false });
    await launch(owner).expect(200);

    // Another organisation's account does not do, nor does a password once the right one is connected.
    outside.says(email, { ...firm.microsoft, tid: 'another-firm' });
    await arrive(byPassword, 'microsoft', email);
    await byPassword.post('/api/login').send({ email, password }).expect(200);
    expect(codeIn(await launch(byPassword).expect(403))).toBe('team_microsoft_required');
    outside.says(email, firm.microsoft);
    const { agent: later } = await app.signIn(email);
    const {
      identities: [wrong],
    } = (await later.get('/api/user/identities')).body as { identities: [{ id: string }] };
    await later.delete(`/api/user/identities/${wrong.id}`).expect(200);
    await arrive(later, 'microsoft', email);
    await later.post('/api/login').send({ email, password }).expect(200);
    await launch(later).expect(200);
    expect((await later.get('/api/user/identities')).body).toMatchObject({ demandedBy: [] });
    const { agent: again } = await app.signIn(email);
    expect(codeIn(await launch(again).expect(403))).toBe('team_microsoft_required');
    await arrive(again, 'microsoft', email);
    await launch(again).expect(200);

    await owner.put(path).send({ required: false }).expect(200);
    await launch(byPassword).expect(200);
  });

  it('takes the organisation from the owner’s own session', async () => {
    const { agent, user } = await connected('google');
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const ask = () => agent.put(`/api/teams/${team.id}/microsoft`).send({ required: true });
    expect(codeIn(await ask().expect(409))).toBe('tenant_unknown');
    const personal = await connected('microsoft', { tid: '9188040d-6c67-4b5d-b112-36a304b66dad', xms_edov: true });
    const theirs = await createTeam(app.context, { ownerId: personal.user.id });
    const refused = await personal.agent.put(`/api/teams/${theirs.team.id}/microsoft`).send({ required: true });
    expect(codeIn(refused)).toBe('tenant_unknown');
  });
});

it('takes Microsoft’s issuer for the one of the organisation that the token names, and for no other', async () => {
  const entra = 'https://login.microsoftonline.com';
  const local = `${outside.url}/microsoft`;
  const { MICROSOFT_CLIENT_ID = '', MICROSOFT_CLIENT_SECRET = '' } = outside.variables;
  const theirs = await startTestApp({ MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET });
  await outside.serve(theirs.context.env.appUrl);
  const real = globalThis.fetch;
  /** Microsoft as it is: one address for everybody, whose issuer has a place for the organisation. */
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const path = url.replace(entra, '').replace('/common/v2.0', '');
    if (!url.startsWith(entra)) return real(input, init);
    const answer = await real(local + path, init);
    if (!path.startsWith('/.well-known/')) return answer;
    const metadata = JSON.parse((await answer.text()).replaceAll(local, entra)) as object;
    const own = { issuer: `${entra}/{tenantid}/v2.0`, authorization_response_iss_parameter_supported: false };
    return Response.json({ ...metadata, ...own });
  };
  const answerWith = async (claims: object) => {
    outside.tamperWith((token) => signed(outside.keys.privateKey, { ...claimsIn(token), ...claims }));
    const agent = theirs.agent();
    const { body } = await agent.post('/api/login/provider').send({ provider: 'microsoft' }).expect(200);
    const query = await chooseAt((body as { url: string }).url.replace(entra, local), 'ada@firm.example');
    const answer = new URLSearchParams(query);
    answer.delete('iss');
    return finishAt(agent, 'microsoft', answer.toString());
  };
  try {
    outside.says('ada@firm.example', firm.microsoft);
    expect((await answerWith({ iss: `${entra}/a-firm/v2.0` })).body).toHaveProperty('connect');
    expect(codeIn(await answerWith({ iss: `${entra}/another-firm/v2.0` }))).toBe('provider_refused');
    expect(codeIn(await answerWith({ iss: `${entra}/{tenantid}/v2.0` }))).toBe('provider_refused');
    expect(codeIn(await answerWith({ iss: `${entra}/a-firm/v2.0`, tid: undefined }))).toBe('provider_refused');
  } finally {
    globalThis.fetch = real;
    await theirs.stop();
    await outside.serve(app.context.env.appUrl);
  }
});

it('is off without its configuration', async () => {
  const plain = await startTestApp();
  await plain.agent().post('/api/login/provider').send({ provider: 'google' }).expect(404);
  await plain.stop();
});
