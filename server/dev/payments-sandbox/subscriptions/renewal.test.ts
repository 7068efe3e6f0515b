import { Pool } from 'pg';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { lineAmounts } from '../invoices/draft.ts';
import { sandboxShop } from '../testing/world.ts';
import { addMonths, periodEnd } from './periods.ts';

const { world, shop } = await sandboxShop();

const utc = (...date: [number, number, number]) => Date.UTC(...date, 9) / 1000;

test('monthly periods keep the day, and the 31st comes back after February', () => {
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
])('an invoice line rounds its discounts and its GST: %i cents less %j percent', (amount, percents, off, gst) => {
  const reductions = percents.map((percentOff, index) => ({ discount: `di_${index}`, percentOff }));
  const { discounts, taxes } = lineAmounts(amount, [{ id: 'gst', percentage: 10 }], reductions);
  expect(discounts.map((discount) => discount.amount)).toEqual(off);
  expect(taxes[0]?.amount).toBe(gst);
});

test('renewals come in order, each at its own time', async () => {
  const subscription = await shop.paid();
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
  await world.stripe.subscriptions.cancel(subscription.id);
});

test('discounts of an older release follow each other, and last once, for their months, or for good', async () => {
  const { id } = await shop.paid();
  const [{ created }] = (await world.stripe.invoices.list({ subscription: id })).data as [Stripe.Invoice];
  await world.discount(id, { percent_off: 50, duration: 'forever' });
  await world.discount(id, { percent_off: 15, duration: 'once' });
  await world.discount(id, { percent_off: 20, duration: 'repeating', end: addMonths(created, 2) - 86_400 });
  const preview = await world.stripe.invoices.createPreview({ subscription: id });
  await world.advance(62);
  const { data } = await world.stripe.invoices.list({ subscription: id });
  expect(data.map(({ total }) => total)).toEqual([1250, 850, 2500]);
  expect(preview.total).toBe(850);
  expect(data[1]!.total_discount_amounts!.map(({ amount }) => amount)).toEqual([1250, 188, 212]);
});

test('a subscription renews at its own time, though an older release had planned to look at it before', async () => {
  const subscription = await shop.paid();
  const pool = new Pool({ connectionString: world.databaseUrl });
  await pool.query('update sandbox.objects set due_at = due_at - 7 * 86400 where id = $1', [subscription.id]);
  await pool.end();
  await world.advance(25);
  const invoices = () => world.stripe.invoices.list({ subscription: subscription.id });
  expect((await invoices()).data).toHaveLength(1);
  await world.advance(10);
  expect((await invoices()).data).toHaveLength(2);
});
