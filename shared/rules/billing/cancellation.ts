import { nextMonthlyAnniversary, plus } from '../dates.ts';
import { graceMs, type SubscriptionFacts } from './subscriptions.ts';

/** In the order of the form. */
export const cancellationReasons = ['too_expensive', 'not_using', 'switching_tools', 'poor_support', 'other'] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

export const cancellationReasonLabels: Record<CancellationReason, string> = {
  too_expensive: 'Too expensive',
  not_using: 'Not using it enough',
  switching_tools: 'Switching to another tool',
  poor_support: 'Poor support',
  other: 'Other',
};

export type CancellableSubscription = Omit<SubscriptionFacts, 'autoRenew'> & { createdAt: Date };

/**
 * What cancelling makes of a subscription: access ends at `endDate`, and it can be reactivated until `gracePeriodEnd`. After a failed
 * payment nothing is paid for, so access ends at once either way.
 */
export function cancellationTerms(sub: CancellableSubscription, immediately: boolean, now: Date) {
  const inGrace = sub.status === 'grace_period';
  const endDate = immediately || inGrace ? now : paidUntil(sub, now);
  const gracePeriodEnd = (inGrace && sub.gracePeriodEnd) || plus(endDate, graceMs);
  return { status: 'cancelled' as const, autoRenew: false, endDate, gracePeriodEnd };
}

/** The end of the trial or of the paid period; where nothing is paid, the next monthly anniversary. */
function paidUntil(sub: CancellableSubscription, now: Date): Date {
  const end = sub.status === 'trial' ? sub.trialEndDate : sub.endDate;
  if (!end) return nextMonthlyAnniversary(sub.createdAt, now);
  return end > now ? end : now;
}
