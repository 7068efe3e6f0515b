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

export type CancellationTerms = {
  /** When access ends. */
  endDate: Date;
  /** Until when it can be reactivated. */
  gracePeriodEnd: Date;
};

/** What cancelling does. After a failed payment nothing is paid for, so access ends at once either way. */
export function cancellationTerms(sub: CancellableSubscription, immediately: boolean, now: Date): CancellationTerms {
  if (sub.status === 'grace_period') return { endDate: now, gracePeriodEnd: sub.gracePeriodEnd ?? plus(now, graceMs) };
  const endDate = immediately ? now : paidUntil(sub, now);
  return { endDate, gracePeriodEnd: plus(endDate, graceMs) };
}

/** The end of the trial or of the paid period; where nothing is paid, the next monthly anniversary. */
function paidUntil(sub: CancellableSubscription, now: Date): Date {
  const end = sub.status === 'trial' ? sub.trialEndDate : sub.endDate;
  if (!end) return nextMonthlyAnniversary(sub.createdAt, now);
  return end > now ? end : now;
}
