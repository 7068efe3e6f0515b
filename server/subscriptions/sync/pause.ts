import type Stripe from 'stripe';
import { findPayerFacts, payerOf } from '#server/payers/service.ts';
import { pauseAtStripe, requireStripeSubscription } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { SubscriptionRow } from '../queries.ts';

/** Has Stripe charge nothing while the adviser is suspended, and charge again afterwards. Answers the subscription as it is then. */
export async function enforcePause(
  context: Context,
  row: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const paused = (await findPayerFacts(context.db, payerOf(row)))?.chargesPaused ?? false;
  const changed = await pauseAtStripe(context, stripeSubscription, paused);
  return changed ? requireStripeSubscription(context, stripeSubscription.id) : stripeSubscription;
}
