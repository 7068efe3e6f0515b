import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import {
  amountsOf,
  contract,
  DAY,
  HOURS,
  intentOf,
  invalid,
  invoiceOf,
  none,
  now,
  periodOf,
} from '../testing/scene.ts';

const scene = await contract();

test('a purchase is incomplete, with an open invoice and a secret, until it is paid', async () => {
  const { subscribe, stripe, clock } = await scene();
  const subscription = await subscribe();
  const { start, end } = periodOf(subscription);
  expect(Math.abs(start - clock.now())).toBeLessThan(60);
  expect([28, 29, 30, 31]).toContain(Math.round((end - start) / DAY));
  const invoice = invoiceOf(subscription);
  const open = { status: 'open', billing_reason: 'subscription_create', amount_due: 2500, auto_advance: true };
  expect(subscription).toMatchObject({ status: 'incomplete', latest_invoice: open });
  expect(invoice.confirmation_secret?.client_secret).toEqual(expect.any(String));
  const intent = await stripe.paymentIntents.retrieve(intentOf(invoice));
  expect(intent.status).toBe('requires_payment_method');
});

test('GST is inside the price, an eleventh; a quantity multiplies it', async () => {
  const { subscribe, tool } = await scene();
  const invoice = invoiceOf(await subscribe());
  expect(invoice).toMatchObject({ total: 2500, total_taxes: [{ amount: 227 }], total_excluding_tax: 2273 });
  expect(invoiceOf(await subscribe({ items: [{ ...tool(2500), quantity: 3 }] })).total).toBe(7500);
});

test('an item without tax rates takes those of the subscription', async () => {
  const { paid, tool, rate } = await scene();
  const items = [{ ...tool(1100), tax_rates: [] }];
  const { lines } = invoiceOf(await paid({ items, default_tax_rates: [rate] }));
  expect(lines.data.map(({ taxes }) => amountsOf(taxes))).toEqual([[100]]);
});

test('an amount below 50 cents is not charged, but owed until the next invoice', async () => {
  const { subscribe, balance } = await scene();
  const latest_invoice = { status: 'paid', total: 40, amount_due: 0 };
  expect(await subscribe({ cents: [40] })).toMatchObject({ status: 'active', latest_invoice });
  expect(await balance()).toBe(40);
});

test('a card that pays makes the subscription active, stays with it, and gets a receipt', async () => {
  const { subscribe, pay, read, stripe } = await scene();
  const subscription = await subscribe();
  const { status, latest_charge: charge } = await pay(subscription);
  expect(status).toBe('succeeded');
  expect((await stripe.charges.retrieve(charge as string)).receipt_url).toEqual(expect.any(String));
  const latest_invoice = { status: 'paid', amount_paid: 2500 };
  const default_payment_method = expect.any(String) as string;
  expect(await read(subscription)).toMatchObject({ status: 'active', latest_invoice, default_payment_method });
});

/** What the bank says to a card; each line begins with Stripe's own name for the test card. */
test.each([
  ['pm_card_visa_chargeDeclined', { code: 'card_declined', decline_code: 'generic_decline' }],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', { code: 'card_declined', decline_code: 'insufficient_funds' }],
  ['pm_card_visa_chargeDeclinedLostCard', { code: 'card_declined', decline_code: 'lost_card' }],
  ['pm_card_visa_chargeDeclinedStolenCard', { code: 'card_declined', decline_code: 'stolen_card' }],
  ['pm_card_chargeDeclinedExpiredCard', { code: 'expired_card', param: 'exp_month', decline_code: 'expired_card' }],
  ['pm_card_chargeDeclinedIncorrectCvc', { code: 'incorrect_cvc', param: 'cvc', decline_code: 'incorrect_cvc' }],
  ['pm_card_chargeDeclinedProcessingError', { code: 'processing_error', decline_code: 'processing_error' }],
])(
  'a purchase with %s is refused with its reason and charge, and another card pays the same intent',
  async (card, said) => {
    const { subscribe, pay, read } = await scene();
    const subscription = await subscribe();
    const refused = { statusCode: 402, rawType: 'card_error', charge: expect.any(String) as string, ...said };
    await expect(pay(subscription, card)).rejects.toMatchObject(refused);
    await pay(subscription);
    expect((await read(subscription)).status).toBe('active');
  },
);

test('a card that asks for authentication waits for it', async () => {
  const { subscribe, pay, read } = await scene();
  const subscription = await subscribe();
  expect((await pay(subscription, 'pm_card_authenticationRequired')).status).toBe('requires_action');
  expect((await read(subscription)).status).toBe('incomplete');
});

