import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Quote } from '#shared/api/subscriptions.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  giveCard,
  pass,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { startReplica } from '#server/testing/replica.ts';
import { type Agent, startTestApp, type TestApp } from '#server/testing/test-app.ts';

vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
let replica: Awaited<ReturnType<typeof startReplica>>;
beforeEach(async () => {
  app = await startTestApp();
  replica = await startReplica(app.context);
});
afterEach(async () => {
  await replica.stop();
  await app.stop();
});

const visa = { cents: 2375, last4: '4242' };
const create = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId, ...rest });
const sync = (agent: Agent, toolId: string) => agent.post(`/api/subscriptions/${toolId}/sync`).send({}).expect(200);
const shownCard = async (agent: Agent) => (await agent.get('/api/billing/payment-method').expect(200)).body.last4;
/** Delivers what Stripe sent, and runs the jobs it causes. */
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
/** Cards of the same second can't be told apart, and people need longer to type one. */
const later = () => app.clock.advance(2000);

/** What Stripe has: cards attached, the default among them, cards of subscriptions, and which card paid what. */
async function atStripe(userId: string) {
  const { stripe } = app.context.payments;
  const subscriptions = await providerSubscriptions(app, userId);
  const customer = subscriptions[0]!.customer as string;
  const found = await stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] });
  const standard = found.deleted ? null : found.invoice_settings.default_payment_method;
  const [cards, charges] = await Promise.all([
    stripe.customers.listPaymentMethods(customer, { limit: 100 }),
    stripe.charges.list({ customer, limit: 100 }),
  ]);
  return {
    cards: cards.data.map(({ card }) => card?.last4),
    standard: typeof standard === 'object' ? standard?.card?.last4 : standard,
    own: subscriptions.map((one) => one.default_payment_method),
    keeps: subscriptions.map((one) => one.payment_settings?.save_default_payment_method),
    paid: charges.data
      .filter(({ status }) => status === 'succeeded')
      .map(({ amount, payment_method_details: by }) => `${amount} ${by?.card?.last4}`)
      .toReversed(),
  };
}
const oneCard = (last4: string) => ({ cards: [last4], standard: last4 });

