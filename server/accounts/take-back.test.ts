import { and, desc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { passwordResetTokens, sessions, users } from '#shared/schema/accounts.ts';
import { bookkeepers } from '#shared/schema/books.ts';
import { rememberedDevices, secondFactors } from '#shared/schema/factors.ts';
import { mails } from '#shared/schema/notifications.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens, toolSecrets } from '#shared/schema/tools.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { codeOf, enrolApp } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp({ PARTNER_EMAIL_DOMAINS: 'partner.example' });
const fresh = 'Brave-Otter-42';
const codeIn = (answer: { body: unknown }) => (answer.body as { code?: string }).code;

/** The token of the newest mail to this address with a link to that page. */
async function linkTo(email: string, path: string): Promise<string> {
  await app.context.queue.drain();
  const all = await app.context.db
    .select()
    .from(mails)
    .where(eq(mails.toAddress, email))
    .orderBy(desc(mails.createdAt));
  const link = all.map(({ textBody }) => new RegExp(`${path}\\?token=([\\w-]+)`).exec(textBody)?.[1]);
  return link.find((token) => token !== undefined) ?? 'no mail';
}
const factorsOf = async (userId: string) =>
  (await app.context.db.select().from(secondFactors).where(eq(secondFactors.userId, userId))).map(({ name }) => name);
const login = (email: string, typed: string) => app.agent().post('/api/login').send({ email, password: typed });

/** Moves a factor of this name four days into the past, when its owner could still object to it. */
const age = (name: string) =>
  app.context.db
    .update(secondFactors)
    .set({ createdAt: new Date(Date.now() - 4 * 86_400_000) })
    .where(eq(secondFactors.name, name));

async function resetByMail(email: string): Promise<void> {
  await app.agent().post('/api/forgot-password').send({ email }).expect(200);
  const token = await linkTo(email, '/reset-password');
  await app.agent().post('/api/reset-password').send({ token, password: fresh }).expect(200);
}

async function moveAddress(agent: Agent, to: string): Promise<void> {
  await agent.post('/api/user/email-change').send({ email: to }).expect(200);
  await agent
    .post('/api/confirm-email-change')
    .send({ token: await linkTo(to, '/change-email') })
    .expect(200);
}

/** An API key to a tool, made by an administrator. */
async function makeKey(agent: Agent, userId: string): Promise<string> {
  await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
  const admin = await administrator(app);
  await admin.post('/api/admin/generate-api-key', { userId, toolId: 'file-note-ai' }).expect(201);
  const [key] = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, userId));
  return key!.id;
}
const isRevoked = async (keyId: string) =>
  (await app.context.db.select().from(authTokens).where(eq(authTokens.id, keyId)))[0]!.isRevoked;

describe('whoever undoes a change of address', () => {
  it('is alone in the account, though the thief had added a factor before the change', async () => {
    const { agent: thief, user } = await app.signedIn();
    const { secret } = await enrolApp(thief, 'Of the thief');
    await moveAddress(thief, `thief-${user.id}@elsewhere.example`);
    const undone = await app
      .agent()
      .post('/api/undo-email-change')
      .send({ token: await linkTo(user.email, '/undo-email-change') })
      .expect(200);
    expect(await factorsOf(user.id)).toEqual([]);
    await thief.get('/api/user').expect(401);
    await login(user.email, password).expect(401);

    // The answer leads on: a new password is chosen there and then.
    const { token } = undone.body as { token: string };
    expect(token).toBe(await linkTo(user.email, '/reset-password'));
    await app.agent().post('/api/reset-password').send({ token, password: fresh }).expect(200);
    const owner = await login(user.email, fresh).expect(200);
    expect(owner.body).toMatchObject({ id: user.id });
    expect(secret).toBeTruthy();
  });
});

