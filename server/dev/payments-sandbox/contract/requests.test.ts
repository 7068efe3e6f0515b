import { expect, test } from 'vitest';
import { contract, intentOf, invalid, invoiceOf } from '../testing/scene.ts';

const scene = await contract();
const abn = { type: 'au_abn', value: '51824753556' } as const;
const unknown = (param: string, statusCode = 400) => invalid({ statusCode, code: 'resource_missing', param });

test('a parameter that is unknown or missing is refused by its name', async () => {
  const { stripe } = await scene();
  const strange = stripe.customers.create({ colour: 'red' } as object);
  await expect(strange).rejects.toMatchObject(invalid({ code: 'parameter_unknown', param: 'colour' }));
  const nameless = stripe.products.create({} as { name: string });
  await expect(nameless).rejects.toMatchObject(invalid({ code: 'parameter_missing', param: 'name' }));
});

test('an unknown id is 400 as a parameter, by its name, and 404 in the path', async () => {
  const { stripe, customer, subscribe } = await scene();
  await expect(subscribe({ customer: 'cus_nobody' })).rejects.toMatchObject(unknown('customer'));
  await expect(stripe.customers.retrieve('cus_nobody')).rejects.toMatchObject(unknown('id', 404));
  await expect(stripe.paymentIntents.retrieve('pi_nobody')).rejects.toMatchObject(unknown('intent', 404));
  await expect(stripe.setupIntents.retrieve('seti_nobody')).rejects.toMatchObject(unknown('intent', 404));
  const attached = stripe.paymentMethods.attach('pm_nobody', { customer });
  await expect(attached).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
});

test('a list for an unknown customer is refused, and one for a deleted customer is not', async () => {
  const { stripe, customer } = await scene();
  await stripe.customers.del(customer);
  for (const { list } of [stripe.invoices, stripe.invoiceItems, stripe.subscriptions].map((of) => ({
    list: of.list.bind(of) as (params: { customer: string }) => Promise<{ data: object[] }>,
  }))) {
    await expect(list({ customer: 'cus_nobody' })).rejects.toMatchObject(unknown('customer'));
    expect((await list({ customer })).data).toEqual([]);
  }
});

test('a deleted customer is answered as deleted, whatever was to be expanded', async () => {
  const { stripe, customer } = await scene();
  await stripe.customers.del(customer);
  const stub = { id: customer, object: 'customer', deleted: true };
  const expand = ['invoice_settings.default_payment_method'];
  expect(await stripe.customers.retrieve(customer, { expand })).toMatchObject(stub);
  await expect(stripe.customers.update(customer, { name: 'Kim' })).rejects.toMatchObject(unknown('id', 404));
});

test('a phone above 20 characters is refused by its name', async () => {
  const { stripe, customer } = await scene();
  const written = stripe.customers.update(customer, { phone: '0412 345 678 or 02 5550 1234' });
  await expect(written).rejects.toMatchObject(invalid({ statusCode: 400, param: 'phone' }));
});

test('a refusal names the page that explains it', async () => {
  const { stripe } = await scene();
  const doc_url = expect.stringContaining('error-codes') as string;
  await expect(stripe.customers.retrieve('cus_nobody')).rejects.toMatchObject({ doc_url });
});

test('a deleted customer can still be read, and their subscriptions are over', async () => {
  const { stripe, customer, paid, read } = await scene();
  const subscription = await paid();
  await stripe.customers.del(customer);
  expect((await stripe.customers.retrieve(customer)).deleted).toBe(true);
  expect((await read(subscription)).status).toBe('canceled');
});

test('an idempotency key answers the same object again, and refuses another request', async () => {
  const { stripe, customer } = await scene();
  const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: `contract:${customer}` });
  const { id } = await create('Ada');
  expect((await create('Ada')).id).toBe(id);
  await expect(create('Bea')).rejects.toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
});

