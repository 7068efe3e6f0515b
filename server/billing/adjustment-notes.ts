import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { asked, idOf } from './provider.ts';
import { readInvoice } from './read-invoice.ts';
import { replaceNotes, type InvoiceRow } from './queries-invoices.ts';

const sum = (amounts: { amount: number }[] | null) => (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const words: Record<string, string> = {
  duplicate: 'paid twice',
  fraudulent: 'not authorised by the cardholder',
  order_change: 'change of the order',
  product_unsatisfactory: 'unsatisfactory service',
  requested_by_customer: 'requested by the customer',
};
const reasonOf = (reason: string | null) => (reason === null ? null : (words[reason] ?? reason));

/**
 * Brings the adjustment notes of an invoice to what the provider has: every credit note, and every refund made without
 * one. False where the invoice is none of ours.
 */
export async function convergeNotes(
  context: Context,
  providerInvoiceId: string,
  also: (tx: Db) => Promise<void>,
): Promise<boolean> {
  const invoice = await readInvoice(context, providerInvoiceId);
  if (!invoice) return false;
  const creditNotes = await asked(context, (stripe) =>
    stripe.creditNotes.list({ invoice: providerInvoiceId, limit: 100 }),
  );
  const issued = creditNotes.data.filter(({ status }) => status === 'issued');
  const accounted = new Set(issued.flatMap(({ refunds }) => refunds.map(({ refund }) => idOf(refund))));
  const bare = (await refundsOf(context, providerInvoiceId)).filter(({ id }) => !accounted.has(id));
  const notes = [
    ...issued.map((note) => ({
      providerId: note.id,
      number: note.number,
      totalCents: note.total,
      gstCents: sum(note.total_taxes),
      reason: note.memo ?? reasonOf(note.reason),
      issuedAt: new Date(note.created * 1000),
    })),
    ...bare.map((refund) => ({
      providerId: refund.id,
      number: null,
      totalCents: refund.amount,
      gstCents: shareOfGst(refund.amount, invoice),
      reason: reasonOf(refund.reason),
      issuedAt: new Date(refund.created * 1000),
    })),
  ].filter(({ totalCents }) => totalCents > 0);
  await transaction(context.db, async (tx) => {
    await replaceNotes(tx, invoice, notes);
    await also(tx);
  });
  return true;
}

/** Refunds that went through or are on their way, oldest first. */
async function refundsOf(context: Context, invoice: string): Promise<Stripe.Refund[]> {
  const payments = await asked(context, (stripe) => stripe.invoicePayments.list({ invoice, limit: 100 }));
  const refunds: Stripe.Refund[] = [];
  for (const { payment } of payments.data) {
    const intent = idOf(payment.payment_intent);
    if (!intent) continue;
    const page = await asked(context, (stripe) => stripe.refunds.list({ payment_intent: intent, limit: 100 }));
    refunds.push(...page.data.filter(({ status }) => status === 'succeeded' || status === 'pending'));
  }
  return refunds.toSorted((a, b) => a.created - b.created || a.id.localeCompare(b.id));
}

/** A bare refund has no tax figure of its own: the invoice's part of it, rounded half up. */
const shareOfGst = (cents: number, { gstCents, totalCents }: InvoiceRow) =>
  totalCents > 0 ? Math.min(gstCents, Math.round((cents * gstCents) / totalCents)) : 0;

/** The invoice a payment was made for; null where it was for none. */
export async function invoiceOfPayment(context: Context, paymentIntent: string): Promise<string | null> {
  const page = await asked(context, (stripe) =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: paymentIntent }, limit: 1 }),
  );
  return idOf(page.data[0]?.invoice);
}
