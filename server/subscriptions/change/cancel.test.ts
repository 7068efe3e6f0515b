import { describe, expect, it, vi } from 'vitest';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { startFaultyProvider } from '#server/testing/faulty-provider.ts';
import { buy, collected, DAY, pass, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { startReplica } from '#server/testing/replica.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();

const cancel = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/cancel-subscription').send({ toolId, ...rest });
const reactivate = (agent: Agent, toolId: string) =>
  agent.post('/api/reactivate-subscription').send({ toolId, charge: { cents: 3000, last4: '4242' } });
const autoRenew = (agent: Agent, toolId: string, on: boolean) =>
  agent.patch(`/api/subscriptions/${toolId}/auto-renew`).send({ autoRenew: on });
const daysFromNow = (date: string | null) => (new Date(date!).getTime() - app.context.now().getTime()) / DAY;
const mails = async (email: string) =>
  (await rowsOf(app, 'select kind, text_body as text from mails where to_address = $1', [email])) as {
    kind: string;
    text: string;
  }[];

describe('POST /api/cancel-subscription', () => {
  it('refuses in words a reason that is none', async () => {
    const { agent } = await app.signedIn();
    const { body } = await cancel(agent, 'risk-profile-ai', { reason: 'bored' }).expect(400);
    expect(body.fields).toEqual({ reason: 'Please choose a reason from the list' });
  });

  it('gives access until the end date at period end, charges nothing ever again, and then it is over', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { body } = await cancel(agent, 'risk-profile-ai', { reason: 'not_using', details: 'quiet year' }).expect(200);
    expect(daysFromNow(body.endDate as string)).toBeGreaterThan(27);
    expect(daysFromNow(body.gracePeriodEnd as string) - daysFromNow(body.endDate as string)).toBeCloseTo(7, 3);
    expect(body.subscription).toMatchObject({ status: 'cancelled', hasAccess: true, autoRenew: false });
    const [row] = await rowsOf(app, "select * from tool_subscriptions where user_id = $1 and status = 'cancelled'", [
      user.id,
    ]);
    expect(row).toMatchObject({ cancellation_reason: 'not_using', cancellation_details: 'quiet year' });
    const [stripeSubscription] = await providerSubscriptions(app, user.id);
    expect(stripeSubscription!.cancel_at_period_end).toBe(true);
    expect((await mails(user.email)).find(({ kind }) => kind === 'cancelled')!.text).toMatch(/not be charged/);

    await passTo(app, body.endDate as string, DAY / 2);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'cancelled', hasAccess: false });
    await pass(app, 7 * DAY);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'expired' });
    expect(await shown(agent, 'lost-money-ai')).toMatchObject({ status: 'expired' });
    await pass(app, 40 * DAY);
    expect(await collected(app, user.id)).toBe(3000);
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['canceled']);
  });

  it('ends access, launch tokens and keys at once, leaves seven days to reactivate, and prorates nothing', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const launch = await agent.post('/api/auth/token').send({ toolId: 'risk-profile-ai' }).expect(200);
    const { body } = await cancel(agent, 'risk-profile-ai', { cancelImmediately: true }).expect(200);
    expect(daysFromNow(body.endDate as string)).toBeCloseTo(0, 2);
    expect(daysFromNow(body.gracePeriodEnd as string)).toBeCloseTo(7, 2);
    expect(body.subscription).toMatchObject({ status: 'cancelled', hasAccess: false });
    // The button says so: taking it back costs nothing while the month is paid for.
    expect(daysFromNow((body.subscription as { paidUntil: string }).paidUntil)).toBeGreaterThan(27);
    await agent
      .post('/api/auth/token')
      .send({ toolId: 'risk-profile-ai' })
      .expect(403, /subscription_required/);
    const [token] = await rowsOf(app, 'select is_revoked from auth_tokens where token = $1', [
      hashToken(launch.body.token as string),
    ]);
    expect(token).toEqual({ is_revoked: true });
    const ends = { cancel_at_period_end: true, status: 'active' };
    expect((await providerSubscriptions(app, user.id))[0]).toMatchObject(ends);

    await reactivate(agent, 'risk-profile-ai').expect(200);
    expect((await providerSubscriptions(app, user.id))[0]).toMatchObject({ ...ends, cancel_at_period_end: false });
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'active', hasAccess: true, autoRenew: true });
    expect((await rowsOf(app, 'select is_revoked from auth_tokens where user_id = $1', [user.id]))[0]).toEqual({
      is_revoked: true,
    });
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('ends a trial at its end or now, and never charges it', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai'); // a card on file
    const { body: trial } = await agent.post('/api/create-subscription').send({ toolId: 'pre-fill-ai', trial: true });
    expect(trial).toMatchObject({
      subscription: { status: 'trial' },
      quote: { dueTodayCents: 0, trialDays: null },
    });
    const { body } = await cancel(agent, 'pre-fill-ai').expect(200);
    expect(body.endDate).toBe(trial.subscription.trialEndDate);
    expect((await reactivate(agent, 'pre-fill-ai').expect(200)).body.subscription).toMatchObject({ status: 'trial' });
    await cancel(agent, 'pre-fill-ai', { cancelImmediately: true }).expect(200);
    const before = await collected(app, user.id);
    await cancel(agent, 'file-note-ai', { cancelImmediately: true }).expect(200);
    await pass(app, 45 * DAY);
    expect(await collected(app, user.id)).toBe(before);
  });

  it('charges the month whose bill is fixed, and none after it', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    await passTo(app, endDate!, 60_000);
    const { body } = await cancel(agent, 'risk-profile-ai').expect(200);
    expect(daysFromNow(body.endDate as string)).toBeGreaterThan(27);
    await pass(app, 3 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
    await pass(app, 60 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
  });

  it('charges the month that is fixed though Stripe has not begun it, and none after it', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    await app.clock.advance(new Date(endDate!).getTime() - app.context.now().getTime() + 1000);
    const { body } = await cancel(agent, 'risk-profile-ai').expect(200);
    expect(daysFromNow(body.endDate as string)).toBeGreaterThan(27);
    await pass(app, 3 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
    await pass(app, 60 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
  });

  it('keeps off the bill what is cancelled the moment before, and charges what was said for the other tool', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'file-note-ai');
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    const before = await collected(app, user.id);
    await passTo(app, endDate!, -60_000);
    await cancel(agent, 'risk-profile-ai').expect(200);
    expect((await agent.get('/api/billing/forecast').expect(200)).body.bill).toMatchObject({ totalCents: 2500 });
    await pass(app, DAY);
    expect((await collected(app, user.id)) - before).toBe(2500);
  });

  it('answers 503 while Stripe is away and changes nothing; cancels once where two ask at once', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const line = await startFaultyProvider(app.context.payments, app.sandbox!);
    const replica = await startReplica({ ...app.context, payments: line.payments });
    const beside = await replica.agent(user.email);
    line.set('broken');
    await cancel(beside, 'risk-profile-ai').expect(503);
    line.set('none');
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'active', autoRenew: true });
    const answers = await Promise.all([cancel(agent, 'risk-profile-ai'), cancel(beside, 'risk-profile-ai')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await replica.stop();
    await line.stop();
    const audited =
      "select 1 from audit_log where actor_id = $1 and action = 'subscription.changed' and after ->> 'status' = 'cancelled'";
    expect(await rowsOf(app, audited, [user.id])).toHaveLength(1);
    expect((await providerSubscriptions(app, user.id))[0]!.cancel_at_period_end).toBe(true);
  });

  it('leaves the bill as the row says, where the process dies once Stripe was told, and nobody loses a tool', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { id } = (await providerSubscriptions(app, user.id))[0]!;
    await app.context.payments.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect((await providerSubscriptions(app, user.id))[0]!.cancel_at_period_end).toBe(false);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'active', autoRenew: true });
  });

  it('refuses what can’t be cancelled', async () => {
    const { agent } = await app.signedIn();
    await cancel(agent, 'risk-profile-ai').expect(404, /subscription_not_found/);
    await cancel(agent, 'no-such-tool').expect(404, /tool_not_found/);
    await agent
      .post('/api/cancel-subscription')
      .send({})
      .expect(400, /Tool ID is required/);
    await cancel(agent, 'risk-profile-ai', { reason: 'bored' }).expect(400);
    await cancel(app.agent(), 'risk-profile-ai').expect(401);
    await buy(app, agent, 'risk-profile-ai');
    await cancel(agent, 'risk-profile-ai').expect(200);
    await cancel(agent, 'risk-profile-ai').expect(409, /cannot_cancel/);
    await autoRenew(agent, 'risk-profile-ai', true).expect(409, /cannot_change_renewal/);
    await agent
      .post('/api/create-subscription')
      .send({ toolId: 'risk-profile-ai' })
      .expect(409, /already_subscribed/);
    await agent
      .post('/api/billing/pay')
      .send({})
      .expect(409, /nothing_to_pay/);
  });
});

