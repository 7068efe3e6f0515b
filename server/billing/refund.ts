import type Stripe from 'stripe';
import { cardName } from '#shared/rules/billing/money.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { askOnce, askStripe, idOf, isRefusal, isReusedKey } from '#server/stripe/ask.ts';
import { findInvoice } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { syncAdjustmentNotes } from './adjustment-notes.ts';
import { creditedLines } from './refund-lines.ts';

/** What Stripe says about an invoice's money. */
export type Refundable = {
  paidCents: number;
  refundedCents: number;
  /** What may still be refunded. */
  leftCents: number;
  /** The bank has the money of a disputed payment: nothing can be refunded. */
  disputed: boolean;
  card: string | null;
  /** Credit notes and refunds so far, including failed ones, so it only grows. */
  made: number;
};

type Payment = { captured: number; refunded: number; refunds: number; disputed: boolean; card: string | null };

async function readPayment(context: Context, intent: string): Promise<Payment | null> {
  const { status, latest_charge: charge } = await askStripe(context, (stripe) =>
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
  );
  if (status !== 'succeeded' || !charge || typeof charge === 'string') return null;
  const refunds = await askStripe(context, (stripe) => stripe.refunds.list({ payment_intent: intent, limit: 100 }));
  const card = charge.payment_method_details?.card;
  return {
    captured: charge.amount_captured,
    refunded: charge.amount_refunded,
    refunds: refunds.data.length,
    disputed: charge.disputed && !(await isRefundable(context, intent)),
    card: card?.last4 ? cardName({ brand: card.brand ?? '', last4: card.last4 }) : null,
  };
}

/** A charge that was ever disputed stays so; its disputes say whether it can be refunded, as in an inquiry or once one is won. */
async function isRefundable(context: Context, intent: string): Promise<boolean> {
  const { data } = await askStripe(context, (stripe) => stripe.disputes.list({ payment_intent: intent, limit: 100 }));
  return data.every((dispute) => dispute.is_charge_refundable);
}

/** What is left to refund: no more than is left of the card's money, nor of the invoice, which credit notes may have reduced. */
export async function readRefundable(
  context: Context,
  { stripeInvoiceId, totalCents }: Pick<InvoiceRow, 'stripeInvoiceId' | 'totalCents'>,
): Promise<Refundable> {
  const [notes, links] = await Promise.all([
    notesOf(context, stripeInvoiceId),
    askStripe(context, (stripe) => stripe.invoicePayments.list({ invoice: stripeInvoiceId, limit: 100 })),
  ]);
  const intents = links.data.flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
  const payments = (await Promise.all(intents.map((intent) => readPayment(context, intent)))).filter(
    (payment) => payment !== null,
  );
  const sum = (of: (payment: Payment) => number) => payments.reduce((total, payment) => total + of(payment), 0);
  const issued = notes.filter(({ status }) => status === 'issued');
  const noted = issued.reduce((total, note) => total + note.total, 0);
  const notedRefunds = issued
    .flatMap(({ refunds }) => refunds)
    .reduce((total, { amount_refunded: cents }) => total + cents, 0);
  const paidCents = sum(({ captured }) => captured);
  const refundedCents = sum(({ refunded }) => refunded);
  const disputed = payments.some((payment) => payment.disputed);
  const ofInvoice = totalCents - noted - Math.max(0, refundedCents - notedRefunds);
  return {
    paidCents,
    refundedCents,
    leftCents: disputed ? 0 : Math.max(0, Math.min(paidCents - refundedCents, ofInvoice)),
    disputed,
    card: payments.find(({ card }) => card !== null)?.card ?? null,
    made: notes.length + sum(({ refunds }) => refunds),
  };
}

/**
 * Sends money back to the card by a credit note on lines of the invoice, so that the GST in it is Stripe's figure; the adjustment note
 * and our mail follow. Where its lines can't make up the sum, the note is by amount. Under one key it happens once, however often asked.
 */
export async function refundInvoice(
  context: Context,
  { stripeInvoiceId }: Pick<InvoiceRow, 'stripeInvoiceId'>,
  { cents, reason, key }: { cents: number; reason: string; key: string },
): Promise<void> {
  const notes = await notesOf(context, stripeInvoiceId);
  // Stripe forgets keys after a day, but not the note.
  if (!notes.some(isMadeBy(key))) {
    const invoice = await findInvoice(context, stripeInvoiceId);
    const lines = creditedLines(invoice?.lines.data ?? [], notes, cents);
    const note = {
      invoice: stripeInvoiceId,
      refund_amount: cents,
      memo: reason,
      metadata: { key },
      email_type: 'none' as const,
    };
    const made = lines && (await createNote(context, { ...note, lines }, key, { isLast: false }));
    if (!made) await createNote(context, { ...note, amount: cents }, key, { isLast: true });
  }
  await syncAdjustmentNotes(context, stripeInvoiceId, async () => undefined);
}

const notesOf = async (context: Context, invoice: string) =>
  (await askStripe(context, (stripe) => stripe.creditNotes.list({ invoice, limit: 100 }))).data;

const isMadeBy =
  (key: string) =>
  ({ metadata }: Stripe.CreditNote) =>
    metadata?.['key'] === key;

/** Null where Stripe refused, and it is not the last way to ask. */
async function createNote(
  context: Context,
  params: Stripe.CreditNoteCreateParams,
  key: string,
  { isLast }: { isLast: boolean },
): Promise<Stripe.CreditNote | null> {
  try {
    return await askOnce(
      context,
      `refund:${key}${params.lines ? ':lines' : ''}`,
      (stripe, options) => stripe.creditNotes.create(params, options),
      async () => (await notesOf(context, params.invoice)).find(isMadeBy(key)) ?? null,
    );
  } catch (error) {
    // Somebody else asked at the same moment for another amount.
    if (isReusedKey(error)) throw new AppError('refund_changed', { cause: error });
    if (!isRefusal(error)) throw error;
    if (isLast) throw new AppError('refund_refused', { cause: error });
    context.log.warn({ err: error, invoice: params.invoice }, 'Stripe refused a credit note by lines');
    return null;
  }
}
