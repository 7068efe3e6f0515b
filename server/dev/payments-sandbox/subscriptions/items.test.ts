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

const none = { proration_behavior: 'none' } as const;
const tool = (unit_amount: number, more: object = {}) => ({
  price_data: {
    currency: 'aud',
    product: shop.product.id,
    recurring: { interval: 'month' as const },
    unit_amount,
    tax_behavior: 'inclusive' as const,
    ...more,
  },
});
const unsupported = { code: 'sandbox_unsupported' };
const update = (id: string, params: Stripe.SubscriptionUpdateParams) => world.stripe.subscriptions.update(id, params);

test('what Stripe charges at once is refused: an item, or a whole bill, that goes from nothing to an amount', async () => {
  const bill = await shop.paid({ items: [tool(0), tool(1000)] });
  const free = bill.items.data.find(({ price }) => price.unit_amount === 0)!;
  await expect(update(bill.id, { items: [{ id: free.id, ...tool(500) }], ...none })).rejects.toMatchObject(unsupported);
  const paid = bill.items.data.find(({ id }) => id !== free.id)!;
  await update(bill.id, { items: [{ id: paid.id, deleted: true }], ...none });
  await expect(update(bill.id, { items: [tool(500)], ...none })).rejects.toMatchObject(unsupported);
});

test('items that come or go are not prorated here, and an item says how it is priced in one way', async () => {
  const bill = await shop.paid({ items: [tool(1000)] });
  await expect(update(bill.id, { items: [tool(500)] })).rejects.toMatchObject(unsupported);
  const both = { ...tool(500), price: shop.price.id };
  await expect(update(bill.id, { items: [both], ...none })).rejects.toMatchObject({ param: 'items[0][price]' });
  const yearly = { items: [tool(500, { recurring: { interval: 'year' } })], ...none };
  await expect(update(bill.id, yearly)).rejects.toMatchObject(unsupported);
  const unknown = { items: [tool(500, { product: 'prod_none' })], ...none };
  await expect(update(bill.id, unknown)).rejects.toMatchObject({ code: 'resource_missing', param: 'product' });
});

test('a price that was given in full is of no use elsewhere; its item keeps metadata', async () => {
  const bill = await shop.paid({ items: [{ ...tool(1000), metadata: { tool: 'note' } }, tool(2000)] });
  const [item] = bill.items.data;
  expect(item).toMatchObject({ metadata: { tool: 'note' }, price: { active: false, unit_amount: 1000 } });
  await expect(update(bill.id, { items: [{ price: item!.price.id }], ...none })).rejects.toMatchObject({
    code: 'resource_missing',
  });
  const changed = await update(bill.id, { items: [{ id: item!.id, metadata: { tool: '' } }], ...none });
  expect(changed.items.data[0]).toMatchObject({ id: item!.id, metadata: {}, price: { unit_amount: 1000 } });
});

test('a bill takes the card it is made with, and a card of its own customer only', async () => {
  const trial_end = world.seconds() + 86_400;
  const customer = (await world.stripe.customers.create({})).id;
  const other = (await world.stripe.paymentMethods.attach('pm_card_visa', { customer: shop.customer.id })).id;
  const make = (default_payment_method: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    shop.subscribe({ customer, items: [tool(1000)], trial_end, default_payment_method, ...more });
  await expect(make(other)).rejects.toMatchObject({ code: 'resource_missing' });
  const own = (await world.stripe.paymentMethods.attach('pm_card_visa', { customer })).id;
  await expect(make(own, { trial_period_days: 3 })).rejects.toMatchObject({ param: 'trial_end' });
  await expect(make(own, { billing_cycle_anchor: trial_end + 60 })).rejects.toMatchObject(unsupported);
  const bill = await make(own, { billing_cycle_anchor: trial_end });
  expect(bill).toMatchObject({
    default_payment_method: own,
    billing_cycle_anchor: trial_end,
    pending_setup_intent: null,
  });
  await world.advance(1.1);
  const after = await world.stripe.subscriptions.retrieve(bill.id, { expand: ['latest_invoice'] });
  expect(after).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 1000 } });
});
