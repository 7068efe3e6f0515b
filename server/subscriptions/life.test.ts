import { describe, expect, it, vi } from 'vitest';
import { plusMonths } from '#shared/rules/dates.ts';
import { buy, confirm, DAY, pass, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();

const tool = 'risk-profile-ai';
const HOUR = DAY / 24;
const create = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId, ...rest });
const resubscribe = (agent: Agent, offerId: string, discountPercentage: number, cents?: number) =>
  agent.post('/api/resubscribe').send({
    toolId: tool,
    offerId,
    discountPercentage,
    ...(cents && { charge: { cents, last4: '4242' } }),
  });
const pay = (agent: Agent, charge?: object) => agent.post('/api/billing/pay').send({ charge });
const sync = (agent: Agent) => agent.post(`/api/subscriptions/${tool}/sync`).send({}).expect(200);
const offers = async (agent: Agent) =>
  ((await agent.get('/api/winback/offers').expect(200)).body as { offers: { discountPercentage: number }[] }[])[0];
const titles = async (userId: string) =>
  (await rowsOf(app, 'select title from notifications where user_id = $1 order by created_at, id', [userId])).map(
    ({ title }) => title as string,
  );
const dueToday = async (agent: Agent, offerId: string) =>
  ((await offers(agent)) as unknown as { offers: { offerId: string; dueTodayCents: number }[] }).offers.find(
    (one) => one.offerId === offerId,
  )!.dueTodayCents;
/** To the end of the running period and past the hour in which its invoice waits. */
const renew = async (agent: Agent) => {
  await passTo(app, (await shown(agent, tool))!.endDate!, 60_000);
  await pass(app, 2 * HOUR);
};
/** What this adviser's Stripe invoices were paid with money, oldest first. */
const charges = async (userId: string) => {
  const { stripe } = app.context.payments;
  const [own] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]);
  const { data } = await stripe.invoices.list({ customer: own!.id as string, limit: 100 });
  return data
    .filter(({ amount_paid: paid }) => paid > 0)
    .map(({ amount_paid: paid }) => paid)
    .toReversed();
};
/** Gives the customer a new card, and makes it the default as the Billing tab does. */
async function giveCard(userId: string, name: string) {
  const { stripe } = app.context.payments;
  const [own] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]);
  const customer = own!.id as string;
  const card = await stripe.paymentMethods.attach(name, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
}

