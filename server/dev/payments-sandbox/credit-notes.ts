import type Stripe from 'stripe';
import { addUp } from './amounts.ts';
import { moveBalance } from './balance.ts';
import { intentOf } from './billing.ts';
import { creditLine, shareLine, type CreditLine } from './credit-note-lines.ts';
import { listOf } from './expand.ts';
import { handle } from './handler.ts';
import { markPaid } from './invoice-outcomes.ts';
import { given, listPage, pageOf } from './lists.ts';
import { idOf, mergeMetadata, newId, type Objects } from './objects.ts';
import { cancelIntent } from './payments.ts';
import { chargeOf, refundCharge } from './refunds.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Invoice = Objects['invoice'];
type CreditNote = Objects['credit_note'];
type Params = Stripe.CreditNoteCreateParams;

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const notesOf = (store: Store, invoice: Invoice) => store.select('credit_note', { equal: { invoice: invoice.id } });

async function linesOf(store: Store, invoice: Invoice, params: Params, before: number): Promise<CreditLine[]> {
  if ((params.amount === undefined) === (params.lines === undefined))
    throw new SandboxError('Pass either amount or lines.', { code: 'parameter_missing', param: 'amount' });
  if (params.amount !== undefined) return [await shareLine(store, invoice, params.amount, before)];
  return Promise.all((params.lines ?? []).map((line) => creditLine(store, invoice, line)));
}

/** What is still to be paid becomes less; nothing left means paid. */
async function reduceInvoice(store: Store, invoice: Invoice, pre: number, post: number) {
  const reduced = await store.save<Invoice>({
    ...invoice,
    amount_due: invoice.amount_due - pre,
    amount_remaining: invoice.amount_remaining - pre,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + pre,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + post,
  });
  await store.emit('invoice.updated', reduced);
  const intent = pre > 0 ? await intentOf(store, reduced) : null;
  if (!intent) return;
  const [payment] = await store.select('invoice_payment', { equal: { invoice: invoice.id, status: 'open' } });
  if (reduced.amount_remaining > 0) {
    await store.save({ ...intent, amount: reduced.amount_remaining });
    if (payment) await store.save({ ...payment, amount_requested: reduced.amount_remaining });
    return;
  }
  await cancelIntent(store, intent, 'abandoned');
  if (payment)
    await store.save({
      ...payment,
      status: 'canceled',
      status_transitions: { ...payment.status_transitions, canceled_at: store.at },
    });
  await markPaid(store, reduced, null);
}

/** Corrects a final invoice: less to pay, money back on the card, or credit for later. */
export async function issueCreditNote(store: Store, invoice: Invoice, params: Params): Promise<CreditNote> {
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw new SandboxError(`Credit notes can only be created for invoices that are open or paid.`, {
      code: 'invoice_not_editable',
    });
  const earlier = await notesOf(store, invoice);
  const before = sum(earlier.map(({ total }) => total));
  const lines = await linesOf(store, invoice, params, before);
  const total = sum(lines.map(({ cents }) => cents));
  const most = invoice.total - before;
  if (total < 1 || total > most)
    throw new SandboxError(`The credit note's amount must be positive and at most ${most}.`, { param: 'amount' });
  const pre = Math.min(total, invoice.amount_remaining);
  const post = total - pre;
  const { refund_amount: refunded = 0, credit_amount: credited = 0, out_of_band_amount: elsewhere = 0 } = params;
  if (refunded + credited + elsewhere !== post)
    throw new SandboxError(
      `The sum of credit amount, refund amount and out of band amount (${refunded + credited + elsewhere}) must equal the post payment amount (${post}).`,
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
  const taxes = addUp(
    lines.flatMap(({ line }) => line.taxes ?? []),
    (tax) => tax.tax_rate_details?.tax_rate ?? '',
  );
  const discounts = addUp(
    lines.flatMap(({ line }) => line.discount_amounts),
    ({ discount }) => idOf(discount),
  );
  const inside = sum(taxes.filter((tax) => tax.tax_behavior === 'inclusive').map(({ amount }) => amount));
  const subtotal = sum(lines.map(({ line }) => line.amount));
  const note = await store.save<CreditNote>({
    id,
    object: 'credit_note',
    amount: total,
    amount_shipping: 0,
    created: store.at,
    currency: invoice.currency,
    customer,
    customer_account: null,
    customer_balance_transaction: credit?.id ?? null,
    discount_amount: sum(discounts.map(({ amount }) => amount)),
    discount_amounts: discounts,
    effective_at: params.effective_at ?? store.at,
    invoice: invoice.id,
    lines: listOf(
      lines.map(({ line }) => line),
      `/v1/credit_notes/${id}/lines`,
    ),
    livemode: false,
    memo: params.memo ?? null,
    metadata: mergeMetadata({}, params.metadata),
    number: `${invoice.number ?? 'SANDBOX'}-CN-${String(earlier.length + 1).padStart(2, '0')}`,
    out_of_band_amount: elsewhere || null,
    pdf: '',
    post_payment_amount: post,
    pre_payment_amount: pre,
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    reason: params.reason ?? null,
    refunds: refund
      ? [{ amount_refunded: refunded, payment_record_refund: null, refund: refund.id, type: 'refund' }]
      : [],
    shipping_cost: null,
    status: 'issued',
    subtotal,
    subtotal_excluding_tax: subtotal - inside,
    total,
    total_excluding_tax: total - sum(taxes.map(({ amount }) => amount)),
    total_taxes: taxes,
    type: post === 0 ? 'pre_payment' : pre === 0 ? 'post_payment' : 'mixed',
    voided_at: null,
  });
  await store.emit('credit_note.created', note);
  await reduceInvoice(store, invoice, pre, post);
  return note;
}

export const create = handle<Params>(
  [
    'invoice',
    'amount',
    'lines',
    'refund_amount',
    'credit_amount',
    'out_of_band_amount',
    'reason',
    'memo',
    'metadata',
    'effective_at',
    'email_type',
  ],
  async (store, params) => issueCreditNote(store, await store.get('invoice', params.invoice, 'invoice'), params),
);
export const retrieve = handle<Stripe.CreditNoteRetrieveParams>([], (store, _params, id) =>
  store.get('credit_note', id),
);
export const list = handle<Stripe.CreditNoteListParams>(
  ['customer', 'invoice', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const equal = given({ customer: params.customer, invoice: params.invoice });
    return listPage(store, 'credit_note', params, { equal }, '/v1/credit_notes');
  },
);
export const listLines = handle<Stripe.CreditNoteListLineItemsParams>(
  ['limit', 'starting_after', 'ending_before'],
  async (store, params, id) => {
    const { lines } = await store.get('credit_note', id);
    return pageOf(lines.data, params, `/v1/credit_notes/${id}/lines`);
  },
);
