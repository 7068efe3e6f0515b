import { businessZone, calendarDays, nextMonthlyAnniversary } from './dates.ts';
import type { SubscriptionFacts } from './subscriptions.ts';

/** The fields of a subscription that its dates depend on. */
export type RenewingSubscription = Omit<Required<SubscriptionFacts>, 'gracePeriodEnd'> & { createdAt: Date };

/** When an active subscription renews; a free one at its next monthly anniversary. */
export const renewalDate = (sub: RenewingSubscription, now: Date): Date | null =>
  sub.status === 'active' && sub.autoRenew ? (sub.endDate ?? nextMonthlyAnniversary(sub.createdAt, now)) : null;

/** Days on the calendar until it renews; null where it does not. */
const daysLeft = (sub: RenewingSubscription, now: Date): number | null => {
  const at = renewalDate(sub, now);
  return at && Math.max(0, calendarDays(now, at, businessZone));
};

export type RenewalBadge = { tone: 'warning' | 'info'; label: string };

export function renewalBadge(sub: RenewingSubscription, now: Date): RenewalBadge | null {
  const days = daysLeft(sub, now);
  if (days === null || days > 7) return null;
  return {
    tone: sub.monthlyCents > 0 && days <= 3 ? 'warning' : 'info',
    label: days <= 1 ? 'Renews tomorrow' : `Renews in ${days} days`,
  };
}

/** Seven days or fewer are left, and money will be taken. */
export const renewsSoon = (sub: RenewingSubscription, now: Date): boolean => {
  const days = daysLeft(sub, now);
  return days !== null && days <= 7 && sub.monthlyCents > 0;
};
