import type Stripe from 'stripe';
import { intentOf, invoiceOf, refusal, type Case } from './scene.ts';

const taxOf = (note: Stripe.CreditNote) => (note.total_taxes ?? []).map(({ amount }) => amount);

/** A note on the invoice's first line, whose money goes back to the card. */
const byLine = (
  invoice: string,
  { data }: Stripe.Invoice['lines'],
  amount: number,
  refund_amount: number,
): Stripe.CreditNoteCreateParams => ({
  invoice,
  lines: [{ type: 'invoice_line_item', invoice_line_item: data[0]!.id, amount }],
  refund_amount,
  email_type: 'none',
});

/** Money that goes back. */
export const corrections: Case[] = [
  {
    name: 'a refund gives back a part, and never more than was paid',
    async run({ stripe, paid }) {
      const payment_intent = intentOf(invoiceOf(await paid()));
      const { status, amount } = await stripe.refunds.create({ payment_intent, amount: 1000 });
      const much = await refusal(stripe.refunds.create({ payment_intent, amount: 1501 }));
      await stripe.refunds.create({ payment_intent });
      const twice = (await refusal(stripe.refunds.create({ payment_intent }))) as Record<string, unknown>;
      return [status, amount, much !== 'accepted', twice['code']];
    },
    is: ['succeeded', 1000, true, 'charge_already_refunded'],
  },
  {
    name: 'a credit note on a line gives back with its share of GST, never more than is left, and the invoice stays paid',
    async run({ stripe, paid, gst }) {
      const { id: invoice, lines } = invoiceOf(await paid({ default_tax_rates: [await gst()] }));
      const create = (amount: number) => stripe.creditNotes.create(byLine(invoice, lines, amount, amount));
      const note = await create(1100);
      const much = await refusal(create(1401));
      const { status } = await stripe.invoices.retrieve(invoice);
      const kinds = note.lines.data.map(({ type, invoice_line_item: id }) => [type, id === lines.data[0]!.id]);
      return [note.status, note.total, taxOf(note), kinds, note.refunds.length, much !== 'accepted', status];
    },
    is: ['issued', 1100, [100], [['invoice_line_item', true]], 1, true, 'paid'],
  },
  {
    name: 'a credit note on a line counts its discount: of half the price, half goes back',
    async run({ stripe, paid, gst, coupon }) {
      const discounts = [{ coupon: await coupon(50) }];
      const { id: invoice, lines } = invoiceOf(await paid({ discounts, default_tax_rates: [await gst()] }));
      const note = await stripe.creditNotes.create(byLine(invoice, lines, 1100, 550));
      return [note.subtotal, note.discount_amount, note.total, taxOf(note)];
    },
    is: [1100, 550, 550, [50]],
  },
  {
    name: 'a credit note by amount says no GST',
    async run({ stripe, paid, gst }) {
      const { id: invoice } = invoiceOf(await paid({ default_tax_rates: [await gst()] }));
      const note = await stripe.creditNotes.create({ invoice, amount: 1100, refund_amount: 1100, email_type: 'none' });
      return [note.total, taxOf(note), note.lines.data.map(({ type }) => type)];
    },
    is: [1100, [], ['custom_line_item']],
  },
  {
    name: 'the invoice of a payment is found by its intent',
    async run({ stripe, paid }) {
      const invoice = invoiceOf(await paid());
      const { data } = await stripe.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: intentOf(invoice) },
        limit: 1,
      });
      return data.map((payment) => payment.invoice === invoice.id);
    },
    is: [true],
  },
];