describe('win-back', () => {
  it('brings a trial without a card back: it expires, has an offer at each age, three discounted months, then the full price', async () => {
    const { agent, user } = await app.signedIn();
    await create(agent, tool, { trial: true }).expect(200);
    await pass(app, 30 * DAY + 60_000);
    expect(await shown(agent, tool)).toMatchObject({ status: 'expired', hasAccess: false });
    for (const [days, percent] of [
      [0, 30],
      [7, 30],
      [8, 25],
      [30, 25],
      [31, 20],
      [60, 20],
      [61, 15],
    ] as const) {
      const [row] = await rowsOf(app, 'select expired_at from tool_subscriptions where user_id = $1 and tool_id = $2', [
        user.id,
        tool,
      ]);
      const at = (row!.expired_at as Date).getTime() + days * DAY;
      await app.clock.advance(Math.max(0, at - app.context.now().getTime()) + 60_000);
      expect([days, (await offers(agent))!.offers.map((offer) => offer.discountPercentage)]).toEqual([
        days,
        [percent, 15, 40],
      ]);
      if (days > 0) await resubscribe(agent, 'comeback_special', 31 - percent).expect(409, /This offer has changed\./);
    }
    await resubscribe(agent, 'comeback_special', 30).expect(409, /This offer has changed\./);
    const { body } = await resubscribe(agent, 'comeback_special', 15).expect(200);
    expect(body).toMatchObject({ intent: 'payment', subscription: null });
    const twice = await resubscribe(agent, 'comeback_special', 15).expect(200);
    expect(twice.body.clientSecret).toBe(body.clientSecret);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    const { body: back } = await sync(agent);
    expect(back).toMatchObject({
      status: 'active',
      monthlyCents: 2550,
      winBack: { percent: 15, months: 3 },
      afterOfferCents: 3000,
      discounts: [{ kind: 'win_back', percent: 15, cents: 450 }],
    });
    await resubscribe(agent, 'comeback_special', 15).expect(409, /already_subscribed/);
    for (let month = 1; month <= 4; month += 1) await renew(agent);
    expect(await charges(user.id)).toEqual([2550, 2550, 2550, 3000, 3000]);
    expect(await shown(agent, tool)).toMatchObject({ monthlyCents: 3000, winBack: null, discounts: [] });
  });

  it('charges monthly_restart for one month, on the card on file, at once', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const { body: over } = await agent
      .post('/api/cancel-subscription')
      .send({ toolId: tool, cancelImmediately: true })
      .expect(200);
    await passTo(app, over.gracePeriodEnd as string, 60_000);
    await resubscribe(agent, 'monthly_restart', 30, 2550).expect(409, /offer_changed/);
    await resubscribe(agent, 'monthly_restart', 15, 3000).expect(409, /price_changed/);
    const due = await dueToday(agent, 'monthly_restart');
    const answers = await Promise.all(Array.from({ length: 6 }, () => resubscribe(agent, 'monthly_restart', 15, due)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    // The days until the bill have the offer's price too, and are not counted.
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', monthlyCents: 2550, winBack: { months: 1 } });
    for (let month = 1; month <= 2; month += 1) await renew(agent);
    expect(await charges(user.id)).toEqual([3000, due, 2550, 3000]);
    expect(await shown(agent, tool)).toMatchObject({ winBack: null });
  });

  it('keeps the terms it was taken with, which are not those of today', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const endsAt = plusMonths(new Date((await shown(agent, tool))!.endDate!), 2);
    const taken = { offerId: 'monthly_restart', percent: 22, months: 2, endsAt };
    await rowsOf(app, 'update tool_subscriptions set win_back = $2 where user_id = $1', [user.id, taken]);
    for (let month = 1; month <= 3; month += 1) await renew(agent);
    expect(await charges(user.id)).toEqual([3000, 2340, 2340, 3000]);
  });

  it('needs an offer, for an expired tool, with today’s figure', async () => {
    const { agent } = await app.signedIn();
    const send = (body: object) => agent.post('/api/resubscribe').send({ toolId: tool, ...body });
    await send({}).expect(400, /Please select an offer/);
    await send({ offerId: 'half_price', discountPercentage: 50 }).expect(400, /Please select an offer/);
    await send({ offerId: 'monthly_restart', discountPercentage: 15 }).expect(404, /subscription_not_found/);
    await create(agent, tool, { trial: true }).expect(200);
    await send({ offerId: 'monthly_restart', discountPercentage: 15 }).expect(409, /already_subscribed/);
  });

  it('makes way for a larger volume discount', async () => {
    const { agent, user } = await app.signedIn();
    await rowsOf(app, 'update discount_tiers set discount_percent = 30 where tool_count = 2');
    await buy(app, agent, tool);
    await agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
    await pass(app, 7 * DAY + 60_000);
    await pass(app, 9 * DAY);
    const due = await dueToday(agent, 'comeback_special');
    const { body } = await resubscribe(agent, 'comeback_special', 25, due).expect(200);
    expect(body).toMatchObject({ clientSecret: null, intent: 'none', subscription: { monthlyCents: 2250 } });
    const { body: quote } = await agent.get('/api/pricing/quote?toolId=file-note-ai').expect(200);
    expect(quote).toMatchObject({ totalCents: 1750 });
    await buy(app, agent, 'file-note-ai');
    expect(await shown(agent, tool)).toMatchObject({
      monthlyCents: 2100,
      discounts: [{ kind: 'bulk' }],
    });
    await rowsOf(app, 'update discount_tiers set discount_percent = 5 where tool_count = 2');
    expect(await charges(user.id)).toEqual([3000, due, quote.dueTodayCents]);
  });
});

