import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { amountsOf, contract, HOURS, intentOf, invalid, invoiceOf, periodOf, type Scene } from '../testing/scene.ts';

const scene = await contract();
const expand = ['payments', 'confirmation_secret'];

/** Another tool for the rest of a month, on a final invoice of its own that nobody charges by itself. */
async function partMonth({ stripe, clock, customer, adjust, paid }: Scene) {
  const bill = await paid();
  await adjust(300, { subscription: bill.id });
  const draft = await stripe.invoices.create({
    customer,
    auto_advance: false,
    collection_method: 'charge_automatically',
    pending_invoice_items_behavior: 'exclude',
    metadata: { order: '7' },
  });
  const period = { start: clock.now(), end: periodOf(bill).end };
  await adjust(1710, { invoice: draft.id, period, metadata: { tool: 'risk-profile' } });
  const invoice = await stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false, expand });
  return { bill, draft, invoice };
}

test('a one-off invoice has the lines that are put on it, takes nothing that waits, and is not charged by itself', async () => {
  const its = await scene();
  const { stripe, clock, waiting } = its;
  const { draft, invoice } = await partMonth(its);
  const empty = { status: 'draft', billing_reason: 'manual', auto_advance: false, total: 0, parent: null };
  expect(draft).toMatchObject(empty);
  expect(invoice).toMatchObject({
    status: 'open',
    total: 1710,
    total_taxes: [{ amount: 155 }],
    metadata: { order: '7' },
  });
  const line = { parent: { type: 'invoice_item_details' }, metadata: { tool: 'risk-profile' } };
  expect(invoice.lines.data).toMatchObject([line]);
  expect(invoice).toMatchObject({ auto_advance: false, next_payment_attempt: null });
  expect(invoice.confirmation_secret?.client_secret).toBeTruthy();
  await clock.pass(2 * HOURS);
  expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'open', attempted: false });
  expect(amountsOf(await waiting())).toEqual([300]);
});

test('a one-off invoice is paid with the card that is named, and the bill does not change', async () => {
  const its = await scene();
  const { stripe, card, read } = its;
  const { bill, invoice } = await partMonth(its);
  const payment_method = await card('pm_card_mastercard');
  const paid = await stripe.invoices.pay(invoice.id, { payment_method, off_session: false, expand });
  expect(paid).toMatchObject({ status: 'paid', amount_paid: 1710 });
  const intent = await stripe.paymentIntents.retrieve(intentOf(paid));
  expect(intent).toMatchObject({ status: 'succeeded', payment_method });
  expect((await stripe.invoices.list({ subscription: bill.id })).data).toHaveLength(1);
  const after = await read(bill);
  expect(invoiceOf(after).id).toBe(invoiceOf(bill).id);
  expect(after.default_payment_method).toBe(bill.default_payment_method);
});

test('a card that asks for authentication leaves the payment waiting where its owner is there, and is refused otherwise', async () => {
  const its = await scene();
  const { stripe, card } = its;
  const { invoice } = await partMonth(its);
  const payment_method = await card('pm_card_authenticationRequired');
  const pay = (params: Stripe.InvoicePayParams) => stripe.invoices.pay(invoice.id, { payment_method, ...params });
  const after = async () => {
    const read = await stripe.invoices.retrieve(invoice.id, { expand });
    const intent = await stripe.paymentIntents.retrieve(intentOf(read));
    expect(read.confirmation_secret?.client_secret).toBe(intent.client_secret);
    return [read.status, intent.status];
  };
  const refused = { statusCode: 402, rawType: 'card_error', code: 'authentication_required' };
  await expect(pay({})).rejects.toMatchObject(refused);
  expect(await after()).toEqual(['open', 'requires_payment_method']);
  const waits = { statusCode: 402, code: 'invoice_payment_intent_requires_action' };
  await expect(pay({ off_session: false })).rejects.toMatchObject(waits);
  expect(await after()).toEqual(['open', 'requires_action']);
});

test('a one-off invoice that was refused is not tried again by itself, and another card pays it', async () => {
  const its = await scene();
  const { stripe, card, clock } = its;
  const { invoice } = await partMonth(its);
  const pay = async (name: string) =>
    stripe.invoices.pay(invoice.id, { payment_method: await card(name), off_session: false });
  const refused = { statusCode: 402, code: 'card_declined' };
  await expect(pay('pm_card_chargeCustomerFail')).rejects.toMatchObject(refused);
  const open = { status: 'open', auto_advance: false, next_payment_attempt: null };
  expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject(open);
  await clock.pass(4);
  expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject(open);
  expect((await pay('pm_card_visa')).status).toBe('paid');
});

