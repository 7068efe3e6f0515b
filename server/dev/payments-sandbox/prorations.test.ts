import type Stripe from 'stripe';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { intentId, paymentSecret, sandboxWorld, seedSandbox, type World } from './testing.ts';

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

describe('create_prorations', () => {
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
    expect(amounts(renewal)).toEqual([-share(2500), share(7500), 7500]);
    expect(renewal).toMatchObject({ status: 'paid', amount_paid: share(7500) - share(2500) + 7500 });
    expect(renewal.lines.data[0]).toMatchObject({
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
});

describe('always_invoice', () => {
  test('fewer seats become credit on the balance, which the next invoices use up', async () => {
    const { id, customer, share, seatsTo } = await running(4, 2);
    await seatsTo(1, { proration_behavior: 'always_invoice' });
    const credit = share(10_000) - share(2500);
    expect(await latest(id)).toMatchObject({
      billing_reason: 'subscription_update',
      status: 'paid',
      total: -credit,
      amount_due: 0,
      starting_balance: 0,
      ending_balance: -credit,
    });
    expect(await balanceOf(customer)).toBe(-credit);
    await world.advance(30);
    const renewal = await latest(id);
    expect(renewal).toMatchObject({ total: 2500, amount_due: 0, status: 'paid', ending_balance: 2500 - credit });
    const moved = await world.stripe.customers.listBalanceTransactions(customer);
    expect(moved.data.map(({ amount, type }) => [amount, type])).toEqual([
      [2500, 'applied_to_invoice'],
      [-credit, 'applied_to_invoice'],
    ]);
    await world.stripe.subscriptions.cancel(id);
  });

  test('more seats are charged at once; the preview with the same moment says the same', async () => {
    const { id, item, share, seatsTo } = await running(1, 5);
    const details = { items: [{ id: item.id, quantity: 2 }], proration_date: world.seconds() - 60 };
    const behavior = { proration_behavior: 'always_invoice' } as const;
    const preview = await world.stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { ...details, ...behavior },
    });
    await seatsTo(2, {
      ...behavior,
      proration_date: details.proration_date,
      payment_behavior: 'pending_if_incomplete',
    });
    const charged = await latest(id);
    expect(charged).toMatchObject({ status: 'paid', total: preview.total, amount_paid: preview.amount_due });
    expect(amounts(charged)).toEqual(amounts(preview));
    expect(Math.abs(preview.total - share(2500))).toBeLessThanOrEqual(1);
    expect((await retrieve(id)).items.data[0]?.quantity).toBe(2);
    await world.stripe.subscriptions.cancel(id);
  });

  const failing = async (customer: string, id: string, card: string) => {
    const method = await world.stripe.paymentMethods.attach(card, { customer });
    await world.stripe.subscriptions.update(id, { default_payment_method: method.id });
  };

  test('pending_if_incomplete: the seats come when they are paid for', async () => {
    const { id, customer, seatsTo } = await running(1, 5);
    await failing(customer, id, 'pm_card_authenticationRequired');
    const waiting = await seatsTo(3, {
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    });
    expect(waiting).toMatchObject({
      status: 'active',
      items: { data: [{ quantity: 1 }] },
      pending_update: { subscription_items: [{ quantity: 3 }], expires_at: world.seconds() + 23 * 3600 },
    });
    const secret = paymentSecret(await retrieve(id));
    await world.browser(`payment_intents/${intentId(secret)}/authenticate`, {
      client_secret: secret,
      result: 'complete',
    });
    const paid = await retrieve(id);
    expect(paid).toMatchObject({ status: 'active', pending_update: null, items: { data: [{ quantity: 3 }] } });
    expect(world.types()).toContain('customer.subscription.pending_update_applied');
    await world.stripe.subscriptions.cancel(id);
  });

  test('pending_if_incomplete: unpaid for 23 hours, the change is given up', async () => {
    const { id, customer, seatsTo } = await running(1, 5);
    await failing(customer, id, 'pm_card_chargeCustomerFail');
    const behavior = { proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' } as const;
    await seatsTo(3, behavior);
    await world.advance(1);
    expect(await retrieve(id)).toMatchObject({ pending_update: null, items: { data: [{ quantity: 1 }] } });
    expect((await latest(id)).status).toBe('void');
    await expect(seatsTo(3, { ...behavior, metadata: { a: '1' } })).rejects.toThrow('metadata');
    await world.stripe.subscriptions.cancel(id);
  });

  test('error_if_incomplete leaves everything as it was; allow_incomplete leaves arrears', async () => {
    const { id, customer, seatsTo } = await running(1, 5);
    await failing(customer, id, 'pm_card_chargeCustomerFail');
    await expect(
      seatsTo(3, { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' }),
    ).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined' });
    expect((await retrieve(id)).items.data[0]?.quantity).toBe(1);
    expect((await world.stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
    expect(await seatsTo(3, { proration_behavior: 'always_invoice' })).toMatchObject({ status: 'past_due' });
    await world.stripe.invoices.pay((await latest(id)).id, { payment_method: 'pm_card_visa' });
    expect((await retrieve(id)).status).toBe('active');
    await world.stripe.subscriptions.cancel(id);
  });
});

test('another price in the middle of a period', async () => {
  const { id, item, share } = await running(1, 12);
  const dearer = await world.stripe.prices.create({
    product: shop.product.id,
    currency: 'aud',
    unit_amount: 4900,
    recurring: { interval: 'month' },
  });
  await world.stripe.subscriptions.update(id, {
    items: [{ id: item.id, price: dearer.id }],
    proration_behavior: 'always_invoice',
  });
  expect(amounts(await latest(id))).toEqual([-share(2500), share(4900)]);
  await world.stripe.subscriptions.cancel(id);
});

test('cancelling with proration and an invoice at once credits what is unused', async () => {
  const { id, customer, share } = await running(1, 9);
  await world.stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
  expect(await balanceOf(customer)).toBe(-share(2500));
  expect(await retrieve(id)).toMatchObject({ status: 'canceled' });
});

describe('previews', () => {
  test('the next invoice has its prorations; recurring leaves them out', async () => {
    const { id, item, share } = await running(1, 4);
    const asked = { subscription: id, subscription_details: { items: [{ id: item.id, quantity: 2 }] } };
    const next = await world.stripe.invoices.createPreview(asked);
    expect(amounts(next)).toEqual([-share(2500), share(5000), 5000]);
    const recurring = await world.stripe.invoices.createPreview({ ...asked, preview_mode: 'recurring' });
    expect(amounts(recurring)).toEqual([5000]);
    expect((await world.stripe.invoiceItems.list({ customer: next.customer as string })).data).toEqual([]);
    await world.stripe.subscriptions.cancel(id);
    await expect(world.stripe.invoices.createPreview({ subscription: id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
  });

  test('of a subscription that does not exist yet', async () => {
    const preview = await world.stripe.invoices.createPreview({
      customer: shop.customer.id,
      discounts: [{ coupon: 'PARTNER50' }, { coupon: 'BULK10' }],
      subscription_details: { items: [{ price: shop.price.id, quantity: 1 }], default_tax_rates: [shop.gst.id] },
    });
    expect(preview).toMatchObject({ subtotal: 2500, total: 1125, total_taxes: [{ amount: 102 }] });
  });
});