describe('a reset by mail', () => {
  it('ends what was made lately: factor, recovery codes, device, key, launch, and a change of address', async () => {
    const { agent: thief, user } = await app.signedIn();
    const key = await makeKey(thief, user.id);
    const { secret } = await enrolApp(thief, 'Of the thief');
    const device = app.agent();
    await device.post('/api/login').send({ email: user.email, password }).expect(200);
    await device
      .post('/api/login/code')
      .send({ code: codeOf(secret), remember: true })
      .expect(200);
    await thief
      .post('/api/user/email-change')
      .send({ email: `thief-${user.id}@elsewhere.example` })
      .expect(200);
    await resetByMail(user.email);
    expect(await factorsOf(user.id)).toEqual([]);
    expect(await app.context.db.$count(rememberedDevices, eq(rememberedDevices.userId, user.id))).toBe(0);
    expect(await isRevoked(key)).toBe(true);
    await thief.get('/api/user').expect(401);
    const signedIn = app.agent();
    await signedIn.post('/api/login').send({ email: user.email, password: fresh }).expect(200);
    expect((await signedIn.get('/api/user/email-change').expect(200)).body).toBeNull();
    expect((await signedIn.get('/api/user/factors').expect(200)).body).toMatchObject({ recoveryCodesLeft: 0 });
  });

  it('ends the copies of invoices that were asked for lately, a practice’s too, and no older ones', async () => {
    const { agent: thief, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const ask = (teamId?: string) =>
      thief
        .put('/api/billing/bookkeeper')
        .send({ email: `books-${user.id}@elsewhere.example`, teamId })
        .expect(200);
    const left = async () =>
      (await app.context.db.select().from(bookkeepers)).filter(({ userId, teamId }) =>
        [userId, teamId].some((id) => id === user.id || id === team.id),
      );
    await ask();
    await ask(team.id);
    await resetByMail(user.email);
    expect(await left()).toEqual([]);

    const agent = app.agent();
    await agent.post('/api/login').send({ email: user.email, password: fresh }).expect(200);
    await agent
      .put('/api/billing/bookkeeper')
      .send({ email: `books-${user.id}@accountant.example` })
      .expect(200);
    await app.context.db.update(bookkeepers).set({ askedAt: new Date(Date.now() - 4 * 86_400_000) });
    await resetByMail(user.email);
    expect(await left()).toHaveLength(1);
  });

  it('takes back a hand-over of a practice that was offered lately, no older one, and tells who was asked', async () => {
    const { agent: thief, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const accomplice = await app.signedIn({ membershipType: 'team' });
    const path = `/api/teams/${team.id}/hand-over`;
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: accomplice.user.id, role: 'member' });
    await thief.post(`/api/teams/${team.id}/transfer`).send({ userId: accomplice.user.id }).expect(200);
    await resetByMail(user.email);
    const accept = () => accomplice.agent.post(path).send({ totalCents: 0, owedCents: 0 });
    expect(codeIn(await accept().expect(409))).toBe('not_offered');
    const [told] = await app.context.db
      .select()
      .from(mails)
      .where(and(eq(mails.toAddress, accomplice.user.email), eq(mails.kind, 'team-hand-over-ended')));
    expect(told!.textBody).toContain('Its owner stays the same.');

    const offered = { offeredToId: accomplice.user.id, offeredAt: new Date(Date.now() - 4 * 86_400_000) };
    await app.context.db.update(teams).set(offered).where(eq(teams.id, team.id));
    await resetByMail(user.email);
    await accept().expect(200);
  });

  it('revokes the secrets of tools that were made lately, no older ones, and names them to the maker', async () => {
    const { agent: thief, user } = await app.signedIn();
    const wanted = {
      name: 'Fee Finder AI',
      description: 'It finds fees.',
      domain: 'http://localhost:9/',
      eventsUrl: '',
      scopes: ['name'],
    };
    const made = (await thief.post('/api/developers/tools').send(wanted).expect(201)).body as {
      tool: { id: string };
      secret: string;
    };
    await app.context.db.update(toolSecrets).set({ createdAt: new Date(Date.now() - 4 * 86_400_000) });
    const secrets = `/api/developers/tools/${made.tool.id}/secrets`;
    const late = (await thief.post(secrets).send({ kind: 'call', name: 'Of the thief' }).expect(201)).body as {
      secret: string;
    };
    await resetByMail(user.email);
    const isKnown = async (secret: string) => {
      const asked = app.agent().post('/api/tools/introspect').auth(made.tool.id, secret).type('form');
      return (await asked.send({ token: 'none' })).status;
    };
    expect(await isKnown(late.secret)).toBe(401);
    expect(await isKnown(made.secret)).toBe(200);
    await app.context.queue.drain();
    const told = await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email));
    expect(told.map(({ textBody }) => textBody).join('\n')).toContain(
      'We revoked “Of the thief”, a secret of Fee Finder AI',
    );
    await resetByMail(user.email);
    expect(await isKnown(made.secret)).toBe(200);
  });

  it('does not replace a factor that its owner has had for days: the mailbox alone opens nothing', async () => {
    const { agent, user } = await app.signedIn();
    await enrolApp(agent, `Kept ${user.id}`);
    await age(`Kept ${user.id}`);
    await resetByMail(user.email);
    expect((await login(user.email, fresh).expect(200)).body).toMatchObject({ secondFactor: { app: true } });
  });

  it('frees an address that was taken hostage, and verifies it (better-auth#11260, dust#12460)', async () => {
    const user = await createUser(app.context, {
      email: `hostage-${Date.now()}@partner.example`,
      emailVerified: false,
    });
    const { agent: attacker } = await app.signIn(user.email);
    // As it was while an unproved address could still enrol: long ago, even.
    await app.context.db.insert(secondFactors).values({
      userId: user.id,
      kind: 'passkey',
      name: `Hostage ${user.id}`,
      credentialId: user.id,
      publicKey: 'none',
    });
    await age(`Hostage ${user.id}`);
    await app.context.db.update(users).set({ hasSecondFactor: true }).where(eq(users.id, user.id));
    await resetByMail(user.email);
    await attacker.get('/api/user').expect(401);
    expect(await factorsOf(user.id)).toEqual([]);
    await login(user.email, password).expect(401);
    expect((await login(user.email, fresh).expect(200)).body).toMatchObject({
      id: user.id,
      emailVerified: true,
      membershipType: 'shaw_partners',
    });
  });

  it('is one by mail only: the token of a demanded change proves no mailbox', async () => {
    const { agent, user } = await app.signedIn();
    const { secret } = await enrolApp(agent, 'Lately');
    const admin = await administrator(app);
    await admin.post('/api/admin/demand-password', { userId: user.id, reason: 'A test' }).expect(200);
    const browser = app.agent();
    await browser.post('/api/login').send({ email: user.email, password }).expect(200);
    const reply = await browser.post('/api/login/code').send({ code: codeOf(secret) });
    const { token } = (reply.body as { newPassword: { token: string } }).newPassword;
    await app.agent().post('/api/reset-password').send({ token, password: fresh }).expect(200);
    expect(await factorsOf(user.id)).toEqual(['Lately']);
    // The link that the demand mailed ended with the sign-in.
    const live = and(eq(passwordResetTokens.userId, user.id), eq(passwordResetTokens.used, false));
    expect(await app.context.db.$count(passwordResetTokens, live)).toBe(0);
  });

  it('after an administrator moved the address keeps the factor that the old one had', async () => {
    const { agent, user } = await app.signedIn();
    await enrolApp(agent, `Moved ${user.id}`);
    await age(`Moved ${user.id}`);
    const admin = await administrator(app);
    const email = `moved-${user.id}@practice.example`;
    await admin.post(`/api/admin/users/${user.id}/email`, { email, reason: 'A test' }).expect(200);
    await resetByMail(email);
    expect(await factorsOf(user.id)).toEqual([`Moved ${user.id}`]);
  });
});