async function subscriber(method = 'pm_card_visa') {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai', method);
  await later();
  return { agent, user };
}
describe('a purchase with the card on file', () => {
  it('is charged by one press, and the subscription has no card of its own', async () => {
    const { agent, user } = await subscriber();
    const { body } = await create(agent, 'file-note-ai', { charge: visa }).expect(200);
    expect(body).toMatchObject({ clientSecret: null, intent: 'none', amountCents: 0 });
    expect(body.subscription).toMatchObject({ status: 'active', monthlyCents: 2375 });
    expect(await shownCard(agent)).toBe('4242');
    expect(await atStripe(user.id)).toMatchObject({
      ...oneCard('4242'),
      own: [null],
      keeps: ['off'],
      paid: ['3000 4242', '2375 4242'],
    });
    await create(agent, 'file-note-ai', { charge: visa }).expect(409, /already_subscribed/);
  });

  it('stores the card that somebody else had made the default at Stripe', async () => {
    const { agent, user } = await app.signedIn();
    const { body } = await create(agent, 'risk-profile-ai').expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    // Another replica has read the payment too, and has got this far, or died after it.
    const { stripe } = app.context.payments;
    const customer = (await providerSubscriptions(app, user.id))[0]!.customer as string;
    const [card] = (await stripe.customers.listPaymentMethods(customer)).data;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card!.id } });
    await sync(agent, 'risk-profile-ai');
    expect(await shownCard(agent)).toBe('4242');
    expect(await atStripe(user.id)).toMatchObject(oneCard('4242'));
  });

  it('charges nothing but what the button said, to the card it said', async () => {
    const { agent, user } = await subscriber();
    await create(agent, 'file-note-ai', { charge: { ...visa, cents: 2500 } }).expect(409, /price_changed/);
    await create(agent, 'file-note-ai', { charge: { ...visa, last4: '4444' } }).expect(409, /card_changed/);
    await create(agent, 'file-note-ai', { charge: { cents: 2375, last4: 'x' } }).expect(400);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    const newcomer = await app.signedIn();
    await create(newcomer.agent, 'file-note-ai', { charge: { ...visa, cents: 2500 } }).expect(409, /card_changed/);
    // A trial is free, whatever else is asked.
    const trial = await create(agent, 'file-note-ai', { trial: true, charge: visa }).expect(200);
    expect(trial.body.subscription.status).toBe('trial');
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('saves another card first where it is declined, and charges that for the one payment', async () => {
    const { agent, user } = await subscriber();
    await giveCard(app, agent, 'pm_card_chargeCustomerFail');
    const { body } = await create(agent, 'file-note-ai', { charge: { ...visa, last4: '0341' } }).expect(200);
    expect(body).toMatchObject({ intent: 'payment', amountCents: 2375, subscription: null });
    await later();
    await giveCard(app, agent, 'pm_card_mastercard');
    const again = await create(agent, 'file-note-ai', { charge: { ...visa, last4: '4444' } }).expect(200);
    expect(again.body.subscription).toMatchObject({ status: 'active' });
    expect(await shownCard(agent)).toBe('4444');
    await settle();
    expect(await atStripe(user.id)).toMatchObject({ ...oneCard('4444'), paid: ['3000 4242', '2375 4444'] });
  });

  it('answers what the browser confirms, where the bank asks', async () => {
    const { agent, user } = await subscriber();
    await giveCard(app, agent, 'pm_card_authenticationRequired');
    const { body } = await create(agent, 'file-note-ai', { charge: { ...visa, last4: '3184' } }).expect(200);
    expect(body).toMatchObject({ intent: 'payment', amountCents: 2375, subscription: null });
    const failed = await confirm(app, body.clientSecret as string, { result: 'fail' });
    expect(failed.body).toMatchObject({
      last_payment_error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
    });
    await create(agent, 'file-note-ai', { charge: { ...visa, last4: '3184' } }).expect(200);
    await confirm(app, body.clientSecret as string, { result: 'complete' });
    expect((await sync(agent, 'file-note-ai')).body).toMatchObject({ status: 'active' });
    expect(await atStripe(user.id)).toMatchObject({ ...oneCard('3184'), paid: ['3000 4242', '2375 3184'] });
  });

  it('is one subscription and one charge, pressed ten times at once on two replicas', async () => {
    const { agent, user } = await subscriber();
    const other = await replica.agent(user.email);
    const press = (_: unknown, i: number) => create(i % 2 ? agent : other, 'file-note-ai', { charge: visa });
    const answers = await Promise.all(Array.from({ length: 10 }, press));
    for (const { status } of answers) expect([200, 409, 503]).toContain(status);
    await settle();
    expect(await shown(agent, 'file-note-ai')).toMatchObject({ status: 'active', monthlyCents: 2375 });
    expect((await atStripe(user.id)).paid).toEqual(['3000 4242', '2375 4242']);
    const live = (await providerSubscriptions(app, user.id)).filter(({ status }) => status === 'active');
    expect(live).toHaveLength(1);
    const bills = await rowsOf(app, "select id from bills where user_id = $1 and kind = 'tool'", [user.id]);
    expect(bills).toHaveLength(1);
  });
});

