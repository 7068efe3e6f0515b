import type Stripe from 'stripe';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { sandboxWorld, seedSandbox, type World } from '../testing.ts';

let world: World;
let shop: Awaited<ReturnType<typeof seedSandbox>>;
beforeAll(async () => {
  world = await sandboxWorld();
  shop = await seedSandbox(world);
});
afterEach(() => expect(world.faults).toEqual([]));

const DAY = 86_400;
const retrieve = (id: string) =>
  world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret'] });
const latest = async (id: string) => (await retrieve(id)).latest_invoice as Stripe.Invoice;
const amounts = (invoice: Stripe.Invoice) => invoice.lines.data.map((line) => line.amount);
const balanceOf = async (id: string) => ((await world.stripe.customers.retrieve(id)) as Stripe.Customer).balance;

/** A subscription of a new customer, paid, with `seats`; `share` of its period is left after `days`. */
async function running(seats: number, days: number, params: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const customer = await world.stripe.customers.create({ name: 'Practice' });
  const price = shop.price.id;
  const subscription = await shop.paid({ customer: customer.id, items: [{ price, quantity: seats }], ...params });
  await world.advance(days);
  const item = subscription.items.data[0]!;
  const whole = item.current_period_end - item.current_period_start;
  const share = (cents: number) => Math.round((cents * (whole - days * DAY)) / whole);
  const seatsTo = (quantity: number, rest: Partial<Stripe.SubscriptionUpdateParams> = {}) =>
    world.stripe.subscriptions.update(subscription.id, { items: [{ id: item.id, quantity }], ...rest });
  return { id: subscription.id, customer: customer.id, item, share, seatsTo };
}

test('more seats in the middle of a period are on the next invoice, by the second', async () => {
  const { id, customer, item, share, seatsTo } = await running(1, 10);
  await seatsTo(3);
  const waiting = await world.stripe.invoiceItems.list({ customer, pending: true });
  expect(waiting.data.map(({ amount, proration }) => [amount, proration])).toEqual([
    [share(7500), true],
    [-share(2500), true],
  ]);
  expect((await latest(id)).amount_paid).toBe(2500);
  await world.advance(25);
  const renewal = await latest(id);
  expect(renewal.billing_reason).toBe('subscription_cycle');
  expect(amounts(renewal)).toEqual([share(7500), -share(2500), 7500]);
  expect(renewal).toMatchObject({ status: 'paid', amount_paid: share(7500) - share(2500) + 7500 });
  expect(renewal.lines.data[1]).toMatchObject({
    description: expect.stringMatching(/^Unused time on 1 × File Note AI after \d\d \w+ 2026$/),
    period: { start: item.current_period_start + 10 * DAY, end: item.current_period_end },
    parent: { subscription_item_details: { proration: true, subscription_item: item.id } },
  });
  expect((await world.stripe.invoiceItems.list({ customer, pending: true })).data).toEqual([]);
  await world.stripe.subscriptions.cancel(id);
});

test('what was never invoiced is not credited, and two changes undo each other to the cent', async () => {
  const { id, customer, share, seatsTo } = await running(2, 7);
  await seatsTo(5, { proration_behavior: 'none' });
  await seatsTo(2);
  const unpaid = await world.stripe.invoiceItems.list({ customer });
  expect(unpaid.data.map(({ amount }) => amount)).toEqual([share(5000), -share(5000)]);
  await seatsTo(9);
  await seatsTo(2);
  const all = await world.stripe.invoiceItems.list({ customer });
  expect(all.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  await world.stripe.subscriptions.cancel(id);
});

test('discounts are inside the amounts, and the once-only one is left for the renewal', async () => {
  const { id, customer, share, seatsTo } = await running(1, 3, { discounts: [{ coupon: 'PARTNER50' }] });
  await world.stripe.subscriptions.update(id, { discounts: [{ coupon: 'PARTNER50' }, { coupon: 'ONCE15' }] });
  await seatsTo(2);
  const waiting = await world.stripe.invoiceItems.list({ customer });
  expect(waiting.data.map(({ amount }) => amount)).toEqual([share(2500), -share(1250)]);
  await world.advance(30);
  const renewal = await latest(id);
  expect(renewal.total).toBe(share(2500) - share(1250) + 2500 - 375);
  await world.stripe.subscriptions.cancel(id);
});

test('a scheduled end collects what waited; nothing else is charged', async () => {
  const { id, share, seatsTo } = await running(1, 20);
  await seatsTo(2);
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await world.advance(40);
  expect((await retrieve(id)).status).toBe('canceled');
  expect(await latest(id)).toMatchObject({ status: 'paid', amount_paid: share(5000) - share(2500) });
  expect((await world.stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
});

test('fewer seats become credit on the balance, which the next invoices use up', async () => {
  const { id, customer, share, seatsTo } = await running(8, 2);
  await seatsTo(1);
  const preview = await world.stripe.invoices.createPreview({ subscription: id });
  const total = 2500 - (share(20_000) - share(2500));
  expect(preview).toMatchObject({ total, amount_due: 0 });
  expect(amounts(preview)).toEqual([share(2500), -share(20_000), 2500]);
  await world.advance(30);
  expect(await latest(id)).toMatchObject({ status: 'paid', total, amount_due: 0, ending_balance: total });
  expect(await balanceOf(customer)).toBe(total);
  await world.advance(31);
  expect(await latest(id)).toMatchObject({ total: 2500, amount_due: 0, status: 'paid', ending_balance: total + 2500 });
  const moved = await world.stripe.customers.listBalanceTransactions(customer);
  expect(moved.data.map(({ amount, type }) => [amount, type])).toEqual([
    [2500, 'applied_to_invoice'],
    [total, 'applied_to_invoice'],
  ]);
  await world.stripe.subscriptions.cancel(id);
  await expect(world.stripe.invoices.createPreview({ subscription: id })).rejects.toMatchObject({
    code: 'invoice_upcoming_none',
  });
});
