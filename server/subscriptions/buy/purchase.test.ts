import { describe, expect, it, vi } from 'vitest';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { addresses } from '#server/catalogue/service.ts';
import { setDomain } from '#server/commands/set-domain.ts';
import { userPayer } from '#server/payers/service.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  giveCard,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
} from '#server/testing/purchases.ts';
import { type Agent, startTestApp, freshTestApp } from '#server/testing/test-app.ts';
import { priceTool } from './quote.ts';
import { startFree } from './order.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();
const HOUR = DAY / 24;

const create = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId, ...rest });
const sync = (agent: Agent, toolId: string) => agent.post(`/api/subscriptions/${toolId}/sync`).send({});
const listed = async (agent: Agent) =>
  ((await agent.get('/api/user/subscriptions').expect(200)).body as { toolId: string; status: string }[]).map(
    (one) => `${one.toolId}: ${one.status}`,
  );
const notices = async (userId: string) =>
  (await rowsOf(app, 'select title from notifications where user_id = $1 order by created_at', [userId])).map(
    (row) => row.title,
  );

describe('a purchase with a card', () => {
  it('is listed only once it is paid, brings the free tool, and keeps card and invoice', async () => {
    const { agent, user } = await app.signedIn();
    const opened = await create(agent, 'risk-profile-ai').expect(200);
    expect(opened.body).toMatchObject({ intent: 'payment', includesLostMoney: true, subscription: null });
    expect(opened.body.quote).toMatchObject({ totalCents: 3000, dueTodayCents: 3000, part: null, trialDays: 30 });
    expect(await listed(agent)).toEqual([]);

    expect((await confirm(app, opened.body.clientSecret, 'pm_card_visa')).body.status).toBe('succeeded');
    const { body } = await sync(agent, 'risk-profile-ai').expect(200);
    expect(body).toMatchObject({ toolId: 'risk-profile-ai', status: 'active', hasAccess: true, monthlyCents: 3000 });
    expect(new Date(body.endDate).getTime()).toBeGreaterThan(app.context.now().getTime() + 27 * DAY);
    expect((await listed(agent)).toSorted()).toEqual(['lost-money-ai: active', 'risk-profile-ai: active']);

    const [invoice] = await rowsOf(app, 'select * from invoices where user_id = $1', [user.id]);
    expect(invoice).toMatchObject({ status: 'paid', total_cents: 3000, gst_cents: 273, amount_paid_cents: 3000 });
    const [row] = await rowsOf(app, 'select card_brand, card_last4 from users where id = $1', [user.id]);
    expect(row).toEqual({ card_brand: 'visa', card_last4: '4242' });
    expect(await notices(user.id)).toEqual(['Subscription started: Risk Profile AI']);
    await create(agent, 'risk-profile-ai').expect(409, /already_subscribed/);
    const [subscription] = await providerSubscriptions(app, user.id);
    const [payer] = await rowsOf(app, 'select * from users where id = $1', [user.id]);
    expect(payer).toMatchObject({
      stripe_subscription_id: subscription!.id,
      billing_anchor: new Date(subscription!.billing_cycle_anchor * 1000),
      next_bill_at: new Date(subscription!.items.data[0]!.current_period_end * 1000),
    });
    expect(await rowsOf(app, 'select kind, status, total_cents from bills where user_id = $1', [user.id])).toEqual([
      { kind: 'first', status: 'paid', total_cents: 3000 },
    ]);
  });

  it('takes another card on the one payment after a declined card', async () => {
    const { agent, user } = await app.signedIn();
    const first = await create(agent, 'pre-fill-ai').expect(200);
    const declined = await confirm(app, first.body.clientSecret, 'pm_card_chargeDeclinedInsufficientFunds');
    expect(declined.status).toBe(402);
    expect(declined.body.error?.decline_code).toBe('insufficient_funds');
    expect((await sync(agent, 'pre-fill-ai').expect(200)).body).toBeNull();

    const again = await create(agent, 'pre-fill-ai').expect(200);
    expect(again.body.clientSecret).toBe(first.body.clientSecret);
    await confirm(app, again.body.clientSecret, 'pm_card_visa');
    expect((await sync(agent, 'pre-fill-ai').expect(200)).body.status).toBe('active');
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it('fails where authentication is refused, and succeeds where it is accepted', async () => {
    const { agent } = await app.signedIn();
    const { body } = await create(agent, 'pre-fill-ai').expect(200);
    const asked = await confirm(app, body.clientSecret, 'pm_card_authenticationRequired');
    expect(asked.body.status).toBe('requires_action');
    await confirm(app, body.clientSecret, { result: 'fail' });
    expect((await sync(agent, 'pre-fill-ai').expect(200)).body).toBeNull();
    await confirm(app, body.clientSecret, 'pm_card_authenticationRequired');
    expect((await confirm(app, body.clientSecret, { result: 'complete' })).body.status).toBe('succeeded');
    expect((await sync(agent, 'pre-fill-ai').expect(200)).body.status).toBe('active');
  });

  it('succeeds by the webhook alone', async () => {
    const { agent } = await app.signedIn();
    const { body } = await create(agent, 'share-advice-ai').expect(200);
    await confirm(app, body.clientSecret, 'pm_card_visa');
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await listed(agent)).toContain('share-advice-ai: active');
  });

  it('answers the subscription where it is asked for again after paying, before any webhook', async () => {
    const { agent, user } = await app.signedIn();
    const { body } = await create(agent, 'fact-find-ai').expect(200);
    await confirm(app, body.clientSecret, 'pm_card_visa');
    const again = await create(agent, 'fact-find-ai').expect(200);
    expect(again.body).toMatchObject({ clientSecret: null, intent: 'none', subscription: { status: 'active' } });
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it('is never two, where one tab pays and another asks for the trial', async () => {
    const { agent, user } = await app.signedIn();
    const { body } = await create(agent, 'fact-find-ai').expect(200);
    await confirm(app, body.clientSecret, 'pm_card_visa');
    await create(agent, 'fact-find-ai', { trial: true }).expect(409, /already_subscribed/);
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['active']);
  });

  it('is removed after 23 hours where nobody pays it', async () => {
    const { agent, user } = await app.signedIn();
    await create(agent, 'portfolio-ai').expect(200);
    await pass(app, 23.5 * HOUR);
    expect(await rowsOf(app, 'select id from tool_subscriptions where user_id = $1', [user.id])).toEqual([]);
    expect(await rowsOf(app, 'select status from bills where user_id = $1', [user.id])).toEqual([{ status: 'void' }]);
    expect(await listed(agent)).toEqual([]);
    await create(agent, 'portfolio-ai').expect(200);
  });
});

describe('a trial', () => {
  it('starts without a card, ends on its own, and is not given twice', async () => {
    const { agent, user } = await app.signedIn();
    const { body } = await create(agent, 'fact-find-ai', { trial: true }).expect(200);
    expect(body).toMatchObject({ intent: 'none', includesLostMoney: true, subscription: { status: 'trial' } });
    expect(body.quote).toMatchObject({ trialDays: null, dueTodayCents: 0, nextBill: null });
    // Stripe hears nothing of it.
    expect(await rowsOf(app, 'select stripe_customer_id from users where id = $1', [user.id])).toEqual([
      { stripe_customer_id: null },
    ]);
    expect(new Date(body.subscription.trialEndDate).getTime() - app.context.now().getTime()).toBeGreaterThan(
      29.9 * DAY,
    );
    expect((await listed(agent)).toSorted()).toEqual(['fact-find-ai: trial', 'lost-money-ai: active']);
    await create(agent, 'fact-find-ai', { trial: true }).expect(409, /already_subscribed/);

    await pass(app, 30 * DAY + 60_000);
    expect((await listed(agent)).toSorted()).toEqual(['fact-find-ai: expired', 'lost-money-ai: expired']);
    expect(await notices(user.id)).toEqual(['Free trial started: Fact Find AI', 'Subscription ended: Fact Find AI']);
    expect((await agent.get('/api/pricing/quote?toolId=fact-find-ai').expect(200)).body.trialDays).toBeNull();
    await create(agent, 'fact-find-ai', { trial: true }).expect(409, /trial_used/);
    expect((await buy(app, agent, 'fact-find-ai')).status).toBe('active');
    expect((await listed(agent)).toSorted()).toEqual(['fact-find-ai: active', 'lost-money-ai: active']);
  });

  it('is given once to an address and its alias', async () => {
    const stamp = Math.floor(app.context.now().getTime());
    const first = await app.signedIn({ email: `jo.${stamp}@gmail.com` });
    await create(first.agent, 'pre-fill-ai', { trial: true }).expect(200);
    const second = await app.signedIn({ email: `jo${stamp}+two@googlemail.com` });
    expect((await second.agent.get('/api/pricing/quote?toolId=pre-fill-ai')).body.trialDays).toBeNull();
    await create(second.agent, 'pre-fill-ai', { trial: true }).expect(409, /trial_used/);
    await create(second.agent, 'fact-find-ai', { trial: true }).expect(200);
  });

  it('needs a verified address, and is offered before', async () => {
    const { agent } = await app.signedIn({ emailVerified: false });
    expect((await agent.get('/api/pricing/quote?toolId=pre-fill-ai').expect(200)).body.trialDays).toBe(30);
    await create(agent, 'pre-fill-ai', { trial: true }).expect(403, /email_unverified/);
    await create(agent, 'pre-fill-ai').expect(200);
  });

  it('takes the place of an open payment, which is withdrawn', async () => {
    const { agent, user } = await app.signedIn();
    await create(agent, 'portfolio-ai').expect(200);
    const { body } = await create(agent, 'portfolio-ai', { trial: true }).expect(200);
    expect(body.subscription.status).toBe('trial');
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['incomplete_expired']);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await listed(agent)).toContain('portfolio-ai: trial');
  });

  it('is charged where the adviser has a card on file, on the next bill, for the days from its end until then', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await pass(app, 10 * DAY);
    const { afterTrial } = (await agent.get('/api/pricing/quote?toolId=pre-fill-ai').expect(200)).body as Quote;
    const { body } = await create(agent, 'pre-fill-ai', { trial: true }).expect(200);
    expect(body.subscription.status).toBe('trial');
    await pass(app, 31 * DAY);
    expect(await listed(agent)).toContain('pre-fill-ai: active');
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(3000 + 2850);
    const [waiting] = await rowsOf(app, 'select cause, state, cents from adjustments where user_id = $1', [user.id]);
    expect(waiting).toMatchObject({ cause: 'trial_end', state: 'waiting' });
    expect(waiting!['cents']).toBeGreaterThan(0);
    expect(waiting!['cents']).toBeLessThan(2850);
    // The trial ends after the coming bill: what the quote said is charged on the one after it.
    await passTo(app, afterTrial!.at, 2 * HOUR);
    const [bill] = await rowsOf(
      app,
      "select total_cents, lines, parts from bills where user_id = $1 and kind = 'month' order by at desc",
      [user.id],
    );
    const own = [...(bill!['lines'] as BillLine[]), ...(bill!['parts'] as BillPart[])].filter(
      ({ toolId }) => toolId === 'pre-fill-ai',
    );
    expect(bill!['total_cents']).toBe(afterTrial!.totalCents);
    expect(own.reduce((sum, { cents }) => sum + cents, 0)).toBe(afterTrial!.priceCents);
    expect(await collected(app, user.id)).toBe(3000 + 2850 + afterTrial!.totalCents);
  });

  it('withdraws an open purchase of the tool, also where the row that it buys again is over by now', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'fact-find-ai');
    const { body } = await agent.post('/api/cancel-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    await passTo(app, body.endDate as string, 6.5 * DAY);
    const again = await agent.post('/api/reactivate-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    expect(again.body).toMatchObject({ intent: 'payment' });
    await app.clock.advance(DAY / 2 + HOUR);
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    const free = await create(agent, 'fact-find-ai').expect(200);
    expect(free.body.subscription).toMatchObject({ status: 'active', monthlyCents: 0 });
    await confirm(app, again.body.clientSecret as string, 'pm_card_visa');
    expect(await collected(app, user.id)).toBe(5000);
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status).toSorted()).toEqual([
      'canceled',
      'incomplete_expired',
    ]);
  });
});