describe('credit from earlier invoices', () => {
  const quoted = async (agent: Agent, toolId = 'file-note-ai') =>
    (await agent.get('/api/pricing/quote').query({ toolId }).expect(200)).body as Quote;
  /** A payer with this credit at Stripe, as an operator gives it or a shrinking team leaves it; `told`: its webhook has come. */
  async function credited(cents: number, { told = true, card = true } = {}) {
    const { agent, user } = card ? await subscriber() : await app.signedIn();
    if (!card) await agent.post('/api/billing/setup-intent').send({}).expect(200);
    const [row] = await rowsOf(app, 'select stripe_customer_id from users where id = $1', [user.id]);
    const customer = row!.stripe_customer_id as string;
    await app.context.payments.stripe.customers.createBalanceTransaction(customer, { amount: -cents, currency: 'aud' });
    if (told) await settle();
    return { agent, user };
  }

  it('comes off what the button says and what is charged, and not off the price', async () => {
    const { agent, user } = await credited(500);
    expect(await quoted(agent)).toMatchObject({
      totalCents: 2375,
      dueTodayCents: 1875,
      nextBill: { totalCents: 5225 },
    });
    await create(agent, 'file-note-ai', { charge: visa }).expect(409, /price_changed/);
    const { body } = await create(agent, 'file-note-ai', { charge: { ...visa, cents: 1875 } }).expect(200);
    expect(body.subscription).toMatchObject({ status: 'active', monthlyCents: 2375 });
    expect((await atStripe(user.id)).paid).toEqual(['3000 4242', '1875 4242']);
    await settle();
    expect(await quoted(agent, 'fact-find-ai')).toMatchObject({ dueTodayCents: 4500, totalCents: 4500 });
  });

  it('pays after a trial too, and the quote names the price that comes after the credit', async () => {
    const { agent } = await credited(10000, { card: false });
    expect((await quoted(agent)).afterTrial).toMatchObject({ totalCents: 0, priceCents: 2500 });
  });

  it('is read at Stripe where its webhook has not come: nothing is charged, and the next answer has it', async () => {
    const { agent, user } = await credited(500, { told: false });
    await create(agent, 'file-note-ai', { charge: visa }).expect(409, /price_changed/);
    expect((await atStripe(user.id)).paid).toEqual(['3000 4242']);
    expect((await quoted(agent)).dueTodayCents).toBe(1875);
  });

  it('pays a first month in one press, without a card', async () => {
    const { agent, user } = await credited(4000, { card: false });
    expect((await quoted(agent)).dueTodayCents).toBe(0);
    // Opening the card form must not buy.
    await create(agent, 'file-note-ai').expect(409, /price_changed/);
    const { body } = await create(agent, 'file-note-ai', { charge: { cents: 0, last4: null } }).expect(200);
    expect(body).toMatchObject({ clientSecret: null, subscription: { status: 'active', monthlyCents: 2500 } });
    expect(await collected(app, user.id)).toBe(0);
    await settle();
    expect((await quoted(agent, 'fact-find-ai')).dueTodayCents).toBe(4750 - (4000 - 2500));
  });

  it('pays the days until the bill by leaving them to the bill', async () => {
    const { agent, user } = await credited(4000);
    const quote = await quoted(agent);
    expect(quote).toMatchObject({ dueTodayCents: 0, nextBill: { totalCents: 2850 + 2375 + 2375 - 4000 } });
    await create(agent, 'file-note-ai').expect(409, /price_changed/);
    const { body } = await create(agent, 'file-note-ai', { charge: { cents: 0, last4: null } }).expect(200);
    expect(body).toMatchObject({ clientSecret: null, subscription: { status: 'active', monthlyCents: 2375 } });
    expect(await collected(app, user.id)).toBe(3000);
    await pass(app, 31 * DAY);
    await pass(app, DAY / 8);
    expect(await collected(app, user.id)).toBe(3000 + quote.nextBill!.totalCents);
  });

  it('is free again for the card on file where an abandoned card form kept it', async () => {
    const { agent, user } = await credited(500);
    const { body } = await create(agent, 'file-note-ai').expect(200);
    expect(body).toMatchObject({ amountCents: 1875, creditCents: 500 });
    await settle();
    expect((await quoted(agent)).dueTodayCents).toBe(2375);
    await create(agent, 'file-note-ai', { charge: visa }).expect(409, /price_changed/);
    await settle();
    expect((await quoted(agent)).dueTodayCents).toBe(1875);
    await create(agent, 'file-note-ai', { charge: { ...visa, cents: 1875 } }).expect(200);
    expect((await atStripe(user.id)).paid).toEqual(['3000 4242', '1875 4242']);
  });

  it('is used once, by whichever of two purchases at once comes first; the other charges nothing unsaid', async () => {
    const { agent, user } = await credited(500);
    const tools = ['file-note-ai', 'fact-find-ai'];
    const charge = { ...visa, cents: 1875 };
    const answers = await Promise.all(tools.map((toolId) => create(agent, toolId, { charge })));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    await settle();
    for (const payment of (await atStripe(user.id)).paid.slice(1)) expect(payment).toBe('1875 4242');
    expect((await atStripe(user.id)).paid.length).toBeLessThanOrEqual(2);
  });

  it('comes off an offer to come back', async () => {
    const { agent, user } = await subscriber();
    await create(agent, 'file-note-ai', { charge: visa }).expect(200);
    for (const toolId of ['risk-profile-ai', 'file-note-ai'])
      await agent.post('/api/cancel-subscription').send({ toolId, cancelImmediately: true }).expect(200);
    await pass(app, 32 * DAY);
    const customer = (await providerSubscriptions(app, user.id))[0]!.customer as string;
    await app.context.payments.stripe.customers.createBalanceTransaction(customer, { amount: -500, currency: 'aud' });
    await settle();
    const { body } = await agent.get('/api/winback/offers').expect(200);
    const [offer] = (body as { toolId: string; offers: { offerId: string; dueTodayCents: number }[] }[])
      .filter(({ toolId }) => toolId === 'file-note-ai')
      .flatMap(({ offers }) => offers);
    expect(offer).toMatchObject({ discountPercentage: 25, monthlyCents: 1875, dueTodayCents: 1375 });
    await agent
      .post('/api/resubscribe')
      .send({
        toolId: 'file-note-ai',
        offerId: offer!.offerId,
        discountPercentage: 25,
        charge: { cents: 1375, last4: '4242' },
      })
      .expect(200);
    expect((await atStripe(user.id)).paid.at(-1)).toBe('1375 4242');
  });
});

