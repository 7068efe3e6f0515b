import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { invoices } from '#shared/schema/billing.ts';
import { bookkeepers } from '#shared/schema/books.ts';
import { mails } from '#shared/schema/notifications.ts';
import { toolSubscriptions, trialUses } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { userPayer } from '#server/payers/service.ts';
import { eraseCustomer } from '#server/stripe/customers.ts';
import { createAdmin, createTeam, password } from '#server/testing/factories.ts';
import { startFaultyProvider } from '#server/testing/faulty-provider.ts';
import { buy, confirm, providerSubscriptions } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { closeAccount } from './close-account.ts';

const app = testApp();

const close = (agent: Agent, given: unknown = password, more = {}) =>
  agent.post('/api/user/close-account').send({ password: given, ...more });
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
const slotsOf = (userId: string) =>
  app.context.db
    .select()
    .from(toolSubscriptions)
    .where(and(eq(toolSubscriptions.userId, userId), eq(toolSubscriptions.isActive, true)));

describe('POST /api/user/close-account', () => {
  it('erases the person, signs everything out, and says goodbye by mail', async () => {
    const { agent, user } = await app.signedIn({
      abn: '51824753556',
      afslNumber: '123456',
      professionalCredentials: '["CFP"]',
    });
    const other = (await app.signIn(user.email)).agent;
    const answer = await close(agent).expect(200);
    expect([answer.headers['set-cookie']].flat().join()).toMatch(/sid=; Path=\/; Expires=Thu, 01 Jan 1970/);
    await agent.get('/api/user').expect(401);
    await other.get('/api/user').expect(401);
    await app.agent().post('/api/login').send({ email: user.email, password }).expect(401);

    const row = await rowOf(user.id);
    expect(row.closedAt).not.toBeNull();
    expect(row.email).toBe(`closed-${user.id}@closed.invalid`);
    for (const secret of [
      'Alex',
      'Nguyen',
      '+61412345678',
      '51824753556',
      '123456',
      'Pitt',
      'Sydney',
      'practice',
      user.password,
    ])
      expect(JSON.stringify(row)).not.toContain(secret);
    const [goodbye, ...more] = await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email));
    expect(goodbye).toMatchObject({ subject: 'Your Adviserly account was closed' });
    expect(more).toEqual([]);
    const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, user.id));
    const audited = rows.find(({ action }) => action === 'account.closed');
    expect(audited).toMatchObject({ action: 'account.closed', actorId: user.id });
    expect(JSON.stringify(audited)).not.toMatch(/practice|Nguyen/);
    for (const given of [password, '!', ''])
      await app
        .agent()
        .post('/api/login')
        .send({ email: row.email, password: given })
        .expect((got) => {
          expect([400, 401]).toContain(got.status);
        });
  });

  it('ends what is paid, on trial, free and half bought, here and at the provider, and keeps the invoices', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai', trial: true }).expect(200);
    const open = await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
    expect(await slotsOf(user.id)).toHaveLength(4);
    await close(agent).expect(200);

    expect(await slotsOf(user.id)).toEqual([]);
    const provider = await providerSubscriptions(app, user.id);
    expect(provider).toHaveLength(1);
    for (const { status } of provider) expect(['canceled', 'incomplete_expired']).toContain(status);
    expect((await confirm(app, open.body.clientSecret as string, 'pm_card_visa')).status).toBe(400);
    expect(await app.context.db.select().from(invoices).where(eq(invoices.userId, user.id))).not.toEqual([]);
    await app.context.queue.drain();
    expect(await slotsOf(user.id)).toEqual([]);
  });

  it('ends a purchase a minute later that was under way in another window', async () => {
    const { agent, user } = await app.signedIn();
    await close(agent).expect(200);
    await app.context.db.insert(toolSubscriptions).values({ userId: user.id, toolId: 'risk-profile-ai', revision: 1 });
    await app.context.db.execute(`update pgboss.job set start_after = now() where name = 'end-late-subscriptions'`);
    await app.context.queue.drain();
    expect(await slotsOf(user.id)).toEqual([]);
  });

  it('frees the address, while the trials taken with it stay taken', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: 'risk-profile-ai', trial: true }).expect(200);
    await close(agent).expect(200);
    const anew = { email: user.email, password: 'Brave-Otter-42', firstName: 'Alex', lastName: 'Nguyen' };
    const browser = app.agent();
    const { body } = await browser.post('/api/register').send(anew).expect(201);
    expect(body).not.toMatchObject({ id: user.id });
    await app.context.db
      .update(users)
      .set({ emailVerified: true, profileCompleted: true })
      .where(eq(users.email, user.email));
    const again = await browser
      .post('/api/create-subscription')
      .send({ toolId: 'risk-profile-ai', trial: true })
      .expect(409);
    expect(again.body).toMatchObject({ code: 'trial_used' });
    expect(
      await app.context.db
        .select()
        .from(trialUses)
        .where(eq(trialUses.identity, hashToken(user.email))),
    ).toHaveLength(1);
  });

  it('revokes tokens and forgets reset links', async () => {
    const { agent, user } = await app.signedIn();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await app.context.db
      .insert(authTokens)
      .values({ userId: user.id, token: 'k', toolId: 'risk-profile-ai', kind: 'api_key', expiresAt });
    await agent.post('/api/forgot-password').send({ email: user.email }).expect(200);
    await app.context.queue.drain();
    const [mail] = await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email));
    const token = /token=([\w-]{43})/.exec(mail!.textBody)![1]!;
    await close(agent).expect(200);
    const [key] = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id));
    expect(key!.isRevoked).toBe(true);
    await app.agent().post('/api/reset-password').send({ token, password: 'Brave-Otter-42' }).expect(400);
  });

  it('is refused to the owner of a team until it is closed, and changes nothing', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const answer = await close(agent).expect(409);
    expect(answer.body).toMatchObject({ code: 'owns_team' });
    expect(await rowOf(user.id)).toEqual(user);
    await app.context.db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id));
    await close(agent).expect(200);
  });

  it('erases the customer at the provider, which may be away at first', async () => {
    const { agent, user } = await app.signedIn({ abn: '51824753556' });
    await buy(app, agent, 'risk-profile-ai');
    const { stripe } = app.context.payments;
    const id = (await rowOf(user.id)).stripeCustomerId!;
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: user.email, phone: '+61412345678' });
    await close(agent).expect(200);
    const line = await startFaultyProvider(app.context.payments, app.sandbox!);
    line.set('away');
    await expect(eraseCustomer({ ...app.context, payments: line.payments }, userPayer(user.id))).rejects.toMatchObject({
      code: 'payment_provider_unavailable',
    });
    await line.stop();
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: user.email });

    await app.context.queue.drain();
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: null, name: null, phone: null, address: null });
    expect((await stripe.customers.listTaxIds(id)).data).toEqual([]);
    expect((await stripe.customers.listPaymentMethods(id)).data).toEqual([]);
    expect((await stripe.invoices.list({ customer: id })).data).not.toEqual([]);
  });

  it('erases the customer of a team they closed, and its card', async () => {
    const { agent, user } = await app.signedIn();
    const { stripe } = app.context.payments;
    const { id } = await stripe.customers.create({ name: "Alex's Team", email: user.email });
    await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    await createTeam(app.context, { ownerId: user.id, isActive: false, stripeCustomerId: id });
    await close(agent).expect(200);
    await app.context.queue.drain();
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: null, name: null });
    expect((await stripe.customers.listPaymentMethods(id)).data).toEqual([]);
  });

  it('forgets the goodbye, and with it the address, after a week', async () => {
    const { agent, user } = await app.signedIn();
    await close(agent).expect(200);
    const sent = () => app.context.db.select().from(mails).where(eq(mails.toAddress, user.email));
    const [job] = await app.context.db
      .execute<{ days: number }>(
        `select extract(epoch from start_after - now())::float / 86400 as days from pgboss.job where name = 'forget-goodbye' order by created_on desc limit 1`,
      )
      .then(({ rows }) => rows);
    expect(job!.days).toBeCloseTo(7, 1);
    expect(await sent()).toHaveLength(1);
    await app.context.db.execute(`update pgboss.job set start_after = now() where name = 'forget-goodbye'`);
    await app.context.queue.drain();
    expect(await sent()).toEqual([]);
  });

  it('takes nothing of others from an address that nobody has shown to be theirs', async () => {
    const { db } = app.context;
    const { user: payer } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: payer.id });
    for (const emailVerified of [false, true]) {
      const email = `friend-${emailVerified}@practice.example`;
      const expiresAt = new Date(Date.now() + 3_600_000);
      const invited = { teamId: team.id, email, invitedById: payer.id, token: email, expiresAt };
      await db.insert(teamInvitations).values(invited);
      const asked = { email, token: email, askedAt: new Date() };
      await db
        .insert(bookkeepers)
        .values({ ...asked, ...(emailVerified ? { teamId: team.id } : { userId: payer.id }) });
      await close((await app.signedIn({ email, emailVerified })).agent).expect(200);
      const left = emailVerified ? 0 : 1;
      expect(await db.$count(teamInvitations, eq(teamInvitations.email, email))).toBe(left);
      expect(await db.$count(bookkeepers, eq(bookkeepers.email, email))).toBe(left);
    }
  });

  it('erases what they wrote on cancelling a tool of a practice that is another’s now, and nothing that others wrote', async () => {
    const { db } = app.context;
    const [first, second] = [await app.signedIn(), await app.signedIn()];
    const { team } = await createTeam(app.context, { ownerId: first.user.id });
    await db.insert(teamMembers).values({ teamId: team.id, userId: second.user.id, role: 'admin' });
    const cancels = async ({ agent }: { agent: Agent }, toolId: string, details: string) => {
      await agent.post('/api/create-subscription').send({ toolId, teamId: team.id, trial: true }).expect(200);
      const cancelled = { toolId, teamId: team.id, reason: 'other', details };
      await agent.post('/api/cancel-subscription').send(cancelled).expect(200);
    };
    await cancels(first, 'fact-find-ai', 'Please ring me');
    await db.update(teams).set({ ownerId: second.user.id }).where(eq(teams.id, team.id));
    for (const [{ user }, role] of [
      [first, 'admin'],
      [second, 'owner'],
    ] as const)
      await db.update(teamMembers).set({ role }).where(eq(teamMembers.userId, user.id));
    await cancels(second, 'pre-fill-ai', 'Too slow for us');
    await close(first.agent).expect(200);
    const rows = await db.select().from(toolSubscriptions).where(eq(toolSubscriptions.teamId, team.id));
    expect(rows.flatMap((row) => row.cancellationDetails ?? [])).toEqual(['Too slow for us']);
  });

  it('is refused to the last administrator, so that /setup-admin never opens again', async () => {
    const [one, two] = await Promise.all([createAdmin(app.context), createAdmin(app.context)]);
    const agents = [(await app.signIn(one.email)).agent, (await app.signIn(two.email)).agent];
    const answers = await Promise.all(agents.map((agent) => close(agent)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)!.body).toMatchObject({
      code: 'last_admin',
      message: 'You are the only administrator, so your account cannot be closed.',
    });
    const left = answers[0]!.status === 409 ? agents[0]! : agents[1]!;
    await left.get('/api/user').expect(200);
    const setup = { email: 'again@practice.example', password: 'horse battery staple', firstName: 'A', lastName: 'B' };
    await app.agent().post('/api/setup-admin').send(setup).expect(409);
  });

  it.each([
    ['Wrong-Horse-7', {}, { password: 'Your current password is incorrect.' }],
    ['', {}, { password: 'Password is required' }],
    [password, { userId: 'x' }, { userId: 'Unknown field: userId' }],
  ])('refuses %j %j', async (given, more, fields) => {
    const { agent, user } = await app.signedIn();
    const answer = await close(agent, given, more).expect(400);
    expect((answer.body as { fields: object }).fields).toEqual(fields);
    expect(await rowOf(user.id)).toEqual(user);
  });

  it('closes the account once when five ask at the same moment', async () => {
    const { agent, user } = await app.signedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, () => close(agent)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([]);
    expect((await rowOf(user.id)).authEpoch).toBe(1);
  });

  it('erases nothing while the provider is away; the next try goes on', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const line = await startFaultyProvider(app.context.payments, app.sandbox!);
    line.set('away');
    const { password: _, ...actor } = await rowOf(user.id);
    const away = { ...app.context, payments: line.payments };
    await expect(closeAccount(away, actor, { password })).rejects.toMatchObject({
      code: 'payment_provider_unavailable',
    });
    await line.stop();
    expect((await rowOf(user.id)).closedAt).toBeNull();
    await close(agent).expect(200);
    for (const { status } of await providerSubscriptions(app, user.id)) expect(status).toBe('canceled');
  });
});