describe('a renewal', () => {
  it('that is declined brings grace, with what is owed and why, and a new card recovers it', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await giveCard(user.id, 'pm_card_chargeCustomerFail');
    await renew(agent);
    const failed = (await shown(agent, tool))!;
    expect(failed).toMatchObject({
      status: 'grace_period',
      hasAccess: true,
      paymentProblem: { amountCents: 3000, reason: 'Your card was declined.', needsAction: false },
    });
    const agreed = { cents: 3000, last4: '0341' };
    const payWith = (charge: object) => pay(agent, charge);
    await payWith({ ...agreed, cents: 2900 }).expect(409, /price_changed/);
    await payWith({ ...agreed, last4: '4242' }).expect(409, /card_changed/);
    const refused = await payWith(agreed).expect(200);
    expect(refused.body).toMatchObject({ intent: 'payment', amountCents: 3000 });
    expect(refused.body.clientSecret).toMatch(/_secret_/);
    expect(await shown(agent, tool)).toMatchObject({ status: 'grace_period' });
    await giveCard(user.id, 'pm_card_visa');
    const paid = await payWith({ cents: 3000, last4: '4242' }).expect(200);
    expect(paid.body).toMatchObject({ clientSecret: null, forecast: { owed: null } });
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', paymentProblem: null });
    await pay(agent).expect(409, /nothing_to_pay/);
    expect(await charges(user.id)).toEqual([3000, 3000]);
    expect((await titles(user.id)).slice(-2)).toEqual([
      'Payment failed',
      'Payment received: $30.00 for Risk Profile AI',
    ]);
    await renew(agent);
    expect(await charges(user.id)).toEqual([3000, 3000, 3000]);
    expect((await titles(user.id)).at(-1)).toBe('Receipt: $30.00 for Risk Profile AI');
  });

  it('that is declined recovers with another card on the open invoice itself, too', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await giveCard(user.id, 'pm_card_chargeCustomerFail');
    await renew(agent);
    const { body } = await agent.post('/api/reactivate-subscription').send({ toolId: tool }).expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    expect((await sync(agent)).body).toMatchObject({ status: 'active', paymentProblem: null });
    expect(await charges(user.id)).toEqual([3000, 3000]);
  });

  it('that is declined expires after seven days, and the open invoice is void', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await giveCard(user.id, 'pm_card_chargeCustomerFail');
    await renew(agent);
    await pass(app, 7 * DAY);
    expect(await shown(agent, tool)).toMatchObject({ status: 'expired', paymentProblem: null });
    // A job looks at a bill once a minute, and the event of the retry has just done so.
    await pass(app, 60_000);
    await giveCard(user.id, 'pm_card_visa');
    await pass(app, 30 * DAY);
    expect(await charges(user.id)).toEqual([3000]);
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect(await rowsOf(app, "select 1 from invoices where user_id = $1 and status = 'open'", [user.id])).toEqual([]);
  });

  it('that is cancelled in grace ends access and charges nothing, and the last day to reactivate stays', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await giveCard(user.id, 'pm_card_chargeCustomerFail');
    await renew(agent);
    const { gracePeriodEnd } = (await shown(agent, tool))!;
    const { body } = await agent.post('/api/cancel-subscription').send({ toolId: tool }).expect(200);
    expect(body).toMatchObject({ gracePeriodEnd, subscription: { status: 'cancelled', hasAccess: false } });
    await giveCard(user.id, 'pm_card_visa');
    await pass(app, 3 * DAY);
    expect(await charges(user.id)).toEqual([3000]);
    const asked = await agent.post('/api/reactivate-subscription').send({ toolId: tool }).expect(200);
    expect(asked.body).toMatchObject({ intent: 'payment', amountCents: 3000, subscription: { status: 'cancelled' } });
    const charge = { cents: 3000, last4: '4242' };
    const back = await agent.post('/api/reactivate-subscription').send({ toolId: tool, charge }).expect(200);
    expect(back.body).toMatchObject({ clientSecret: null, subscription: { status: 'active' } });
    expect(await charges(user.id)).toEqual([3000, 3000]);
    expect(new Date(back.body.subscription.endDate as string).getTime()).toBeGreaterThan(
      plusMonths(app.context.now(), 1).getTime() - DAY,
    );
  });

  it('that needs authentication answers the press with what the browser confirms', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await giveCard(user.id, 'pm_card_authenticationRequired');
    await renew(agent);
    expect((await shown(agent, tool))!.paymentProblem).toMatchObject({ amountCents: 3000, needsAction: true });
    const { body } = await pay(agent).expect(200);
    expect(await shown(agent, tool)).toMatchObject({ status: 'grace_period' });
    await confirm(app, body.clientSecret as string, { result: 'complete' });
    expect((await sync(agent)).body).toMatchObject({ status: 'active', paymentProblem: null });
    expect(await charges(user.id)).toEqual([3000, 3000]);
  });

  it('that ends a trial with a card on file begins the paid subscription', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    const { body } = await create(agent, tool, { trial: true }).expect(200);
    await passTo(app, body.subscription.trialEndDate as string, 2 * HOUR);
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', monthlyCents: 2850, hasAccess: true });
    const { bill } = (await agent.get('/api/billing/forecast').expect(200)).body as {
      bill: { at: string; totalCents: number };
    };
    expect(bill.totalCents).toBeGreaterThanOrEqual(2375 + 2850);
    await passTo(app, bill.at, 2 * HOUR);
    expect((await charges(user.id)).at(-1)).toBe(bill.totalCents);
  });

  it('that comes just before a trial ends has the trial’s month, and the bill after it is no dearer', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    const dueAt = async () => new Date((await shown(agent, 'file-note-ai'))!.endDate!).getTime();
    while ((await dueAt()) - 30 * DAY < app.context.now().getTime())
      await passTo(app, new Date(await dueAt()), 2 * HOUR);
    await passTo(app, new Date((await dueAt()) - 30 * DAY), 2000);
    const { body } = await create(agent, tool, { trial: true }).expect(200);
    const billed = await dueAt();
    expect(Date.parse(body.subscription.trialEndDate as string)).toBeGreaterThan(billed);
    await passTo(app, new Date(billed), 2 * HOUR);
    await passTo(app, new Date(await dueAt()), 2 * HOUR);
    expect((await charges(user.id)).slice(-2)).toEqual([2375 + 2850, 2375 + 2850]);
  });
});
