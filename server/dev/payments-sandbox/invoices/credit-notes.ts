import type Stripe from 'stripe';
import { moveBalance } from '../customers.ts';
import { missing, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { chargeOf, refundCharge } from '../payments/charges.ts';
import { newObject } from '../schema/schema.ts';
import { idOf, listOf, mergeMetadata, newId } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { cancelPayment, intentOf } from './collect.ts';
import { portion, sum, sumsOf } from './draft.ts';
import { markPaid } from './outcome.ts';

type NoteLine = Stripe.CreditNoteLineItem;
type CreditNote = Stripe.CreditNote;
type Invoice = Stripe.Invoice;

type Params = Stripe.CreditNoteCreateParams;

/** One line of the invoice, or a part of it, with its share of discounts and taxes; never more than earlier notes left of it. */
function creditedLine(invoice: Invoice, earlier: NoteLine[], asked: NonNullable<Params['lines']>[number]): NoteLine {
  const { type, invoice_line_item: id, amount, ...strange } = asked;
  if (type !== 'invoice_line_item' || Object.keys(strange).length > 0 || amount === undefined)
    throw unsupported('lines of a credit note but those of the invoice, by amount', 'lines');
  const line = invoice.lines.data.find((one) => one.id === id);
  if (!line) throw missing('invoice_line_item', id ?? '', 'lines');
  const left = line.amount - sum(earlier.filter((one) => one.invoice_line_item === id));
  if (amount < 1 || amount > left) throw new SandboxError(`The line's amount must be positive and at most ${left}.`);
  const share = (cents: number | null) => portion(cents ?? 0, amount, line.amount);
  const taxes = (line.taxes ?? []).map((tax) => {
    return { ...tax, amount: share(tax.amount), taxable_amount: share(tax.taxable_amount) };
  });
  const discount_amounts = (line.discount_amounts ?? []).map((off) => {
    return { amount: share(off.amount), discount: idOf(off.discount) };
  });
  return newObject('credit_note_line_item', 0, {
    amount,
    description: line.description,
    discount_amount: sum(discount_amounts),
    discount_amounts,
    invoice_line_item: line.id,
    taxes,
    type: 'invoice_line_item',
  });
}

/** The lines of a note: the invoice's own where it names them, else one for the amount, which has no tax, whatever the invoice has. */
function noteLines(invoice: Invoice, earlier: CreditNote[], { amount, lines }: Params): NoteLine[] {
  const credited = earlier.flatMap((note) => note.lines.data);
  if (lines && amount === undefined) return lines.map((line) => creditedLine(invoice, credited, line));
  const custom = { description: `Credit for invoice ${invoice.number}`, type: 'custom_line_item' as const };
  if (!lines && amount !== undefined) return [newObject('credit_note_line_item', 0, { ...custom, amount })];
  throw new SandboxError('You must provide one of `amount` or `lines`.');
}

/** Lowers what is still to be paid; with nothing left, the invoice is paid. */
async function reduceInvoice(store: Store, invoice: Invoice, pre: number, post: number) {
  const reduced: Invoice = {
    ...invoice,
    amount_due: invoice.amount_due - pre,
    amount_remaining: invoice.amount_remaining - pre,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + pre,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + post,
  };
  await store.save(reduced, 'invoice.updated');
  const intent = pre > 0 ? await intentOf(store, reduced) : null;
  if (!intent) return;
  if (reduced.amount_remaining > 0) return void (await store.save({ ...intent, amount: reduced.amount_remaining }));
  await cancelPayment(store, reduced);
  await markPaid(store, reduced, null);
}

/** What a note takes off what is still to be paid, and what of it was paid and goes back as the request says. */
function splitOf(invoice: Invoice, earlier: CreditNote[], total: number, back: number) {
  const most = earlier.reduce((left, note) => left - note.total, invoice.total);
  if (total < 1 || total > most)
    throw new SandboxError(`The credit note's amount must be positive and at most ${most}.`);
  const pre = Math.min(total, invoice.amount_remaining);
  const post = total - pre;
  if (back === post) return { pre, post };
  throw new SandboxError(`The credit and refund amounts (${back}) must equal the post payment amount (${post}).`);
}

/** Corrects a final invoice: less to pay, money back on the card, or credit for later. */
export async function issueCreditNote(store: Store, invoice: Invoice, params: Params): Promise<CreditNote> {
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw new SandboxError('Credit notes can only be created for invoices that are open or paid.');
  const earlier = await store.select('credit_note', { equal: { invoice: invoice.id } });
  const { refund_amount: refunded = 0, credit_amount: credited = 0 } = params;
  const lines = noteLines(invoice, earlier, params);
  const { discounts, sums } = sumsOf(lines);
  const { pre, post } = splitOf(invoice, earlier, sums.total, refunded + credited);
  const id = newId('credit_note');
  const customer = idOf(invoice.customer ?? '');
  const intent = refunded > 0 ? await intentOf(store, invoice) : null;
  if (refunded > 0 && !intent) throw new SandboxError('This invoice was not paid with a card.');
  const refund = intent ? await refundCharge(store, await chargeOf(store, intent), refunded) : null;
  const about = { credit_note: id, invoice: invoice.id };
  if (credited > 0) await moveBalance(store, customer, -credited, 'credit_note', about);
  const own = {
    id,
    amount: sums.total,
    customer,
    discount_amount: sum(discounts),
    discount_amounts: discounts,
    invoice: invoice.id,
    lines: listOf(lines, `/v1/credit_notes/${id}/lines`),
    memo: params.memo,
    metadata: mergeMetadata(null, params.metadata),
    number: `${invoice.number ?? 'SANDBOX'}-CN-${String(earlier.length + 1).padStart(2, '0')}`,
    pdf: `https://invoice.sandbox.invalid/${id}/pdf`,
    post_payment_amount: post,
    pre_payment_amount: pre,
    reason: params.reason,
    refunds: refund ? [{ amount_refunded: refunded, refund: refund.id, type: 'refund' as const }] : [],
    status: 'issued' as const,
    ...sums,
    type: post === 0 ? ('pre_payment' as const) : pre === 0 ? ('post_payment' as const) : ('mixed' as const),
  };
  const note = await store.create('credit_note', own, 'credit_note.created');
  await store.hide(id, { mailed: params.email_type !== 'none' });
  await reduceInvoice(store, invoice, pre, post);
  return note;
}

export const create = handle<Params>(
  ['invoice', 'amount', 'lines', 'refund_amount', 'credit_amount', 'reason', 'memo', 'metadata', 'email_type'],
  async (store, params) => issueCreditNote(store, await store.get('invoice', params.invoice, 'invoice'), params),
);
