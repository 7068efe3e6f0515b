import type Stripe from 'stripe';
import { moveBalance } from '../customers/balance.ts';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { listOf } from '../http/lists.ts';
import { chargeOf, refundCharge } from '../payments/refunds.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { portion, sum } from './amounts.ts';
import { cancelPayment, intentOf } from './collect.ts';
import { markPaid } from './outcome.ts';

type Invoice = Objects['invoice'];
type CreditNote = Objects['credit_note'];
type Params = Stripe.CreditNoteCreateParams;

const notesOf = (store: Store, invoice: Invoice) => store.select('credit_note', { equal: { invoice: invoice.id } });

/** The one line of a note by amount, where earlier notes took `before` cents. The shares of tax add up to the invoice's own taxes. */
async function lineOf(store: Store, invoice: Invoice, cents: number, before: number) {
  const invoiced = invoice.total_taxes ?? [];
  const taxes = invoiced.map((tax) => {
    const share = (whole: number) =>
      portion(whole, before + cents, invoice.total) - portion(whole, before, invoice.total);
    return { ...tax, amount: share(tax.amount), taxable_amount: share(tax.taxable_amount ?? 0) };
  });
  const line = newObject('credit_note_line_item', store.at, {
    amount: cents,
    description: `Credit for invoice ${invoice.number ?? invoice.id}`,
    discount_amount: 0,
    discount_amounts: [],
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: await Promise.all(
      invoiced.map(({ tax_rate_details: details }) => store.get('tax_rate', details?.tax_rate ?? '')),
    ),
    taxes,
    type: 'custom_line_item',
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  });
  return { line, taxes };
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
  if (reduced.amount_remaining === 0) {
    await cancelPayment(store, reduced, 'abandoned');
    await markPaid(store, reduced, null);
    return;
  }
  await store.save({ ...intent, amount: reduced.amount_remaining });
  const [payment] = await store.select('invoice_payment', { equal: { invoice: invoice.id, status: 'open' } });
  if (payment) await store.save({ ...payment, amount_requested: reduced.amount_remaining });
}

/** Corrects a final invoice: less to pay, money back on the card, or credit for later. */
export async function issueCreditNote(store: Store, invoice: Invoice, params: Params): Promise<CreditNote> {
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw new SandboxError(`Credit notes can only be created for invoices that are open or paid.`, {
      code: 'invoice_not_editable',
    });
  const earlier = await notesOf(store, invoice);
  const before = sum(earlier.map((note) => note.total));
  const { amount: total, refund_amount: refunded = 0, credit_amount: credited = 0 } = params;
  if (total === undefined) throw unsupported('credit notes without an amount', 'amount');
  const most = invoice.total - before;
  if (total < 1 || total > most)
    throw new SandboxError(`The credit note's amount must be positive and at most ${most}.`, { param: 'amount' });
  const pre = Math.min(total, invoice.amount_remaining);
  const post = total - pre;
  if (refunded + credited !== post)
    throw new SandboxError(
      `The sum of credit amount, refund amount and out of band amount (${refunded + credited}) must equal the post payment amount (${post}).`,
      { param: 'refund_amount' },
    );
  const id = newId('credit_note');
  const customer = idOf(invoice.customer ?? '');
  const about = { currency: invoice.currency, credit_note: id, invoice: invoice.id };
  const intent = refunded > 0 ? await intentOf(store, invoice) : null;
  if (refunded > 0 && !intent)
    throw new SandboxError('This invoice was not paid with a card.', { param: 'refund_amount' });
  const refund = intent ? await refundCharge(store, await chargeOf(store, intent), refunded) : null;
  const credit = credited > 0 ? await moveBalance(store, customer, -credited, 'credit_note', about) : null;
  const { line, taxes } = await lineOf(store, invoice, total, before);
  const withoutTax = total - sum(taxes.map(({ amount }) => amount));
  const note = newObject('credit_note', store.at, {
    id,
    amount: total,
    amount_shipping: 0,
    currency: invoice.currency,
    customer,
    customer_balance_transaction: credit?.id,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: store.at,
    invoice: invoice.id,
    lines: listOf([line], `/v1/credit_notes/${id}/lines`),
    memo: params.memo,
    metadata: mergeMetadata(null, params.metadata),
    number: `${invoice.number ?? 'SANDBOX'}-CN-${String(earlier.length + 1).padStart(2, '0')}`,
    pdf: '',
    post_payment_amount: post,
    pre_payment_amount: pre,
    pretax_credit_amounts: [],
    reason: params.reason,
    refunds: refund ? [{ amount_refunded: refunded, refund: refund.id, type: 'refund' }] : [],
    status: 'issued',
    subtotal: total,
    subtotal_excluding_tax: withoutTax,
    total,
    total_excluding_tax: withoutTax,
    total_taxes: taxes,
    type: post === 0 ? 'pre_payment' : pre === 0 ? 'post_payment' : 'mixed',
  });
  await store.save(note, 'credit_note.created');
  await reduceInvoice(store, invoice, pre, post);
  return note;
}

export const create = handle<Params>(
  ['invoice', 'amount', 'refund_amount', 'credit_amount', 'reason', 'memo', 'metadata'],
  async (store, params) => issueCreditNote(store, await store.get('invoice', params.invoice, 'invoice'), params),
);
