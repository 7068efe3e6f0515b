import type Stripe from 'stripe';
import { providerEnd } from '#shared/rules/cancellation.ts';
import {
  dropPendingCharges,
  endProviderSubscription,
  hasUnpaidRenewal,
  periodOf,
  readProviderSubscription,
  scheduledEnd,
  scheduleProviderEnd,
  type Why,
} from '#server/billing/service.ts';
import type { Context } from '#server/platform/context.ts';
import { subscriptionById, type SubscriptionRow } from './queries.ts';

/** The provider would charge for it again, now or by itself later. */
const inArrears = (provider: Stripe.Subscription) =>
  provider.status === 'past_due' || provider.status === 'unpaid' || hasUnpaidRenewal(provider);

/**
 * Ends it at the provider as a cancellation demands: at once where something is owed, so that no later try can charge,
 * else with the paid period, and no later than the last day to reactivate.
 */
export async function endAsCancelled(
  context: Context,
  provider: Stripe.Subscription,
  gracePeriodEnd: Date,
  why: Why = {},
): Promise<void> {
  await dropPendingCharges(context, provider);
  const end = providerEnd(periodOf(provider).end, gracePeriodEnd);
  if (inArrears(provider) || end <= context.now()) await endProviderSubscription(context, provider.id);
  else await scheduleProviderEnd(context, provider, end, why);
}

/** Over, with an invoice that a new card would still pay. */
const leavesDebt = ({ status, latest_invoice: invoice }: Stripe.Subscription) =>
  status === 'canceled' && invoice !== null && typeof invoice !== 'string' && invoice.status === 'open';

/**
 * Nobody who cancelled is charged again, and nobody for what is over: a provider subscription that would go on is ended, its
 * open invoice voided. Answers the provider's
 * object as it is then; null where the row has changed since it was read.
 */
export async function heldToItsEnd(
  context: Context,
  row: SubscriptionRow,
  provider: Stripe.Subscription,
): Promise<Stripe.Subscription | null> {
  if (leavesDebt(provider)) {
    await endProviderSubscription(context, provider.id);
    return readProviderSubscription(context, provider.id);
  }
  if (row.status !== 'cancelled' || row.gracePeriodEnd === null || row.purchase?.revives) return provider;
  const runs = provider.status === 'trialing' || provider.status === 'active';
  if (!runs && !inArrears(provider)) return provider;
  const end = scheduledEnd(provider);
  const soonEnough = end !== null && end <= providerEnd(periodOf(provider).end, row.gracePeriodEnd);
  if (soonEnough && !inArrears(provider)) return provider;
  // What was read of the row is older than what was read of the provider: it may have been reactivated in between.
  if ((await subscriptionById(context.db, row.id))?.version !== row.version) return null;
  await endAsCancelled(context, provider, row.gracePeriodEnd);
  return readProviderSubscription(context, provider.id);
}