describe('an account whose address is not proved', () => {
  it.each(['app/begin', 'app', 'passkey/begin', 'passkey'])('is refused POST /api/user/factors/%s', async (call) => {
    const { agent } = await app.signedIn({ emailVerified: false });
    const refused = await agent
      .post(`/api/user/factors/${call}`)
      .send(call === 'app' ? { name: 'Phone', code: '123456' } : {});
    expect([refused.status, codeIn(refused)]).toEqual(
      call === 'passkey' ? [400, 'invalid_input'] : [403, 'verify_first'],
    );
  });
});

describe('a request to remove somebody’s factors', () => {
  const asked = async () => {
    const { agent, user } = await app.signedIn();
    const { secret } = await enrolApp(agent);
    const admin = await administrator(app);
    await admin.post('/api/admin/reset-factors', { userId: user.id }).expect(200);
    return { agent, user, secret, token: await linkTo(user.email, '/stop-factor-reset') };
  };
  const stop = (agent: Agent, token?: string) => agent.post('/api/user/factor-reset/stop').send({ token });

  it('is stopped with a factor and the mailed link, once', async () => {
    const { agent, token } = await asked();
    await stop(agent, token).expect(200);
    expect(codeIn(await stop(agent, token).expect(409))).toBe('no_factor_reset');
  });

  it('is not stopped by a factor without the mailbox', async () => {
    const { agent } = await asked();
    await stop(agent).expect(400);
    expect(codeIn(await stop(agent, 'guessed').expect(409))).toBe('no_factor_reset');
    const other = await asked();
    expect(codeIn(await stop(agent, other.token).expect(409))).toBe('no_factor_reset');
  });

  it('is not stopped by the mailbox without a factor', async () => {
    const { agent, user, token } = await asked();
    await app.context.db
      .update(sessions)
      .set({ sess: sql`(${sessions.sess}::jsonb - 'provenAt')` })
      .where(eq(sessions.userId, user.id));
    expect(codeIn(await stop(agent, token).expect(403))).toBe('proof_needed');
    await stop(app.agent(), token).expect(401);
  });
});
