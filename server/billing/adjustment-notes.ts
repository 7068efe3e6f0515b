import type Stripe from 'stripe';
import { formatCents } from '#shared/rules/billing/money.ts';
import { findInvoiceByStripeId, type InvoiceRow, type NoteRow, replaceNotes } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import { notesOf } from '#server/stripe/credit-notes.ts';
import { findInvoice, paymentsOf } from '#server/stripe/invoices.ts';
import { fromStripe, nextBill, toldBills } from '#server/subscriptions/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/data/database.ts';

const sum = (amounts: { amount: number }[] | null) => (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const reasons: Record<string, string> = {
  duplicate: 'paid twice',
  fraudulent: 'not authorised by the cardholder',
  order_change: 'change of the order',
  product_unsatisfactory: 'unsatisfactory service',
  requested_by_customer: 'requested by the customer',
};
const reasonOf = (reason: string | null) => (reason === null ? null : (reasons[reason] ?? reason));

/** Brings our copy of an invoice to what Stripe has; null where it is not ours, or not issued yet. */
async function syncInvoice(context: Context, id: string): Promise<InvoiceRow | null> {
  const invoice = await findInvoice(context, id);
  return invoice && (await fromStripe.keepInvoice(context.db, invoice)) ? findInvoiceByStripeId(context.db, id) : null;
}

/**
 * Brings the adjustment notes of an invoice to what Stripe has: one for every credit note, and for every refund without a
 * credit note. The payer is told of each new one that gives money back. False where the invoice is not ours.
 */
export async function syncAdjustmentNotes(
  context: Context,
  stripeInvoiceId: string,
  alsoInTransaction: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const invoice = await syncInvoice(context, stripeInvoiceId);
  if (!invoice) return false;
  const issued = (await notesOf(context, stripeInvoiceId)).filter(({ status }) => status === 'issued');
  const withCreditNote = new Set(issued.flatMap(({ refunds }) => refunds.map(({ refund }) => idOf(refund))));
  const bareRefunds = (await refundsOf(context, stripeInvoiceId)).filter(
    ({ id, status }) => (status === 'succeeded' || status === 'pending') && !withCreditNote.has(id),
  );
  const notes = [
    ...issued.map((note) => ({
      // A note on an invoice that was not paid yet only lowers it: nothing is given back.
      backCents: note.post_payment_amount,
      providerId: note.id,
      number: note.number,
      totalCents: note.total,
      gstCents: note.total_taxes?.length ? sum(note.total_taxes) : shareOfGst(note.total, invoice),
      reason: note.memo ?? reasonOf(note.reason),
      issuedAt: new Date(note.created * 1000),
    })),
    ...bareRefunds.map((refund) => ({
      backCents: refund.amount,
      providerId: refund.id,
      number: null,
      totalCents: refund.amount,
      gstCents: shareOfGst(refund.amount, invoice),
      reason: reasonOf(refund.reason),
      issuedAt: new Date(refund.created * 1000),
    })),
  ].filter(({ totalCents }) => totalCents > 0);
  await transaction(context.db, async (tx) => {
    for (const note of await replaceNotes(tx, invoice, notes)) {
      const cents = notes.find(({ providerId }) => providerId === note.providerId)?.backCents ?? 0;
      if (cents > 0) await tellRefund(within(context, tx), invoice, note, cents);
    }
    await alsoInTransaction(tx);
  });
  return true;
}

async function tellRefund(context: Context, invoice: InvoiceRow, note: NoteRow, cents: number): Promise<void> {
  const telling = await nextBill.tellingOf(context, payerOf(invoice));
  const { words } = telling;
  const amount = formatCents(cents);
  const message = `We have refunded ${amount} of the ${formatCents(invoice.totalCents)} for ${invoice.description}${words.whose} (invoice ${invoice.number ?? invoice.stripeInvoiceId})${note.reason ? `: ${note.reason}` : ''}.`;
  await toldBills.tell(telling, {
    key: `refund:${note.providerId}`,
    title: `Refund of ${amount}`,
    message,
    link: { ...words.billing, actionLabel: 'See the adjustment note' },
    kind: 'refund',
    subject: `Refund of ${amount}${words.whose}`,
    says: [
      message,
      `Adjustment note ${note.number}, with ${formatCents(note.gstCents)} GST, is on ${words.billingTab} beside the invoice. Banks take up to ten days to show a refund.`,
      ...nextBill.whatComesNext(telling),
    ],
    isAlert: true,
  });
}

/** The refunds of an invoice, failed ones too, oldest first. */
export async function refundsOf(context: Context, invoice: string): Promise<Stripe.Refund[]> {
  const pages = await Promise.all(
    (await paymentsOf(context, invoice)).map((payment_intent) =>
      askStripe(context, (stripe) => stripe.refunds.list({ payment_intent, limit: 100 })),
    ),
  );
  return pages.flatMap(({ data }) => data).toSorted((a, b) => a.created - b.created || a.id.localeCompare(b.id));
}

/** The GST in a refund or in a note by amount, its share of the invoice's, rounded half up: Stripe gives no figure for it. */
const shareOfGst = (cents: number, { gstCents, totalCents }: InvoiceRow) =>
  totalCents > 0 ? Math.min(gstCents, Math.round((cents * gstCents) / totalCents)) : 0;