describe('POST /api/reactivate-subscription', () => {
  it('begins a new period on the card on file on day 6, outside the paid period; on day 8 it refuses', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { body } = await cancel(agent, 'risk-profile-ai').expect(200);
    await passTo(app, body.endDate as string, 6 * DAY);
    const back = await reactivate(agent, 'risk-profile-ai').expect(200);
    expect(back.body).toMatchObject({
      clientSecret: null,
      subscription: { status: 'active', hasAccess: true, autoRenew: true, cancelledAt: null, gracePeriodEnd: null },
    });
    expect(await collected(app, user.id)).toBe(6000);
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status).toSorted()).toEqual([
      'active',
      'canceled',
    ]);
    await reactivate(agent, 'risk-profile-ai').expect(409, /cannot_reactivate/);

    const again = await cancel(agent, 'risk-profile-ai', { cancelImmediately: true }).expect(200);
    await pass(app, 6 * DAY);
    expect((await reactivate(agent, 'risk-profile-ai').expect(200)).body.subscription.endDate).toBe(
      back.body.subscription.endDate,
    );
    expect(await collected(app, user.id)).toBe(6000);
    expect(again.body.subscription.status).toBe('cancelled');

    await cancel(agent, 'risk-profile-ai', { cancelImmediately: true }).expect(200);
    await pass(app, 8 * DAY);
    await reactivate(agent, 'risk-profile-ai').expect(409, /cannot_reactivate/);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'expired' });
    await pass(app, 40 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
  });

  it('leaves the renewal at $50.00 after a cancellation with effect now, not $87.50', async () => {
    await rowsOf(app, "update tools set base_price = 50 where id = 'portfolio-ai'");
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'portfolio-ai');
    const { endDate } = (await shown(agent, 'portfolio-ai'))!;
    await pass(app, DAY / 2);
    await cancel(agent, 'portfolio-ai', { cancelImmediately: true }).expect(200);
    const back = await reactivate(agent, 'portfolio-ai').expect(200);
    expect(back.body.subscription).toMatchObject({ status: 'active', endDate });
    await passTo(app, endDate!, DAY / 8);
    const [invoice] = await rowsOf(
      app,
      'select total_cents, status from invoices where user_id = $1 order by issued_at desc limit 1',
      [user.id],
    );
    expect(invoice).toEqual({ total_cents: 5000, status: 'paid' });
    expect(await collected(app, user.id)).toBe(10_000);
  });

  it('charges nothing that somebody adds at Stripe beside the right price', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { id, customer } = (await providerSubscriptions(app, user.id))[0]!;
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    const { stripe } = app.context.payments;
    const extra = {
      customer: customer as string,
      subscription: id,
      amount: 700,
      currency: 'aud',
      description: 'Extra',
    };
    await stripe.invoiceItems.create(extra);
    await passTo(app, endDate!, 60_000);
    await passTo(app, endDate!, DAY / 8);
    expect(await collected(app, user.id)).toBe(6000);
    expect((await stripe.invoiceItems.list({ customer: customer as string, pending: true })).data).toEqual([]);
    const { data } = await stripe.invoices.list({ customer: customer as string, limit: 1 });
    expect(data[0]).toMatchObject({ status: 'paid', total: 3000 });
    expect(data[0]!.lines.data.map(({ amount, description }) => [amount, description])).toEqual([
      [700, 'Extra'],
      [3000, '1 × Risk Profile AI (at $30.00 / month)'],
      [-700, 'Correction'],
    ]);
  });
});

