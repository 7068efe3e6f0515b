import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { sandboxShop } from '../testing/world.ts';

const { world, shop } = await sandboxShop();

const create = (params: Stripe.InvoiceItemCreateParams) =>
  world.stripe.invoiceItems.create({ customer: shop.customer.id, currency: 'aud', ...params });

test('an item is a whole amount for a period, taxed by rates that exist', async () => {
  await expect(create({})).rejects.toMatchObject({ code: 'parameter_missing', param: 'amount' });
  await expect(create({ amount: 1.5 })).rejects.toMatchObject({ code: 'parameter_invalid_integer' });
  await expect(create({ amount: 1, quantity: 2 })).rejects.toMatchObject({ code: 'sandbox_unsupported' });
  await expect(create({ amount: 1, period: { start: 20, end: 10 } })).rejects.toMatchObject({ param: 'period[end]' });
  await expect(create({ amount: 1, tax_rates: ['txr_none'] })).rejects.toMatchObject({ param: 'tax_rates' });
});

test('an item can’t be added to a bill that is over, or to somebody else’s', async () => {
  const { id } = await shop.paid();
  const customer = (await world.stripe.customers.create({})).id;
  await expect(create({ customer, amount: 100, subscription: id })).rejects.toMatchObject({ param: 'subscription' });
  await world.stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false });
  await expect(create({ amount: 100, subscription: id })).rejects.toMatchObject({ param: 'subscription' });
});

test('a customer has 250 waiting items at most; events tell of each', async () => {
  const customer = (await world.stripe.customers.create({})).id;
  const from = world.received.length;
  for (let count = 0; count < 250; count += 1) await create({ customer, amount: 1 });
  await expect(create({ customer, amount: 1 })).rejects.toMatchObject({ statusCode: 400 });
  const [first] = (await world.stripe.invoiceItems.list({ customer, pending: true })).data;
  await world.stripe.invoiceItems.del(first!.id);
  await create({ customer, amount: 1 });
  await world.sandbox.deliverPending();
  const told = world.types(from);
  expect(told.filter((type) => type === 'invoiceitem.created')).toHaveLength(251);
  expect(told.filter((type) => type === 'invoiceitem.deleted')).toHaveLength(1);
});
