import { cardName } from '#shared/rules/billing/money.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { askStripe, isReusedKey } from '#server/stripe/ask.ts';
import { notesOf, refund } from '#server/stripe/credit-notes.ts';
import { paymentsOf } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { syncAdjustmentNotes } from './adjustment-notes.ts';

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
  const [notes, intents] = await Promise.all([notesOf(context, stripeInvoiceId), paymentsOf(context, stripeInvoiceId)]);
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

/** Sends money back to the card; the adjustment note and our mail follow. Under one key it happens once, however often asked. */
export async function refundInvoice(
  context: Context,
  { stripeInvoiceId }: Pick<InvoiceRow, 'stripeInvoiceId'>,
  { cents, reason, key }: { cents: number; reason: string; key: string },
): Promise<void> {
  const refunded = await refund(context, stripeInvoiceId, { cents, key, memo: reason }).catch((error: unknown) => {
    // Somebody else asked at the same moment for another amount.
    throw isReusedKey(error) ? new AppError('refund_changed', { cause: error }) : error;
  });
  if (refunded !== cents) throw new AppError('refund_refused');
  await syncAdjustmentNotes(context, stripeInvoiceId, async () => undefined);
}
