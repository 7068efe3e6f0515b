import type Stripe from 'stripe';
import { cardName } from '#shared/rules/billing/money.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { askStripe, idOf, isReusedKey } from '#server/stripe/ask.ts';
import { notesOf, refund } from '#server/stripe/credit-notes.ts';
import { paymentsOf } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { refundsOf, syncAdjustmentNotes } from './adjustment-notes.ts';

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

/** The charge of a payment that succeeded. */
async function findCharge(context: Context, intent: string): Promise<Stripe.Charge | null> {
  const { status, latest_charge: charge } = await askStripe(context, (stripe) =>
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
  );
  return status === 'succeeded' && typeof charge !== 'string' ? charge : null;
}

/** A charge that was ever disputed stays so; its disputes say whether it can be refunded, as in an inquiry or once one is won. */
async function isHeld(context: Context, { disputed, payment_intent }: Stripe.Charge): Promise<boolean> {
  const intent = idOf(payment_intent);
  if (!disputed || intent === null) return false;
  const { data } = await askStripe(context, (stripe) => stripe.disputes.list({ payment_intent: intent, limit: 100 }));
  return data.some((dispute) => !dispute.is_charge_refundable);
}

/** What is left to refund: no more than is left of the card's money, nor of the invoice, which credit notes may have reduced. */
export async function readRefundable(
  context: Context,
  { stripeInvoiceId, totalCents }: Pick<InvoiceRow, 'stripeInvoiceId' | 'totalCents'>,
): Promise<Refundable> {
  const [notes, refunds, intents] = await Promise.all([
    notesOf(context, stripeInvoiceId),
    refundsOf(context, stripeInvoiceId),
    paymentsOf(context, stripeInvoiceId),
  ]);
  const charges = (await Promise.all(intents.map((intent) => findCharge(context, intent)))).filter(
    (one) => one !== null,
  );
  const paidCents = charges.reduce((sum, charge) => sum + charge.amount_captured, 0);
  const refundedCents = charges.reduce((sum, charge) => sum + charge.amount_refunded, 0);
  const disputed = (await Promise.all(charges.map((charge) => isHeld(context, charge)))).includes(true);
  const issued = notes.filter(({ status }) => status === 'issued');
  const noted = issued.reduce((sum, note) => sum + note.total, 0);
  const notedRefunds = issued.flatMap((note) => note.refunds).reduce((sum, one) => sum + one.amount_refunded, 0);
  const ofInvoice = totalCents - noted - Math.max(0, refundedCents - notedRefunds);
  const card = charges.map((charge) => charge.payment_method_details?.card).find((one) => one?.last4);
  return {
    paidCents,
    refundedCents,
    leftCents: disputed ? 0 : Math.max(0, Math.min(paidCents - refundedCents, ofInvoice)),
    disputed,
    card: card?.last4 ? cardName({ brand: card.brand ?? '', last4: card.last4 }) : null,
    made: notes.length + refunds.length,
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