test('a one-off invoice that is made void can’t be paid', async () => {
  const its = await scene();
  const { stripe, card } = its;
  const { invoice } = await partMonth(its);
  expect((await stripe.invoices.voidInvoice(invoice.id)).status).toBe('void');
  const payment_method = await card('pm_card_visa');
  await expect(stripe.invoices.pay(invoice.id, { payment_method })).rejects.toMatchObject(invalid());
  const typed = stripe.paymentIntents.confirm(intentOf(invoice), { payment_method: 'pm_card_visa' });
  await expect(typed).rejects.toMatchObject(invalid());
});

test('a card is attached, listed and detached, and pays nothing after that', async () => {
  const { stripe, customer, paid, defaultCard, read } = await scene();
  const subscription = await paid();
  const id = await defaultCard('pm_card_mastercard');
  await stripe.subscriptions.update(subscription.id, { default_payment_method: id });
  const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 100 });
  expect(data.map(({ card }) => card?.last4).toSorted()).toEqual(['4242', '4444']);
  expect((await stripe.paymentMethods.detach(id)).customer).toBeNull();
  const settings = { invoice_settings: { default_payment_method: null } };
  expect(await stripe.customers.retrieve(customer)).toMatchObject(settings);
  expect((await read(subscription)).default_payment_method).toBeNull();
  await expect(stripe.paymentMethods.detach(id)).rejects.toMatchObject(invalid());
});

test('a card that the bank refuses is not attached, and somebody else’s card can’t be a default', async () => {
  const { stripe, customer, newCustomer, card } = await scene();
  const refused = { statusCode: 402, rawType: 'card_error', code: 'card_declined' };
  await expect(card('pm_card_chargeDeclined')).rejects.toMatchObject(refused);
  const default_payment_method = await card('pm_card_visa', await newCustomer());
  const update = stripe.customers.update(customer, { invoice_settings: { default_payment_method } });
  await expect(update).rejects.toMatchObject(invalid());
});

test('a setup intent for cards keeps one without charging it', async () => {
  const { stripe, customer } = await scene();
  const allowed_payment_method_types = ['card' as const];
  const params = { customer, usage: 'off_session' as const, allowed_payment_method_types };
  const { id } = await stripe.setupIntents.create(params);
  expect((await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded');
  expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1);
  expect((await stripe.charges.list({ customer })).data).toEqual([]);
});

test('a refund gives back a part, and never more than was paid', async () => {
  const { stripe, paid } = await scene();
  const payment_intent = intentOf(invoiceOf(await paid()));
  const refund = (amount?: number) => stripe.refunds.create({ payment_intent, ...(amount && { amount }) });
  expect(await refund(1000)).toMatchObject({ status: 'succeeded', amount: 1000 });
  await expect(refund(1501)).rejects.toMatchObject(invalid());
  await refund();
  await expect(refund()).rejects.toMatchObject(invalid({ code: 'charge_already_refunded' }));
});

test('a credit note on a line gives back its share of GST too, never more than is left, and the invoice stays paid', async () => {
  const { stripe, paid } = await scene();
  const { id: invoice, lines } = invoiceOf(await paid());
  const invoice_line_item = lines.data[0]!.id;
  const create = (amount: number) =>
    stripe.creditNotes.create({
      invoice,
      lines: [{ type: 'invoice_line_item', invoice_line_item, amount }],
      refund_amount: amount,
      email_type: 'none',
    });
  const note = await create(1100);
  expect(note).toMatchObject({ status: 'issued', total: 1100, total_taxes: [{ amount: 100 }] });
  expect(note).toMatchObject({ lines: { data: [{ type: 'invoice_line_item', invoice_line_item }] } });
  expect(note.refunds).toHaveLength(1);
  await expect(create(1401)).rejects.toMatchObject(invalid());
  expect((await stripe.invoices.retrieve(invoice)).status).toBe('paid');
});

test('a credit note by amount says no GST', async () => {
  const { stripe, paid } = await scene();
  const { id: invoice } = invoiceOf(await paid());
  const note = await stripe.creditNotes.create({ invoice, amount: 1100, refund_amount: 1100, email_type: 'none' });
  expect(note).toMatchObject({ total: 1100, total_taxes: [], lines: { data: [{ type: 'custom_line_item' }] } });
});

test('a credit note that does not add up, or is more than what is left, is refused and sends nothing back', async () => {
  const { stripe, paid } = await scene();
  const { id: invoice } = invoiceOf(await paid());
  const note = (amount: number, refund_amount: number, metadata = {}) =>
    stripe.creditNotes.create({ invoice, amount, refund_amount, metadata });
  for (const [amount, back] of [
    [1000, 900],
    [0, 0],
    [2501, 2501],
  ] as const)
    await expect(note(amount, back)).rejects.toMatchObject({ statusCode: 400 });
  expect((await note(1500, 1500, { key: 'one' })).metadata).toEqual({ key: 'one' });
  await expect(note(1001, 1001)).rejects.toMatchObject({ statusCode: 400 });
  const { data } = await stripe.creditNotes.list({ invoice, limit: 100 });
  expect(data).toMatchObject([{ total: 1500, metadata: { key: 'one' } }]);
});
