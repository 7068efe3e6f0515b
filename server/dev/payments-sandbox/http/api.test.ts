import { Client } from 'pg';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { generateSchema } from '../testing/generate.ts';
import { schema } from '../schema/schema.ts';
import { answerFaults, sandboxShop } from '../testing/world.ts';

// one test cuts connections, which would rightly be logged
const { world, shop } = await sandboxShop({ silent: true });

test('the schema is what the installed SDK declares', () => {
  expect(JSON.stringify(generateSchema())).toBe(JSON.stringify(schema));
  expect(schema.apiVersion).toBe('2026-10-28.endive');
}, 60_000);

test('the schema notices a wrong answer', () => {
  expect(answerFaults('Products.update', { id: 'prod_1', object: 'product' })).not.toEqual([]);
});

const raw = async (path: string, form = '', headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${world.sandbox.port}/v1/${path}`, {
    method: form ? 'POST' : 'GET',
    headers: {
      authorization: 'Bearer sk_test_sandbox',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(form ? { body: form } : {}),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { error?: Record<string, unknown> },
  };
};

test.each([
  ['customers', 'colour=red', 400, { code: 'parameter_unknown', param: 'colour' }],
  ['subscriptions', 'customer=cus_1&coupon=OLD', 400, { code: 'parameter_unknown', param: 'coupon' }],
  ['subscriptions', 'customer=cus_1&items[0][prices]=x', 400, { code: 'parameter_unknown', param: 'items[0][prices]' }],
  ['subscriptions', 'customer=cus_1&payment_behavior=sometimes', 400, { param: 'payment_behavior' }],
  ['subscriptions', 'customer=cus_1&items[0][quantity]=two', 400, { param: 'items[0][quantity]' }],
  ['subscriptions', 'customer=cus_1&transfer_data[destination]=acct_1', 400, { code: 'sandbox_unsupported' }],
  ['subscriptions', 'customer=cus_1&discounts[0][coupon]=OLD', 400, { code: 'sandbox_unsupported' }],
  ['products', 'description=nameless', 400, { code: 'parameter_missing', param: 'name' }],
  ['customers', 'name=%00', 400, { type: 'invalid_request_error' }],
  ['customers', 'phone=0412 345 678 or 02 5550 1234', 400, { param: 'phone' }],
  ['customers', `name=${'a'.repeat(257)}`, 400, { param: 'name' }],
  ['customers', 'email=somebody@com', 400, { code: 'email_invalid', param: 'email' }],
  ['customers', 'email=somebody＠example.com', 400, { code: 'email_invalid', param: 'email' }],
  ['customers', `metadata[note]=${'a'.repeat(501)}`, 400, { param: 'metadata[note]' }],
  ['plans', 'currency=aud', 404, { type: 'invalid_request_error' }],
])('POST /v1/%s %s is refused as Stripe refuses it', async (path, form, status, error) => {
  expect(await raw(path, form)).toMatchObject({ status, body: { error } });
});

test('the API answers nothing without the secret key', async () => {
  expect((await raw('customers', '', { authorization: 'Bearer pk_test_sandbox' })).status).toBe(401);
});

test('an idempotency key has one effect, and another body under it is refused', async () => {
  const [first, again] = await Promise.all([shop.subscribe({}, 'buy-1'), shop.subscribe({}, 'buy-1')]);
  expect(again.id).toBe(first.id);
  const replayed = await shop.subscribe({}, 'buy-1');
  expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
  await expect(shop.subscribe({ metadata: { toolId: 'other' } }, 'buy-1')).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  });
  const refused = { customer: 'cus_none', items: [shop.tool(2500)] };
  const attempt = () => world.stripe.subscriptions.create(refused, { idempotencyKey: 'buy-2' });
  await expect(attempt()).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(attempt()).rejects.toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
});

test('a key that was used at another process of this database is known here', async () => {
  const other = await world.startAnother();
  const there = world.connect(other);
  const create = (stripe: Stripe) => stripe.customers.create({ email: 'two@example.com' }, { idempotencyKey: 'two' });
  const made = await Promise.all([create(world.stripe), create(there), create(world.stripe), create(there)]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  await other.close();
});

test('a connection lost in the middle leaves both the effect and the answer, or neither', async () => {
  const emails = Array.from({ length: 30 }, (_, index) => `cut${index}@example.com`);
  const make = (email: string) => world.stripe.customers.create({ email }, { idempotencyKey: email });
  const database = new Client({ connectionString: world.databaseUrl });
  await database.connect();
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'payments-sandbox' and datname = current_database()`;
  const running = Promise.allSettled(emails.map(make));
  for (let times = 0; times < 3; times += 1) await database.query(cut);
  await running;
  await Promise.all(emails.map(make));
  const { rows } = await database.query<{ email: string; made: number; events: number }>(
    `select c.data ->> 'email' email, count(distinct c.id)::int made, count(e.id)::int events
     from sandbox.objects c left join sandbox.objects e on e.kind = 'event' and e.data #>> '{data,object,id}' = c.id
     where c.kind = 'customer' and c.data ->> 'email' like 'cut%' group by 1`,
  );
  await database.end();
  expect(rows).toHaveLength(30);
  expect(rows.filter(({ made, events }) => made !== 1 || events !== 1)).toEqual([]);
});

