import type Stripe from 'stripe';
import { moveBalance } from '../customers/balance.ts';
import { SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { embeddedList } from '../http/lists.ts';
import { chargeOf, refundCharge } from '../payments/refunds.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { sum } from './amounts.ts';
import { sumsOf } from './build.ts';
import { cancelPayment, intentOf } from './collect.ts';
import { noteLines } from './note-lines.ts';
import { markPaid } from './outcome.ts';

type Invoice = Objects['invoice'];
type CreditNote = Objects['credit_note'];
type Params = Stripe.CreditNoteCreateParams;

const notesOf = (store: Store, invoice: Invoice) => store.select('credit_note', { equal: { invoice: invoice.id } });

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

/** What a note takes off what is still to be paid, and what of it was paid and goes back as the request says. */
function splitOf(invoice: Invoice, earlier: CreditNote[], total: number, back: number) {
  const most = invoice.total - sum(earlier.map((note) => note.total));
  if (total < 1 || total > most)
    throw new SandboxError(`The credit note's amount must be positive and at most ${most}.`, { param: 'amount' });
  const pre = Math.min(total, invoice.amount_remaining);
  const post = total - pre;
  if (back !== post)
    throw new SandboxError(
      `The sum of credit amount, refund amount and out of band amount (${back}) must equal the post payment amount (${post}).`,
      { param: 'refund_amount' },
    );
  return { pre, post };
}

/** Corrects a final invoice: less to pay, money back on the card, or credit for later. */
export async function issueCreditNote(store: Store, invoice: Invoice, params: Params): Promise<CreditNote> {
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw new SandboxError(`Credit notes can only be created for invoices that are open or paid.`, {
      code: 'invoice_not_editable',
    });
  const earlier = await notesOf(store, invoice);
  const { refund_amount: refunded = 0, credit_amount: credited = 0 } = params;
  const lines = await noteLines(store, invoice, earlier, params);
  const { discounts, sums } = sumsOf(lines);
  const { total } = sums;
  const { pre, post } = splitOf(invoice, earlier, total, refunded + credited);
  const id = newId('credit_note');
  const customer = idOf(invoice.customer ?? '');
  const about = { currency: invoice.currency, credit_note: id, invoice: invoice.id };
  const intent = refunded > 0 ? await intentOf(store, invoice) : null;
  if (refunded > 0 && !intent)
    throw new SandboxError('This invoice was not paid with a card.', { param: 'refund_amount' });
  const refund = intent ? await refundCharge(store, await chargeOf(store, intent), refunded) : null;
  const credit = credited > 0 ? await moveBalance(store, customer, -credited, 'credit_note', about) : null;
  const note = newObject('credit_note', store.at, {
    id,
    amount: total,
    currency: invoice.currency,
    customer,
    customer_balance_transaction: credit?.id,
    discount_amount: sum(discounts.map((off) => off.amount)),
    discount_amounts: discounts,
    effective_at: store.at,
    invoice: invoice.id,
    lines: embeddedList(lines, `/v1/credit_notes/${id}/lines`),
    memo: params.memo,
    metadata: mergeMetadata(null, params.metadata),
    number: `${invoice.number ?? 'SANDBOX'}-CN-${String(earlier.length + 1).padStart(2, '0')}`,
    pdf: `https://invoice.sandbox.invalid/${id}/pdf`,
    post_payment_amount: post,
    pre_payment_amount: pre,
    pretax_credit_amounts: discounts.map((off) => ({ ...off, type: 'discount' as const })),
    reason: params.reason,
    refunds: refund ? [{ amount_refunded: refunded, refund: refund.id, type: 'refund' }] : [],
    status: 'issued',
    ...sums,
    type: post === 0 ? 'pre_payment' : pre === 0 ? 'post_payment' : 'mixed',
  });
  await store.save(note, 'credit_note.created');
  await store.hide(note, { mailed: params.email_type !== 'none' });
  await reduceInvoice(store, invoice, pre, post);
  return note;
}

export const create = handle<Params>(
  ['invoice', 'amount', 'lines', 'refund_amount', 'credit_amount', 'reason', 'memo', 'metadata', 'email_type'],
  async (store, params) => issueCreditNote(store, await store.get('invoice', params.invoice, 'invoice'), params),
);
