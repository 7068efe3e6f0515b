import { and, asc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToldBill } from '#shared/api/billing.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  live,
  pass,
  passTo,
  providerSubscriptions,
  shown,
} from '#server/testing/purchases.ts';
import { codeOf as codeShown, enrolApp } from '#server/testing/second-factor.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

// Months pass in these tests.
vi.setConfig({ testTimeout: 120_000 });

const tool = 'risk-profile-ai';
const app = freshTestApp();
let admin: Awaited<ReturnType<typeof administrator>>;
let secret: string;
beforeEach(async () => {
  admin = await administrator(app);
  secret = await makeSecret(app, tool);
});

const reason = 'Reports of misuse';
const suspend = (userId: string, rest: object = {}, by = admin) =>
  by.post('/api/admin/suspend', { userId, reason, ...rest });
const reinstate = (userId: string) => admin.post('/api/admin/reinstate', { userId, reason: 'Cleared up' });
const login = (email: string, typed = password) => app.agent().post('/api/login').send({ email, password: typed });
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;
const mailsTo = async (address: string, kind: string) =>
  (
    await app.context.db
      .select()
      .from(mails)
      .where(and(eq(mails.toAddress, address), eq(mails.kind, kind)))
      .orderBy(asc(mails.createdAt))
  ).map(({ textBody }) => textBody ?? '');
const lastAudit = async (userId: string, action: string) =>
  (
    await app.context.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, userId), eq(auditLog.action, action)))
  ).at(-1);
const introspect = async (token: string) =>
  (await app.agent().post('/api/tools/introspect').auth(tool, secret).type('form').send({ token }).expect(200))
    .body as {
    active: boolean;
    session_id?: string;
  };
const launchOf = async (agent: Agent) =>
  ((await agent.post('/api/auth/token').send({ toolId: tool }).expect(200)).body as { token: string }).token;

describe('a suspended person', () => {
  it('is out at once, on every way in, and reads why', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const used = await introspect(await launchOf(agent));
    const unused = await launchOf(agent);
    const generated = await admin.post('/api/admin/generate-api-key', { userId: user.id, toolId: tool }).expect(201);
    const { apiKey } = generated.body as { apiKey: string };
    expect((await introspect(apiKey)).active).toBe(true);

    await suspend(user.id).expect(200);
    await agent.get('/api/user').expect(401);
    expect((await introspect(unused)).active).toBe(false);
    expect((await introspect(apiKey)).active).toBe(false);
    const session = await app.agent().get(`/api/tools/sessions/${used.session_id!}`).auth(tool, secret).expect(200);
    expect(session.body).toMatchObject({ access: false });
    expect(codeOf(await login(user.email).expect(403))).toBe('account_suspended');
    expect(codeOf(await login(user.email, 'Wrong-Horse-7').expect(401))).toBe('invalid_credentials');
    expect(await mailsTo(user.email, 'account-suspended')).toEqual([expect.stringContaining(reason)]);
    expect(await lastAudit(user.id, 'admin.user_suspended')).toMatchObject({
      actorId: admin.user.id,
      after: { reason, charges: 'are paused', apiKeys: 1 },
    });
    expect(await lastAudit(user.id, 'account.sign_in_refused')).toMatchObject({ actorId: null });
    const again = { userId: user.id, toolId: tool };
    expect(codeOf(await admin.post('/api/admin/generate-api-key', again).expect(409))).toBe('already_suspended');

    await reinstate(user.id).expect(200);
    await agent.get('/api/user').expect(401);
    await login(user.email).expect(200);
    expect((await introspect(apiKey)).active).toBe(false);
    expect(await mailsTo(user.email, 'account-reinstated')).toEqual([
      expect.stringContaining('charge $30.00 to your Visa'),
    ]);
    const { body: page } = await admin.agent.get(`/api/admin/users/${user.id}/told`).expect(200);
    expect((page as { told: ToldBill[] }).told.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['account-suspended', 'account-reinstated']),
    );
  });

  it('gets no new password by a link, old or new', async () => {
    const { user } = await app.signedIn();
    const link = async () => {
      await app.agent().post('/api/forgot-password').send({ email: user.email }).expect(200);
      await app.context.queue.drain();
    };
    await link();
    const token = /token=([\w-]+)/.exec((await mailsTo(user.email, 'password-reset'))[0]!)![1]!;
    await suspend(user.id).expect(200);
    const reset = () => app.agent().post('/api/reset-password').send({ token, password: 'Another-Horse-8' });
    expect(codeOf(await reset().expect(403))).toBe('account_suspended');
    await link();
    expect(await mailsTo(user.email, 'password-reset')).toHaveLength(1);
    expect(await mailsTo(user.email, 'still-suspended')).toHaveLength(1);
    await reinstate(user.id).expect(200);
    await reset().expect(200);
  });

  it('is refused at the first step, whatever the second would be', async () => {
    const { agent, user } = await app.signedIn();
    const { secret: shared } = await enrolApp(agent);
    const half = app.agent();
    await half.post('/api/login').send({ email: user.email, password }).expect(200);
    await suspend(user.id).expect(200);
    expect(
      codeOf(
        await half
          .post('/api/login/code')
          .send({ code: codeShown(shared) })
          .expect(401),
      ),
    ).toBe('sign_in_again');
    expect(codeOf(await login(user.email).expect(403))).toBe('account_suspended');
  });

  it('keeps the tools of a team they own open for its members, which the team pays', async () => {
    const { agent, user: owner } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.id });
    await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
    await suspend(owner.id).expect(200);
    await pass(app, 32 * DAY);
    expect(await collected(app, team.id)).toBe(6000);
    await reinstate(owner.id).expect(200);
  });
});