test('a purchase that nobody pays is over after 23 hours, and its invoice is void', async () => {
  const { subscribe, clock, read } = await scene();
  const subscription = await subscribe();
  await clock.pass(24 * HOURS);
  expect(await read(subscription)).toMatchObject({ status: 'incomplete_expired', latest_invoice: { status: 'void' } });
});

test('a bill takes no other items before it is paid, and nothing but metadata after its end', async () => {
  const { subscribe, tool, stripe } = await scene();
  const { id } = await subscribe();
  const update = (params: Stripe.SubscriptionUpdateParams) => stripe.subscriptions.update(id, params);
  await expect(update({ items: [tool(3000)], ...none })).rejects.toMatchObject(invalid());
  await update({ metadata: { a: '1' } });
  await stripe.subscriptions.cancel(id, now);
  await expect(update({ items: [tool(3000)], ...none })).rejects.toMatchObject(invalid());
  await update({ metadata: { a: '2' } });
});

test('a purchase can be withdrawn, and can’t be paid then', async () => {
  const { subscribe, stripe, pay, read } = await scene();
  const subscription = await subscribe();
  await stripe.subscriptions.cancel(subscription.id, now);
  expect((await read(subscription)).status).toBe('incomplete_expired');
  await expect(pay(subscription)).rejects.toMatchObject(invalid());
});

test('a bill with a trial_end charges nothing before it, and has that moment as its anchor', async () => {
  const { subscribe, defaultCard, clock, read, toRenewal } = await scene();
  await defaultCard('pm_card_visa');
  const trial_end = clock.now() + 9 * DAY;
  const bill = await subscribe({ cents: [1000, 2000], trial_end });
  expect(bill).toMatchObject({ status: 'trialing', trial_end, latest_invoice: { status: 'paid', total: 0 } });
  expect(periodOf(bill).end).toBe(trial_end);
  const drafted = await toRenewal(bill);
  const draft = { status: 'draft', billing_reason: 'subscription_cycle', total: 3000 };
  expect(drafted).toMatchObject({ status: 'active', billing_cycle_anchor: trial_end, latest_invoice: draft });
  expect(invoiceOf(drafted).lines.data.map(({ period }) => period.start)).toEqual([trial_end, trial_end]);
  await clock.pass(2 * HOURS);
  expect(invoiceOf(await read(bill))).toMatchObject({ status: 'paid', amount_paid: 3000 });
});

test('items change before a trial_end, and a bill that is cancelled by then charges nothing', async () => {
  const { subscribe, tool, defaultCard, clock, read, stripe } = await scene();
  await defaultCard('pm_card_visa');
  const { id } = await subscribe({ cents: [1000], trial_end: clock.now() + 2 * DAY });
  const more = await stripe.subscriptions.update(id, { items: [tool(2000)], ...none });
  expect(more.items.data).toHaveLength(2);
  expect((await stripe.invoices.createPreview({ subscription: id })).total).toBe(3000);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true, ...none });
  await clock.pass(3);
  expect(await read({ id })).toMatchObject({ status: 'canceled', latest_invoice: { total: 0 } });
});

test('a trial_end moves when told to, and nothing is charged until then; one in the past is refused', async () => {
  const { stripe, subscribe, clock, defaultCard, read } = await scene();
  await defaultCard('pm_card_visa');
  const past = clock.now() - DAY;
  await expect(subscribe({ trial_end: past })).rejects.toMatchObject(invalid());
  const { id, trial_end: before } = await subscribe({ trial_end: clock.now() + 9 * DAY });
  const trial_end = before! + 5 * DAY;
  await stripe.subscriptions.update(id, { trial_end, ...none });
  await expect(stripe.subscriptions.update(id, { trial_end: past, ...none })).rejects.toMatchObject(invalid());
  await clock.pass(10);
  const after = await read({ id });
  expect(after).toMatchObject({ status: 'trialing', trial_end, latest_invoice: { total: 0 } });
  expect(periodOf(after).end).toBe(trial_end);
});

test('an older release’s trial without a card is cancelled at its end', async () => {
  const { subscribe, clock, read } = await scene();
  const trial_settings = { end_behavior: { missing_payment_method: 'cancel' as const } };
  const trial = await subscribe({ trial_end: clock.now() + 7 * DAY, trial_settings });
  await clock.pass(7 + 2 * HOURS);
  expect((await read(trial)).status).toBe('canceled');
});
