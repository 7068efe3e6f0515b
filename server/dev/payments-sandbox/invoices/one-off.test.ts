import type Stripe from 'stripe';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { intentId, sandboxWorld, seedSandbox, type World } from '../testing.ts';

let world: World;
let shop: Awaited<ReturnType<typeof seedSandbox>>;
beforeAll(async () => {
  world = await sandboxWorld();
  shop = await seedSandbox(world);
});
afterEach(() => expect(world.faults).toEqual([]));

const create = (params: Stripe.InvoiceCreateParams = {}) =>
  world.stripe.invoices.create({ customer: shop.customer.id, currency: 'aud', ...params });
/** A draft that asks for $17.10. */
async function draft(params: Stripe.InvoiceCreateParams = {}) {
  const { id } = await create(params);
  await world.stripe.invoices.addLines(id, { lines: [{ amount: 1710, description: 'Risk profile' }] });
  return id;
}
const retrieve = (id: string) => world.stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] });

test('the bank’s question is answered in the browser, and the invoice is paid', async () => {
  const id = await draft();
  await world.stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  const card = await world.stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: shop.customer.id,
  });
  const pay = world.stripe.invoices.pay(id, { payment_method: card.id, off_session: false });
  await expect(pay).rejects.toMatchObject({ code: 'invoice_payment_intent_requires_action' });
  const { client_secret: secret } = (await retrieve(id)).confirmation_secret!;
  const { body } = await world.browser(`payment_intents/${intentId(secret)}/authenticate`, {
    client_secret: secret,
    result: 'complete',
  });
  expect(body.status).toBe('succeeded');
  expect(await retrieve(id)).toMatchObject({ status: 'paid', amount_paid: 1710 });
});

test('an invoice that advances by itself is finalised and charged after an hour', async () => {
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: shop.customer.id });
  const invoice_settings = { default_payment_method: card.id };
  await world.stripe.customers.update(shop.customer.id, { invoice_settings });
  const [drafted, opened, still] = [await draft({ auto_advance: true }), await draft(), await draft()];
  const final = await world.stripe.invoices.finalizeInvoice(opened, { auto_advance: true });
  expect(final).toMatchObject({ status: 'open', next_payment_attempt: final.created + 3600 });
  await world.advance(1.1 / 24);
  for (const id of [drafted, opened]) expect(await retrieve(id)).toMatchObject({ status: 'paid', amount_paid: 1710 });
  expect((await retrieve(still)).status).toBe('draft');
});

test('what Stripe has beside this is refused; a draft goes with its items', async () => {
  await expect(create({ pending_invoice_items_behavior: 'include' })).rejects.toMatchObject({
    code: 'sandbox_unsupported',
  });
  await expect(create({ collection_method: 'send_invoice' })).rejects.toMatchObject({ code: 'sandbox_unsupported' });
  const [id, other] = [await draft(), await draft()];
  const lines = [{ amount: 1, quantity_decimal: '2' as unknown as Stripe.Decimal }];
  await expect(world.stripe.invoices.addLines(id, { lines })).rejects.toMatchObject({ code: 'sandbox_unsupported' });
  const [item] = (await world.stripe.invoiceItems.list({ invoice: id })).data;
  const taken = world.stripe.invoices.addLines(other, { lines: [{ invoice_item: item!.id }] });
  await expect(taken).rejects.toMatchObject({ param: 'lines[0][invoice_item]' });
  await world.stripe.invoices.del(id);
  await expect(world.stripe.invoiceItems.retrieve(item!.id)).rejects.toMatchObject({ code: 'resource_missing' });
  await world.sandbox.deliverPending();
  expect(world.types()).toContain('invoice.deleted');
});
