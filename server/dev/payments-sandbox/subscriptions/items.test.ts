import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { sandboxShop } from '../testing/world.ts';

const { world, shop } = await sandboxShop();

const none = { proration_behavior: 'none' } as const;
const update = (id: string, params: Stripe.SubscriptionUpdateParams) => world.stripe.subscriptions.update(id, params);

test('an item is described in full, and keeps its id with another price; an unknown product is refused', async () => {
  const bill = await shop.paid({ items: [shop.tool(1000), shop.tool(2000)] });
  const [item] = bill.items.data;
  const changed = await update(bill.id, { items: [{ id: item!.id, ...shop.tool(500) }], ...none });
  expect(changed.items.data[0]).toMatchObject({ id: item!.id, price: { active: false, unit_amount: 500 } });
  await expect(update(bill.id, { items: [{ quantity: 2 }], ...none })).rejects.toMatchObject({
    code: 'parameter_missing',
  });
  const { price_data } = shop.tool(500);
  const unknown = { items: [{ price_data: { ...price_data, product: 'prod_none' } }], ...none };
  await expect(update(bill.id, unknown)).rejects.toMatchObject({ code: 'resource_missing', param: 'product' });
  const missing = { items: [{ id: 'si_none', ...shop.tool(500) }], ...none };
  await expect(update(bill.id, missing)).rejects.toMatchObject({ statusCode: 404, param: 'items[0][id]' });
});

test('a bill takes a card of its own customer only', async () => {
  const { id } = await shop.paid();
  const customer = (await world.stripe.customers.create({})).id;
  const other = (await world.stripe.paymentMethods.attach('pm_card_visa', { customer })).id;
  await expect(update(id, { default_payment_method: other })).rejects.toMatchObject({ code: 'resource_missing' });
});
