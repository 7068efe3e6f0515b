import type Stripe from 'stripe';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { lineAmounts } from '../invoices/amounts.ts';
import { sandboxWorld, seedSandbox, type World } from '../testing.ts';
import { addMonths, periodEnd } from './periods.ts';

let world: World;
let shop: Awaited<ReturnType<typeof seedSandbox>>;
beforeAll(async () => {
  world = await sandboxWorld();
  shop = await seedSandbox(world);
});
afterEach(() => expect(world.faults).toEqual([]));

const retrieve = (id: string) => world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'discounts'] });
const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;
const paid = (params?: Partial<Stripe.SubscriptionCreateParams>) => shop.paid(params);
const utc = (...date: [number, number, number]) => Date.UTC(...date, 9) / 1000;

test('months keep the day, and the 31st comes back after February', () => {
  expect(addMonths(utc(2026, 0, 31), 1)).toBe(utc(2026, 1, 28));
  expect(addMonths(utc(2027, 11, 31), 2)).toBe(utc(2028, 1, 29));
  expect(periodEnd(utc(2026, 0, 31), utc(2026, 1, 28))).toBe(utc(2026, 2, 31));
});

test.each([
  [1495, [50], [748], 68],
  [2500, [50, 10], [1250, 125], 102],
  [4999, [12.5], [625], 398],
  [1, [50], [1], 0],
  [5, [100], [5], 0],
])('%i cents less %j percent', (amount, percents, off, gst) => {
  const reductions = percents.map((percentOff, index) => ({ discount: `di_${index}`, percentOff }));
  const [line] = lineAmounts([{ amount, rates: [{ id: 'gst', percentage: 10 }] }], reductions);
  expect(line?.discounts.map((discount) => discount.amount)).toEqual(off);
  expect(line?.taxes[0]?.amount).toBe(gst);
});

test('renewals come in order, each at its own time, with the announcement a week before', async () => {
  const subscription = await paid();
  await world.advance(90);
  const invoices = await world.stripe.invoices.list({ subscription: subscription.id });
  expect(invoices.data.map((invoice) => [invoice.created, invoice.status])).toEqual([
    [utc(2026, 3, 30), 'paid'],
    [utc(2026, 2, 31), 'paid'],
    [utc(2026, 1, 28), 'paid'],
    [utc(2026, 0, 31), 'paid'],
  ]);
  const invoicePaid = world.received.filter(({ type }) => type === 'invoice.paid').map(({ created }) => created);
  expect(invoicePaid).toEqual(invoicePaid.toSorted((a, b) => a - b));
  const upcoming = world.received.filter(({ type }) => type === 'invoice.upcoming').map(({ created }) => created);
  expect(upcoming).toContain(utc(2026, 2, 24));
  await world.stripe.subscriptions.cancel(subscription.id);
});

test('a scheduled end can be undone, and ends the subscription without another charge', async () => {
  const subscription = await paid();
  const end = subscription.items.data[0]!.current_period_end;
  const details = { feedback: 'too_expensive', comment: 'For now' } as const;
  const scheduled = await world.stripe.subscriptions.update(subscription.id, {
    cancel_at_period_end: true,
    cancellation_details: details,
  });
  expect(scheduled).toMatchObject({
    cancel_at: end,
    cancel_at_period_end: true,
    status: 'active',
    cancellation_details: { ...details, reason: 'cancellation_requested' },
  });
  const undone = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  expect(undone).toMatchObject({ cancel_at: null, canceled_at: null, cancellation_details: { reason: null } });

  await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await world.advance(40);
  const over = await retrieve(subscription.id);
  expect(over).toMatchObject({ status: 'canceled', ended_at: end });
  expect((await world.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
});

test('cancel_at ends it in the middle of a period; cancel ends it now; both for good', async () => {
  const [one, two] = [await paid(), await paid()];
  await world.stripe.subscriptions.update(one.id, {
    cancel_at: world.seconds() + 7 * 86_400,
    proration_behavior: 'none',
  });
  await world.advance(8);
  expect((await retrieve(one.id)).status).toBe('canceled');
  expect((await world.stripe.subscriptions.cancel(two.id, { invoice_now: false, prorate: false })).status).toBe(
    'canceled',
  );
  await expect(world.stripe.subscriptions.cancel(two.id)).rejects.toMatchObject({ code: 'resource_missing' });
});

test('an open renewal can be voided, which ends the arrears without a payment', async () => {
  const subscription = await paid();
  const bad = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: shop.customer.id });
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
  await world.advance(32);
  const late = await retrieve(subscription.id);
  expect(late.status).toBe('past_due');
  expect((await world.stripe.invoices.voidInvoice(latest(late).id)).status).toBe('void');
  expect((await retrieve(subscription.id)).status).toBe('active');
});