describe('a trial that ends with a card, where there is no bill', () => {
  const begun = async (method = 'pm_card_visa') => {
    const signedIn = await app.signedIn();
    await create(signedIn.agent, 'fact-find-ai', { trial: true }).expect(200);
    await pass(app, 2 * HOUR);
    await create(signedIn.agent, 'portfolio-ai', { trial: true }).expect(200);
    await giveCard(app, signedIn.agent, method);
    await pass(app, 29 * DAY);
    return signedIn;
  };

  it('begins one: a day before, Stripe gets a subscription of all trials that end on that day', async () => {
    const { agent, user } = await begun();
    const [subscription, ...others] = await providerSubscriptions(app, user.id);
    expect(others).toEqual([]);
    expect(subscription).toMatchObject({ status: 'trialing' });
    const [payer] = await rowsOf(app, 'select next_bill_at from users where id = $1', [user.id]);
    expect(payer).toEqual({ next_bill_at: new Date(subscription!.trial_end! * 1000) });
    expect(await rowsOf(app, 'select id from bills where user_id = $1', [user.id])).toEqual([]);
    expect((await listed(agent)).toSorted()).toEqual([
      'fact-find-ai: trial',
      'lost-money-ai: active',
      'portfolio-ai: trial',
    ]);
    expect(await collected(app, user.id)).toBe(0);
    await pass(app, DAY + 2 * HOUR);
    await pass(app, 2 * HOUR);
    expect((await listed(agent)).toSorted()).toEqual([
      'fact-find-ai: active',
      'lost-money-ai: active',
      'portfolio-ai: active',
    ]);
    const [bill] = await rowsOf(app, 'select kind, status, total_cents from bills where user_id = $1', [user.id]);
    expect(bill).toMatchObject({ kind: 'month', status: 'paid', total_cents: await collected(app, user.id) });
  });

  it('is charged nothing where it is cancelled before', async () => {
    const { agent, user } = await begun();
    for (const toolId of ['fact-find-ai', 'portfolio-ai'])
      await agent.post('/api/cancel-subscription').send({ toolId }).expect(200);
    await pass(app, 3 * DAY);
    await pass(app, 30 * DAY);
    expect(await collected(app, user.id)).toBe(0);
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
  });

  it('gives seven days where the charge fails, then ends here and at Stripe', async () => {
    const { agent, user } = await begun('pm_card_chargeCustomerFail');
    await pass(app, DAY + 2 * HOUR);
    await pass(app, 2 * HOUR);
    expect(await listed(agent)).toContain('portfolio-ai: grace_period');
    await create(agent, 'pre-fill-ai').expect(409, /bill_unpaid/);
    await create(agent, 'pre-fill-ai', { trial: true }).expect(409, /bill_unpaid/);
    await pass(app, 7 * DAY);
    expect((await listed(agent)).toSorted()).toEqual([
      'fact-find-ai: expired',
      'lost-money-ai: expired',
      'portfolio-ai: expired',
    ]);
    await pass(app, HOUR);
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['canceled']);
    expect(await rowsOf(app, 'select status from invoices where user_id = $1 and total_cents > 0', [user.id])).toEqual([
      { status: 'void' },
    ]);
    await giveCard(app, agent, 'pm_card_visa');
    expect((await buy(app, agent, 'portfolio-ai')).status).toBe('active');
  });
});

