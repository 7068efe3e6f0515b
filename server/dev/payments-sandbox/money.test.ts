import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { sandboxShop, seeded } from './testing/world.ts';

const { world, shop } = await sandboxShop();

const sum = <T>(list: T[], cents: (entry: T) => number) => list.reduce((total, entry) => total + cents(entry), 0);
const all = <T>(list: { autoPagingToArray: (options: { limit: number }) => Promise<T[]> }) =>
  list.autoPagingToArray({ limit: 10_000 });

/** What must hold for every customer at every moment, whatever has happened to them. */
async function audit(customer: string) {
  const { stripe } = world;
  const limit = 100;
  const invoices = await all(stripe.invoices.list({ customer, limit }));
  const charges = await all(stripe.charges.list({ customer, limit }));
  const notes = await all(stripe.creditNotes.list({ customer, limit }));
  const moves = await all(stripe.customers.listBalanceTransactions(customer, { limit }));
  const items = await all(stripe.invoiceItems.list({ customer, limit }));
  const { balance } = (await stripe.customers.retrieve(customer)) as Stripe.Customer;

  for (const invoice of invoices) {
    const lines = await all(stripe.invoices.listLineItems(invoice.id, { limit }));
    const off = sum(invoice.total_discount_amounts ?? [], ({ amount }) => amount);
    const lineOff = sum(lines, (line) => sum(line.discount_amounts ?? [], ({ amount }) => amount));
    const tax = sum(invoice.total_taxes ?? [], ({ amount }) => amount);
    const lineTax = sum(lines, (line) => sum(line.taxes ?? [], ({ amount }) => amount));
    expect(sum(lines, ({ amount }) => amount)).toBe(invoice.subtotal);
    expect([lineOff, lineTax, invoice.subtotal - off]).toEqual([off, tax, invoice.total]);
    // GST inside the price is an eleventh, each line rounded separately
    expect(Math.abs(tax - invoice.total / 11)).toBeLessThanOrEqual(lines.length / 2 + 1e-9);
    expect(invoice.amount_due).toBe(invoice.amount_paid + invoice.amount_remaining);
    if (invoice.status === 'paid') expect(invoice.amount_remaining).toBe(0);
    const of = items.filter((item) => item.invoice === invoice.id);
    const adjusted = lines.filter(({ parent }) => parent?.type === 'invoice_item_details');
    expect(sum(adjusted, ({ amount }) => amount)).toBe(sum(of, ({ amount }) => amount));
  }
  const taken = sum(charges, (charge) => charge.amount_captured);
  const returned = sum(charges, (charge) => charge.amount_refunded);
  expect(sum(invoices, (invoice) => invoice.amount_paid)).toBe(taken);
  expect(sum(notes, (note) => sum(note.refunds, (refund) => refund.amount_refunded))).toBe(returned);
  expect(sum(moves, ({ amount }) => amount)).toBe(balance);
  moves.forEach((move, index) => expect(move.ending_balance - move.amount).toBe(moves[index + 1]?.ending_balance ?? 0));

  const final = invoices.filter(({ status }) => status === 'paid' || status === 'open');
  const given = sum(
    moves.filter(({ type }) => type === 'adjustment' || type === 'credit_note'),
    (move) => move.amount,
  );
  const open = sum(final, (invoice) => invoice.amount_remaining);
  const reduced = sum(notes, (note) => note.pre_payment_amount);
  // what was invoiced = what was taken + what is still open + what was forgiven + what the balance bore
  expect(sum(final, (invoice) => invoice.total)).toBe(taken + open + reduced + (balance - given));
}

const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_mastercard'];

test.each([1, 2])(
  'money in equals money out, history %i',
  async (seed) => {
    const { stripe } = world;
    const random = seeded(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const some = (most: number) => 1 + Math.floor(random() * most);
    const people: { customer: string; subscription: string }[] = [];
    for (let count = 0; count < 3; count += 1) {
      const customer = (await stripe.customers.create({})).id;
      const items = [{ ...shop.tool(2500), quantity: some(5) }];
      people.push({ customer, subscription: (await shop.paid({ customer, items })).id });
    }
    const history: Record<string, (who: (typeof people)[number]) => Promise<unknown>> = {
      async seats({ subscription: id }) {
        const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
        await stripe.subscriptions.update(id, {
          items: [{ id: item!.id, quantity: some(8) }],
          proration_behavior: 'none',
        });
      },
      adjust: ({ customer, subscription }) =>
        stripe.invoiceItems.create({ customer, subscription, amount: some(4000) - 1500, currency: 'aud' }),
      async card({ customer, subscription }) {
        const { id } = await stripe.paymentMethods.attach(pick(cards), { customer });
        await stripe.subscriptions.update(subscription, { default_payment_method: id });
      },
      end: ({ subscription }) => stripe.subscriptions.update(subscription, { cancel_at_period_end: random() < 0.3 }),
      credit: ({ customer }) =>
        stripe.customers.createBalanceTransaction(customer, { amount: some(4000) - 3000, currency: 'aud' }),
      decline: ({ customer }) => world.sandbox.controls.failNextCharges(customer),
      async pay({ customer }) {
        for (const { id } of (await stripe.invoices.list({ customer, status: 'open' })).data)
          await stripe.invoices.pay(id, { payment_method: 'pm_card_visa' });
      },
      async voidOpen({ customer }) {
        const [open] = (await stripe.invoices.list({ customer, status: 'open', limit: 1 })).data;
        if (open && open.pre_payment_credit_notes_amount === 0) await stripe.invoices.voidInvoice(open.id);
      },
      async note({ customer }) {
        const { data } = await stripe.invoices.list({ customer, limit: 3 });
        const invoice = pick(data.filter(({ total }) => total > 0));
        const amount = some(invoice.total);
        const back = Math.max(0, amount - invoice.amount_remaining);
        const how = pick(['refund_amount', 'credit_amount'] as const);
        await stripe.creditNotes.create({ invoice: invoice.id, amount, ...(back > 0 ? { [how]: back } : {}) });
      },
    };
    const refused: { name: string; status: number; message: string }[] = [];
    let done = 0;
    for (let round = 0; round < 20; round += 1) {
      for (const who of people) {
        const name = pick(Object.keys(history));
        await history[name]!(who).then(
          () => (done += 1),
          (error: { statusCode?: number; message: string }) =>
            refused.push({ name, status: error.statusCode ?? 0, message: error.message }),
        );
      }
      await world.advance(random() * 9);
      if (round % 10 === 9) for (const { customer } of people) await audit(customer);
    }
    for (const { subscription } of people) await stripe.subscriptions.cancel(subscription).catch(() => undefined);
    // a refusal is Stripe's own (a declined card, an ended subscription), never a fault of the sandbox
    expect(refused.filter(({ status }) => ![400, 402, 404].includes(status))).toEqual([]);
    expect(done).toBeGreaterThan(refused.length);
    expect(world.faults).toEqual([]);
  },
  120_000,
);
