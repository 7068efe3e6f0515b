import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { sandboxShop } from '../testing/world.ts';

const { world, shop } = await sandboxShop();

/** A subscription of a new customer with its first invoice, paid with this card. */
async function bought(card = 'pm_card_visa') {
  const customer = (await world.stripe.customers.create({ name: 'Ada' })).id;
  const subscription = await shop.subscribe({ customer });
  const [payment] = (subscription.latest_invoice as Stripe.Invoice).payments!.data;
  const intent = payment!.payment.payment_intent as string;
  await world.stripe.paymentIntents.confirm(intent, { payment_method: card });
  const invoice = await world.stripe.invoices.retrieve((subscription.latest_invoice as Stripe.Invoice).id);
  return { customer, subscription, intent, invoice };
}
const typesAfter = async (work: () => Promise<unknown>) => {
  await world.sandbox.deliverPending();
  const before = world.received.length;
  await work();
  await world.sandbox.deliverPending();
  return world.types(before);
};

test('each attempt makes a charge, and the intent names the last', async () => {
  const customer = (await world.stripe.customers.create({})).id;
  const subscription = await shop.subscribe({ customer });
  const intent = (subscription.latest_invoice as Stripe.Invoice).payments!.data[0]!.payment.payment_intent as string;
  const confirm = (payment_method: string) => world.stripe.paymentIntents.confirm(intent, { payment_method });
  await expect(confirm('pm_card_chargeDeclinedInsufficientFunds')).rejects.toThrow('insufficient');
  await confirm('pm_card_visa');
  const charges = await world.stripe.charges.list({ customer });
  expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  const paid = await world.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] });
  expect(paid.latest_charge).toMatchObject({ id: charges.data[0]?.id, amount: 2500 });
});

test('a refund sends events, and shows on its charge', async () => {
  const { intent } = await bought();
  const types = await typesAfter(() => world.stripe.refunds.create({ payment_intent: intent, amount: 1000 }));
  expect(types).toEqual(['refund.created', 'charge.refunded']);
  const rest = await world.stripe.refunds.create({ payment_intent: intent, reason: 'requested_by_customer' });
  expect(rest).toMatchObject({ amount: 1500, status: 'succeeded', reason: 'requested_by_customer' });
  const charge = await world.stripe.charges.retrieve(rest.charge as string);
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 2500 });
  expect((await world.stripe.refunds.list({ payment_intent: intent })).data).toHaveLength(2);
});

test('a credit note by lines gives back money and credit, with the GST and an older release’s discounts of the lines', async () => {
  const { customer, subscription } = await bought();
  await world.discount(subscription.id, { percent_off: 50, duration: 'forever' });
  await world.advance(32);
  const [invoice] = (await world.stripe.invoices.list({ customer })).data as [Stripe.Invoice];
  const line = invoice.lines.data[0]!.id;
  const create = (amount: number, rest: Partial<Stripe.CreditNoteCreateParams>) =>
    world.stripe.creditNotes.create({
      invoice: invoice.id,
      lines: [{ type: 'invoice_line_item', invoice_line_item: line, amount }],
      ...rest,
    });
  const note = await create(1100, {
    refund_amount: 300,
    credit_amount: 250,
    reason: 'order_change',
    memo: 'Two weeks of trouble',
  });
  expect(note).toMatchObject({
    number: `${invoice.number}-CN-01`,
    type: 'post_payment',
    subtotal: 1100,
    discount_amount: 550,
    total: 550,
    total_taxes: [{ amount: 50, tax_behavior: 'inclusive' }],
    total_excluding_tax: 500,
    post_payment_amount: 550,
    lines: { data: [{ type: 'invoice_line_item', invoice_line_item: line, amount: 1100, discount_amount: 550 }] },
    refunds: [{ amount_refunded: 300, type: 'refund' }],
  });
  const balance = await world.stripe.customers.listBalanceTransactions(customer);
  expect(balance.data).toMatchObject([
    { amount: -250, type: 'credit_note', credit_note: note.id, ending_balance: -250 },
  ]);
  await expect(create(1401, { refund_amount: 701 })).rejects.toThrow('at most 1400');
  const rest = await create(1400, { refund_amount: 700 });
  const taxes = [...note.total_taxes!, ...rest.total_taxes!].reduce((sum, tax) => sum + tax.amount, 0);
  expect(taxes).toBe(invoice.total_taxes![0]!.amount);
  expect((await world.stripe.creditNotes.list({ invoice: invoice.id })).data.map(({ id }) => id)).toEqual([
    rest.id,
    note.id,
  ]);
  expect(await world.stripe.invoices.retrieve(invoice.id)).toMatchObject({
    status: 'paid',
    amount_paid: 1250,
    post_payment_credit_notes_amount: 1250,
  });
  await expect(world.stripe.creditNotes.create({ invoice: invoice.id, amount: 1, credit_amount: 1 })).rejects.toThrow(
    'at most 0',
  );
});