describe('a payer who is suspended', () => {
  const forecast = async (userId: string) =>
    (await admin.agent.get(`/api/admin/users/${userId}/forecast`).expect(200)).body as {
      bill: { totalCents: number; lines: { discounts: { kind: string }[] }[] } | null;
    };
  it('is charged, told and reminded of nothing; once reinstated, the next bill is charged', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await suspend(user.id).expect(200);
    await app.context.queue.drain();
    expect((await forecast(user.id)).bill).toMatchObject({
      totalCents: 0,
      lines: [{ discounts: [{ kind: 'suspended' }] }],
    });
    await live(app, 33 * DAY);
    await pass(app, 31 * DAY);
    expect(await collected(app, user.id)).toBe(3000);
    expect(await mailsTo(user.email, 'renewal-reminder')).toEqual([]);
    await reinstate(user.id).expect(200);
    await app.context.queue.drain();
    expect((await forecast(user.id)).bill).toMatchObject({ totalCents: 3000 });
    const back = await app.signIn(user.email);
    const row = (await shown(back.agent, tool))!;
    expect(row).toMatchObject({ status: 'active', hasAccess: true });
    await passTo(app, row.endDate!, -2 * DAY);
    await passTo(app, row.endDate!, DAY / 8);
    expect(await collected(app, user.id)).toBe(6000);
    expect(await mailsTo(user.email, 'renewal-reminder')).not.toEqual([]);
  });

  it('is not charged a bill that waits as a draft', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await passTo(app, (await shown(agent, tool))!.endDate!, 60_000);
    await suspend(user.id).expect(200);
    await app.context.queue.drain();
    await pass(app, DAY);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('is not asked for arrears again, and the subscription outlives them', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const { stripe } = app.context.payments;
    const { id, customer } = (await providerSubscriptions(app, user.id))[0]! as { id: string; customer: string };
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await stripe.subscriptions.update(id, { default_payment_method: bad.id });
    await passTo(app, (await shown(agent, tool))!.endDate!, DAY / 8);
    expect(await shown(agent, tool)).toMatchObject({ status: 'grace_period' });
    await suspend(user.id).expect(200);
    await app.context.queue.drain();
    await pass(app, 10 * DAY);
    expect((await providerSubscriptions(app, user.id))[0]).toMatchObject({ status: 'active' });
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('ends a trial with a card without a charge, and an open purchase is withdrawn', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    const { body } = await agent.post('/api/billing/setup-intent').send({}).expect(200);
    const { clientSecret } = body as { clientSecret: string };
    await confirm(app, clientSecret, 'pm_card_visa');
    const setupIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
    await agent.post('/api/billing/payment-method').send({ setupIntentId }).expect(200);
    await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    await suspend(user.id).expect(200);
    await app.context.queue.drain();
    await pass(app, 29.5 * DAY);
    await pass(app, 10 * DAY);
    expect(await collected(app, user.id)).toBe(0);
    const statuses = (await providerSubscriptions(app, user.id)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 'active')).toEqual(['incomplete_expired']);
  });

  it('goes on paying where the administrator chose so, and gets the reminders', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await suspend(user.id, { keepCharging: true }).expect(200);
    await pass(app, 29 * DAY);
    await pass(app, 3 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
    expect(await mailsTo(user.email, 'renewal-reminder')).not.toEqual([]);
    expect((await mailsTo(user.email, 'account-suspended'))[0]).toContain('are charged as before');
  });

  it('leaves a pause alone that somebody made in Stripe’s dashboard', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const { id } = (await providerSubscriptions(app, user.id))[0]!;
    await app.context.payments.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    await pass(app, 2 * DAY);
    expect((await providerSubscriptions(app, user.id))[0]!.pause_collection).not.toBeNull();
  });
});