describe('a tool that costs nothing', () => {
  it('is not started again after a cancellation where it costs something by now', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await create(agent, 'fact-find-ai').expect(200);
    await agent.post('/api/cancel-subscription').send({ toolId: 'fact-find-ai', cancelImmediately: true }).expect(200);
    const priced = await priceTool(app.context, userPayer(user.id), 'fact-find-ai');
    await rowsOf(app, 'update users set free_access_granted = false where id = $1', [user.id]);
    expect(await startFree(app.context, priced, priced.slot)).toBeNull();
    const again = await agent.post('/api/reactivate-subscription').send({ toolId: 'fact-find-ai' }).expect(200);
    expect(again.body).toMatchObject({ intent: 'payment', amountCents: 5000 });
  });

  it('needs no payment and no trial under free access', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await create(agent, 'fact-find-ai', { trial: true }).expect(409, /trial_not_needed/);
    const { body } = await create(agent, 'fact-find-ai').expect(200);
    expect(body).toMatchObject({ clientSecret: null, intent: 'none', includesLostMoney: true });
    expect(body.subscription).toMatchObject({ status: 'active', monthlyCents: 0, endDate: null, hasAccess: true });
    expect(body.quote).toMatchObject({ totalCents: 0, trialDays: null, nextBill: null, nextTier: null });
    expect(await providerSubscriptions(app, user.id)).toEqual([]);
    await create(agent, 'fact-find-ai').expect(409, /already_subscribed/);
    await pass(app, 40 * DAY);
    expect((await listed(agent)).toSorted()).toEqual(['fact-find-ai: active', 'lost-money-ai: active']);
  });

  it('withdraws an open payment form where free access is granted meanwhile', async () => {
    const { agent, user } = await app.signedIn();
    await create(agent, 'fact-find-ai').expect(200);
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    const { body } = await create(agent, 'fact-find-ai').expect(200);
    expect(body.subscription).toMatchObject({ status: 'active', monthlyCents: 0 });
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['incomplete_expired']);
  });

  it('comes once with another tool, is refused without one, and ends with the last (lost-money-ai)', async () => {
    const { agent, user } = await app.signedIn();
    await create(agent, 'lost-money-ai').expect(409, /lost_money_gate/);
    await create(agent, 'fact-find-ai', { trial: true }).expect(200);
    const second = await create(agent, 'pre-fill-ai', { trial: true }).expect(200);
    expect(second.body.includesLostMoney).toBe(false);
    await create(agent, 'lost-money-ai').expect(409, /already_subscribed/);
    const free = () =>
      rowsOf(app, "select id from tool_subscriptions where user_id = $1 and tool_id = 'lost-money-ai'", [user.id]);
    expect(await free()).toHaveLength(1);
  });
});