describe('a card that somebody gives anywhere', () => {
  it('pays the next bill too', async () => {
    const { agent, user } = await subscriber();
    await giveCard(app, agent, 'pm_card_mastercard');
    await create(agent, 'file-note-ai', { charge: { ...visa, last4: '4444' } }).expect(200);
    expect(await shownCard(agent)).toBe('4444');
    await settle();
    expect(await atStripe(user.id)).toMatchObject({ ...oneCard('4444'), own: [null] });
    await pass(app, 31 * DAY);
    await pass(app, DAY / 8);
    expect((await atStripe(user.id)).paid).toEqual(['3000 4242', '2375 4444', '5225 4444']);
    expect((await atStripe(user.id)).own).toEqual([null]);
  });

  it('is kept by the webhook, also where the browser is gone after paying', async () => {
    const { agent, user } = await app.signedIn();
    const { body } = await create(agent, 'file-note-ai').expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_mastercard');
    await settle();
    expect(await shown(agent, 'file-note-ai')).toMatchObject({ status: 'active' });
    expect(await shownCard(agent)).toBe('4444');
    expect(await atStripe(user.id)).toMatchObject(oneCard('4444'));
  });

  it('replaces the cards of their own that subscriptions have from earlier', async () => {
    const { agent, user } = await subscriber();
    const { stripe } = app.context.payments;
    const [subscription] = await providerSubscriptions(app, user.id);
    const customer = subscription!.customer as string;
    const card = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    await stripe.subscriptions.update(subscription!.id, {
      default_payment_method: card.id,
      payment_settings: { save_default_payment_method: 'on_subscription' },
    });
    await settle();
    await sync(agent, 'risk-profile-ai');
    await settle();
    expect(await atStripe(user.id)).toMatchObject({ ...oneCard('4444'), own: [null], keeps: ['off'] });
    expect(await shownCard(agent)).toBe('4444');
  });
});