describe('PATCH /api/subscriptions/{toolId}/auto-renew', () => {
  it('leaves the tool active to its end once switched off, renews it once switched on, and Stripe follows', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const off = await autoRenew(agent, 'risk-profile-ai', false).expect(200);
    expect(off.body.subscription).toMatchObject({ status: 'active', autoRenew: false, hasAccess: true });
    expect((await providerSubscriptions(app, user.id))[0]!.cancel_at_period_end).toBe(true);
    await autoRenew(agent, 'risk-profile-ai', false).expect(200);
    const on = await autoRenew(agent, 'risk-profile-ai', true).expect(200);
    expect(on.body.subscription).toMatchObject({ status: 'active', autoRenew: true });
    expect((await providerSubscriptions(app, user.id))[0]!.cancel_at_period_end).toBe(false);
    await autoRenew(agent, 'risk-profile-ai', false).expect(200);
    await passTo(app, off.body.subscription.endDate as string, DAY);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'expired' });
    await autoRenew(agent, 'risk-profile-ai', true).expect(409, /cannot_change_renewal/);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('stops nothing where the price is 0', async () => {
    const { agent } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    await autoRenew(agent, 'fact-find-ai', false).expect(409, /cannot_change_renewal/);
    const { body } = await cancel(agent, 'fact-find-ai').expect(200);
    expect(daysFromNow(body.endDate as string)).toBeGreaterThan(27);
    expect((await reactivate(agent, 'fact-find-ai').expect(200)).body.subscription).toMatchObject({
      status: 'active',
      endDate: null,
      monthlyCents: 0,
    });
  });
});
