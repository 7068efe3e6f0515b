import type Stripe from 'stripe';
import type { Charge } from '#shared/api/subscriptions.ts';
import { customerDetails, type Payer, storeCard } from '#server/payers/service.ts';
import { cardOf, findDefaultCard, idOf, payInvoice } from '#server/stripe/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';

/** The card on file, as Stripe has it. Of what the payer agreed to neither amount nor card may have changed (409). */
export async function cardToCharge(
  context: Context,
  payer: Payer,
  agreed: Charge | undefined,
  cents: number,
): Promise<Stripe.PaymentMethod | null> {
  if (agreed && agreed.cents !== cents) throw new AppError('price_changed');
  const { stripeCustomerId } = await customerDetails(context.db, payer);
  const card = stripeCustomerId === null ? null : await findDefaultCard(context, stripeCustomerId);
  if (agreed && card?.card?.last4 !== agreed.last4) {
    await storeCard(context.db, payer, cardOf(card));
    throw new AppError('card_changed');
  }
  return card;
}

/** Charges the first invoice of a purchase that is still open; false where there is nothing to charge, or no card. */
export async function chargeFirstInvoice(
  context: Context,
  stripeSubscription: Stripe.Subscription,
  card: Stripe.PaymentMethod | null,
): Promise<boolean> {
  const invoiceId = idOf(stripeSubscription.latest_invoice);
  if (!card || stripeSubscription.status !== 'incomplete' || invoiceId === null) return false;
  await payInvoice(context, invoiceId, card);
  return true;
}