test('a credit note must say where its money goes', async () => {
  const { invoice } = await bought();
  const create = (params: Partial<Stripe.CreditNoteCreateParams>) =>
    world.stripe.creditNotes.create({ invoice: invoice.id, ...params });
  await expect(create({ amount: 500 })).rejects.toThrow('must equal the post payment amount (500)');
  await expect(create({ amount: 2501, refund_amount: 2501 })).rejects.toThrow('at most 2500');
});

test('a credit note makes an open invoice cheaper, and one that leaves nothing makes it paid', async () => {
  const customer = (await world.stripe.customers.create({})).id;
  const subscription = await shop.subscribe({ customer });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const note = await world.stripe.creditNotes.create({ invoice: invoice.id, amount: 1000 });
  expect(note).toMatchObject({ type: 'pre_payment', pre_payment_amount: 1000, refunds: [] });
  const cheaper = await world.stripe.invoices.retrieve(invoice.id, {
    expand: ['payments.data.payment.payment_intent'],
  });
  expect(cheaper).toMatchObject({
    amount_due: 1500,
    amount_remaining: 1500,
    total: 2500,
    payments: { data: [{ payment: { payment_intent: { amount: 1500 } } }] },
  });
  await world.stripe.creditNotes.create({ invoice: invoice.id, amount: 1500 });
  expect(await world.stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid', amount_paid: 0 });
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
});

test('a refund in Stripe’s dashboard makes a credit note', async () => {
  const { invoice, intent } = await bought();
  const types = await typesAfter(() => world.sandbox.controls.refundInvoice(invoice.id));
  expect(types).toEqual(expect.arrayContaining(['credit_note.created', 'charge.refunded']));
  expect((await world.stripe.creditNotes.list({ invoice: invoice.id })).data).toMatchObject([{ total: 2500 }]);
  expect((await world.stripe.refunds.list({ payment_intent: intent })).data).toMatchObject([{ amount: 2500 }]);
});

test('a dispute is opened by a control or by its test card, then won or lost', async () => {
  const { invoice, intent } = await bought();
  const types = await typesAfter(() => world.sandbox.controls.openDispute(invoice.id));
  expect(types).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  const [dispute] = (await world.stripe.disputes.list({ payment_intent: intent })).data;
  expect(dispute).toMatchObject({ amount: 2500, status: 'needs_response', reason: 'fraudulent' });
  await expect(world.stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  const closing = await typesAfter(() => world.sandbox.controls.closeDispute(dispute!.id, 'won'));
  expect(closing).toEqual(['charge.dispute.funds_reinstated', 'charge.dispute.closed']);
  // Recorded: the charge stays disputed, and the dispute says that it can be refunded.
  expect((await world.stripe.charges.retrieve(dispute!.charge as string)).disputed).toBe(true);
  expect(await world.stripe.disputes.retrieve(dispute!.id)).toMatchObject({ is_charge_refundable: true });
  await world.stripe.refunds.create({ payment_intent: intent, amount: 500 });

  const other = await bought('pm_card_createDispute');
  expect(other.invoice.status).toBe('paid');
  const disputed = await world.stripe.disputes.list({ payment_intent: other.intent });
  expect((await world.sandbox.controls.closeDispute(disputed.data[0]!.id, 'lost')).status).toBe('lost');
  await expect(world.stripe.refunds.create({ payment_intent: other.intent })).rejects.toThrow('charged back');
});

test('an inquiry takes no money, and a refund answers it', async () => {
  const { invoice, intent } = await bought();
  const types = await typesAfter(() => world.sandbox.controls.openDispute(invoice.id, { inquiry: true }));
  expect(types).toEqual(['charge.dispute.created']);
  const [inquiry] = (await world.stripe.disputes.list({ payment_intent: intent })).data;
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true });
  expect(await world.stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 2500 });
});

test('the next charge fails when it is told to, and the one after it succeeds', async () => {
  const { customer, subscription } = await bought();
  await world.sandbox.controls.failNextCharges(customer);
  const end = subscription.items.data[0]!.current_period_end;
  await world.advance((end - world.seconds()) / 86_400 + 1);
  const status = async () => (await world.stripe.subscriptions.retrieve(subscription.id)).status;
  expect(await status()).toBe('past_due');
  await world.advance(3);
  expect(await status()).toBe('active');
  await world.stripe.subscriptions.cancel(subscription.id);
});