test('a payment of an invoice under a key answers the same again; without one, a paid invoice is not paid again', async () => {
  const { stripe, subscribe, card } = await scene();
  const payment_method = await card('pm_card_visa');
  const { id } = invoiceOf(await subscribe());
  const pay = () =>
    stripe.invoices.pay(id, { payment_method, off_session: true }, { idempotencyKey: `contract:pay:${id}` });
  expect([await pay(), await pay()].map(({ status }) => status)).toEqual(['paid', 'paid']);
  await expect(stripe.invoices.pay(id, { payment_method })).rejects.toMatchObject({ statusCode: 400 });
});

test('metadata is merged, and an empty value takes a key away', async () => {
  const { stripe, paid } = await scene();
  const { id } = await paid({ metadata: { a: '1', b: '2' } });
  const { metadata } = await stripe.subscriptions.update(id, { metadata: { a: '', c: '3' } });
  expect(metadata).toEqual({ b: '2', c: '3' });
});

test('an ABN is kept with its customer and taken away; one that is none is refused', async () => {
  const { stripe, customer } = await scene();
  const { id } = await stripe.customers.createTaxId(customer, abn);
  const { data } = await stripe.customers.listTaxIds(customer, { limit: 100 });
  expect(data).toMatchObject([{ ...abn, country: 'AU' }]);
  const wrong = stripe.customers.createTaxId(customer, { ...abn, value: '123' });
  await expect(wrong).rejects.toMatchObject(invalid({ code: 'tax_id_invalid', param: 'value' }));
  expect((await stripe.customers.deleteTaxId(customer, id)).deleted).toBe(true);
});

test('an empty text removes a detail of a customer', async () => {
  const { stripe, newCustomer } = await scene();
  const id = await newCustomer({ name: 'Ada', email: 'ada@example.com', phone: '0400 000 000' });
  const { name, email, phone } = await stripe.customers.update(id, { name: '', email: '', phone: '' });
  expect([name ?? null, email ?? null, phone ?? null]).toEqual([null, null, null]);
});

test('lists begin with the newest, and go on after an id', async () => {
  const { stripe, customer, subscribe } = await scene();
  const made = [await subscribe(), await subscribe(), await subscribe()].map(({ id }) => id);
  const list = (rest: { starting_after?: string } = {}) =>
    stripe.subscriptions.list({ customer, status: 'all', limit: 2, ...rest });
  const first = await list();
  const second = await list({ starting_after: first.data.at(-1)!.id });
  expect([first.data.length, first.has_more, second.has_more]).toEqual([2, true, false]);
  expect([...first.data, ...second.data].map(({ id }) => id).toSorted()).toEqual(made.toSorted());
});

test('a product of our own id is made once', async () => {
  const { stripe, customer } = await scene();
  const create = () => stripe.products.create({ id: `tool_${customer}`, name: 'Tool' });
  await create();
  await expect(create()).rejects.toMatchObject({ statusCode: 400, code: 'resource_already_exists' });
});

test('the invoice of a payment is found by its intent', async () => {
  const { stripe, paid } = await scene();
  const invoice = invoiceOf(await paid());
  const payment = { type: 'payment_intent' as const, payment_intent: intentOf(invoice) };
  expect((await stripe.invoicePayments.list({ payment, limit: 1 })).data).toMatchObject([{ invoice: invoice.id }]);
});

test('events are listed by type and time, each with the version that it was made with', async () => {
  const { stripe, clock, newCustomer } = await scene();
  const id = await newCustomer();
  await stripe.customers.update(id, { name: 'Ada' });
  const gte = Math.min(clock.now(), Math.floor(Date.now() / 1000)) - 60;
  const find = async () => {
    const { data } = await stripe.events.list({ types: ['customer.updated'], created: { gte }, limit: 100 });
    return data.find((one) => (one.data.object as { id: string }).id === id)?.api_version;
  };
  await expect.poll(find, { timeout: 20_000 }).toEqual(expect.any(String));
});