test('lists are paged from the newest, and the SDK pages by itself', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.unshift((await world.stripe.customers.create({ email: 'page@example.com' })).id);
  const page = (params: Stripe.CustomerListParams) =>
    world.stripe.customers.list({ email: 'page@example.com', ...params });
  const first = await page({ limit: 2 });
  expect(first).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
  expect((await page({ limit: 2, starting_after: ids[3] })).data.map(({ id }) => id)).toEqual([ids[4]]);
  await expect(page({ ending_before: ids[3]! })).rejects.toMatchObject({ code: 'sandbox_unsupported' });
  expect(await page({ limit: 2 }).autoPagingToArray({ limit: 50 })).toHaveLength(5);
});

test('expansion reaches through lists and refuses what cannot be expanded', async () => {
  const subscription = await shop.subscribe();
  const list = await world.stripe.subscriptions.list({
    customer: shop.customer.id,
    expand: ['data.latest_invoice.payments', 'data.customer'],
  });
  expect(list.data[0]).toMatchObject({
    id: subscription.id,
    customer: { object: 'customer' },
    latest_invoice: { payments: { data: [{ status: 'open' }] } },
  });
  await expect(world.stripe.subscriptions.retrieve(subscription.id, { expand: ['colour'] })).rejects.toThrow(
    'cannot be expanded',
  );
});

test('a new card by setup intent becomes the default, and can be taken off again', async () => {
  const { stripe } = world;
  const customer = await stripe.customers.create({});
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    usage: 'off_session',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  });
  await expect(
    stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' }),
  ).rejects.toMatchObject({ type: 'StripeCardError' });
  const done = await stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  const card = done.payment_method as string;
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card } });
  expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
  await stripe.paymentMethods.detach(card);
  const after = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
  expect(after.invoice_settings.default_payment_method).toBeNull();
  await expect(
    stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card } }),
  ).rejects.toMatchObject({ code: 'resource_missing' });
});

test('a deleted customer is still known by name, and nothing of theirs goes on', async () => {
  const customer = await world.stripe.customers.create({ email: 'gone@example.com' });
  const taxId = await world.stripe.customers.createTaxId(customer.id, { type: 'au_abn', value: '51824753556' });
  await world.stripe.customers.deleteTaxId(customer.id, taxId.id);
  expect((await world.stripe.customers.listTaxIds(customer.id)).data).toEqual([]);
  const subscription = await shop.paid({ customer: customer.id });
  expect(await world.stripe.customers.del(customer.id)).toMatchObject({ deleted: true });
  expect(await world.stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
  expect((await world.stripe.customers.list({ email: 'gone@example.com' })).data).toEqual([]);
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  await expect(shop.subscribe({ customer: customer.id })).rejects.toMatchObject({ code: 'resource_missing' });
});

test('lines, invoices and events are listed by what they belong to, page by page', async () => {
  const before = (await world.stripe.events.list({ limit: 1 })).data[0]!.created;
  world.jump(1);
  const customer = await world.stripe.customers.create({ email: 'pages@example.com' });
  const subscription = await shop.paid({ customer: customer.id });
  await shop.subscribe({ customer: customer.id });
  const invoices = (params: Stripe.InvoiceListParams) =>
    world.stripe.invoices.list({ customer: customer.id, ...params });
  expect((await invoices({ limit: 1 })).has_more).toBe(true);
  const [paidInvoice] = (await invoices({ status: 'paid' })).data;
  expect((await invoices({ subscription: subscription.id })).data).toMatchObject([{ id: paidInvoice?.id }]);
  expect((await invoices({ status: 'open' })).data).toHaveLength(1);
  expect((await world.stripe.invoices.listLineItems(paidInvoice!.id)).data).toHaveLength(1);
  const since = await world.stripe.events.list({ created: { gte: before + 1 }, limit: 100 });
  expect(since.data.at(-1)).toMatchObject({ type: 'customer.created', data: { object: { id: customer.id } } });
  const types = ['invoice.paid', 'customer.created'];
  expect(
    (await world.stripe.events.list({ created: { gte: before + 1 }, types })).data.map(({ type }) => type),
  ).toEqual(types);
});

test('the sandbox refuses what Stripe can and it cannot, and ignores none of it', async () => {
  const { id, items } = await shop.paid();
  const { subscriptions, invoices, creditNotes } = world.stripe;
  const seats = { items: [{ id: items.data[0]!.id, quantity: 2 }] };
  const none = { proration_behavior: 'none' } as const;
  const [invoice] = (await invoices.list({ subscription: id })).data;
  const { price_data } = shop.tool(500);
  const calls = [
    subscriptions.update(id, seats),
    subscriptions.update(id, { ...seats, payment_behavior: 'pending_if_incomplete' }),
    subscriptions.update(id, { cancel_at: 'min_period_end' }),
    subscriptions.update(id, { trial_end: world.seconds() + 60, ...none }),
    subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } }),
    subscriptions.update(id, { items: [{ price: 'price_1' }], ...none }),
    subscriptions.update(id, { items: [shop.tool(0)], ...none }),
    subscriptions.update(id, { items: [{ price_data: { ...price_data, recurring: { interval: 'year' } } }], ...none }),
    subscriptions.cancel(id, { prorate: true }),
    shop.subscribe({ payment_behavior: 'allow_incomplete' }),
    invoices.create({ customer: shop.customer.id, pending_invoice_items_behavior: 'include' }),
    invoices.create({ customer: shop.customer.id, collection_method: 'send_invoice' }),
    invoices.createPreview({ customer: shop.customer.id }),
    creditNotes.create({ invoice: invoice!.id, lines: [{ type: 'custom_line_item', quantity: 1, unit_amount: 5 }] }),
  ];
  for (const call of await Promise.allSettled(calls))
    expect(call).toMatchObject({ reason: { code: 'sandbox_unsupported' } });
});