describe('an administrator who suspends', () => {
  it('can suspend neither themselves nor somebody twice; two at once suspend once', async () => {
    expect(codeOf(await suspend(admin.user.id).expect(409))).toBe('suspends_self');
    const { user } = await app.signedIn();
    expect(codeOf(await reinstate(user.id).expect(409))).toBe('not_suspended');
    const answers = await Promise.all([suspend(user.id), suspend(user.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await mailsTo(user.email, 'account-suspended')).toHaveLength(1);
    expect(codeOf(await suspend('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b').expect(404))).toBe('user_not_found');
    const noReason = await admin.post('/api/admin/suspend', { userId: user.id, reason: ' ' }).expect(400);
    expect((noReason.body as { fields: object }).fields).toHaveProperty('reason');
  });

  it('can’t suspend the last administrator, even where two suspend each other', async () => {
    const other = await administrator(app);
    const answers = await Promise.all([suspend(other.user.id), suspend(admin.user.id, {}, other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const open = await app.context.db.select().from(users).where(eq(users.isAdmin, true));
    expect(open.filter(({ suspendedAt }) => suspendedAt === null)).toHaveLength(1);
    admin = answers[0].status === 200 ? admin : other;
  });
});

describe('a new password that an administrator demands', () => {
  const demand = (userId: string) => admin.post('/api/admin/demand-password', { userId, reason: 'Found on a list' });
  const reset = (token: string, typed: string) =>
    app.agent().post('/api/reset-password').send({ token, password: typed });

  it('ends the sessions; the sign-in then asks for one that differs from the present', async () => {
    const { agent, user } = await app.signedIn();
    await demand(user.id).expect(200);
    await agent.get('/api/user').expect(401);
    const browser = app.agent();
    const { body } = await browser.post('/api/login').send({ email: user.email, password }).expect(200);
    const { token } = (body as { newPassword: { token: string } }).newPassword;
    await browser.get('/api/user').expect(401);
    const same = await reset(token, password).expect(400);
    expect((same.body as { fields: object }).fields).toHaveProperty('password');
    await reset(token, 'Another-Horse-8').expect(200);
    expect((await login(user.email, 'Another-Horse-8').expect(200)).body).toMatchObject({ email: user.email });
    expect(await mailsTo(user.email, 'password-demanded')).toEqual([expect.stringContaining('Found on a list')]);
  });

  it('comes with a link to choose one, which the present password does not need', async () => {
    const { user } = await app.signedIn();
    await demand(user.id).expect(200);
    const [mail] = await mailsTo(user.email, 'password-reset');
    const token = /token=([\w-]+)/.exec(mail!)![1]!;
    await reset(token, 'Fresh-Start-2026').expect(200);
    await login(user.email).expect(401);
    expect((await login(user.email, 'Fresh-Start-2026').expect(200)).body).toMatchObject({ email: user.email });
  });

  it('of a suspended account mails no link, and says when it can be chosen', async () => {
    const { user } = await app.signedIn();
    await admin.post('/api/admin/suspend', { userId: user.id, reason: 'Misuse' }).expect(200);
    await demand(user.id).expect(200);
    expect(await mailsTo(user.email, 'password-reset')).toEqual([]);
    expect(await mailsTo(user.email, 'password-demanded')).toEqual([
      expect.stringContaining('Once your account is open again, sign in with your current password'),
    ]);
  });

  it('is asked for after the second factor, and ends a sign-in that is half done', async () => {
    const { agent, user } = await app.signedIn();
    const { secret: shared } = await enrolApp(agent);
    await demand(user.id).expect(200);
    const browser = app.agent();
    const first = await browser.post('/api/login').send({ email: user.email, password }).expect(200);
    expect(first.body).toEqual({ secondFactor: { app: true, passkey: false } });
    const second = await browser
      .post('/api/login/code')
      .send({ code: codeShown(shared) })
      .expect(200);
    expect(second.body).toEqual({ newPassword: { token: expect.any(String) as string } });
    await browser.get('/api/user').expect(401);
    await browser
      .post('/api/login/code')
      .send({ code: codeShown(shared, 1) })
      .expect(401);
  });
});

it('an administrator can end every session of a person, with a reason', async () => {
  const { agent, user } = await app.signedIn();
  await admin.post('/api/admin/end-sessions', { userId: user.id, reason: 'Lost laptop' }).expect(200);
  await agent.get('/api/user').expect(401);
  await login(user.email).expect(200);
  expect(await mailsTo(user.email, 'sessions-ended')).toEqual([expect.stringContaining('Lost laptop')]);
  expect(await lastAudit(user.id, 'admin.sessions_ended')).toMatchObject({ after: { reason: 'Lost laptop' } });
});