describe('production sells no tool without an address of its own', () => {
  const tool = 'risk-profile-ai';
  const production = {
    NODE_ENV: 'production',
    PAYMENTS: 'sandbox',
    SESSION_SECRET: 'a0se-wq7z-p1mx-8vbn-c2ld-r5ty-u6hj',
  };

  it('says so at the start, shows it as coming soon and refuses it, until it has one', async () => {
    const shop = await startTestApp({ ...production, LOG_LEVEL: 'silent', DRAIN_SECONDS: '0' });
    const { agent } = await shop.signedIn();
    const shown = async () =>
      ((await agent.get('/api/tools').expect(200)).body as { id: string; comingSoon: boolean }[]).find(
        ({ id }) => id === tool,
      )!.comingSoon;
    expect(await shown()).toBe(true);
    expect(await addresses.missing(shop.context)).toMatch(/^No address, so not for sale: .*risk-profile-ai/);
    for (const body of [{ toolId: tool }, { toolId: tool, trial: true }])
      await agent
        .post('/api/create-subscription')
        .send(body)
        .expect(409, /coming_soon/);

    await setDomain(shop.context.db, tool, 'https://risk.tools.example', shop.context.now());
    expect(await shown()).toBe(false);
    expect(await addresses.missing(shop.context)).not.toContain(tool);
    await create(agent, tool).expect(200);
    await shop.stop();
  });

  it('leaves development and tests to their sample tool', async () => {
    const { agent } = await app.signedIn();
    await create(agent, tool).expect(200);
  });
});

it('the shop refuses what does not exist, what is coming soon, and visitors', async () => {
  const { agent } = await app.signedIn();
  await create(agent, 'no-such-tool').expect(404, /tool_not_found/);
  await create(agent, 'advice-writer-ai').expect(409, /coming_soon/);
  await agent.get('/api/pricing/quote?toolId=advice-writer-ai').expect(409, /coming_soon/);
  await agent.get('/api/pricing/quote?toolId=no-such-tool').expect(404, /tool_not_found/);
  await agent.get('/api/pricing/quote').expect(400, /Tool ID is required/);
  await sync(agent, 'no-such-tool').expect(404, /tool_not_found/);
  await create(agent, 'fact-find-ai', { totalCents: 1 }).expect(400, /Unknown field: totalCents/);
  await create(app.agent(), 'fact-find-ai').expect(401);
  const incomplete = await app.signedIn({ profileCompleted: false });
  await create(incomplete.agent, 'fact-find-ai').expect(403, /profile_incomplete/);
});
