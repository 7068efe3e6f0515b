import { businessZone, calendarDays, nextMonthlyAnniversary } from './dates.ts';
import type { SubscriptionStatus } from './subscriptions.ts';

/** What the dashboard's dates need of a subscription; the contract's has more. */
export type RenewingSubscription = {
  status: SubscriptionStatus;
  autoRenew: boolean;
  endDate: Date | null;
  trialEndDate: Date | null;
  createdAt: Date;
  monthlyCents: number;
  cardOnFile: boolean;
};

/** When an active subscription renews; without a paid-until date at its next monthly anniversary (decisions §5). */
export const renewalDate = (sub: RenewingSubscription, now: Date): Date | null =>
  sub.status === 'active' && sub.autoRenew ? (sub.endDate ?? nextMonthlyAnniversary(sub.createdAt, now)) : null;

/** Days on the calendar until it renews; null where it does not. */
const daysLeft = (sub: RenewingSubscription, now: Date): number | null => {
  const at = renewalDate(sub, now);
  return at && Math.max(0, calendarDays(now, at, businessZone));
};

export type RenewalBadge = { tone: 'danger' | 'warning' | 'info'; label: string };

/** B §9: "Renews tomorrow" at 1 day or less, then tiers for 3 or less and 7 or less. */
export function renewalBadge(sub: RenewingSubscription, now: Date): RenewalBadge | null {
  const days = daysLeft(sub, now);
  if (days === null || days > 7) return null;
  if (days <= 1) return { tone: 'danger', label: 'Renews tomorrow' };
  return { tone: days <= 3 ? 'warning' : 'info', label: `Renews in ${days} days` };
}

/** B §9: an alert when 7 days or fewer are left and money will be taken. */
export const renewsSoon = (sub: RenewingSubscription, now: Date): boolean => {
  const days = daysLeft(sub, now);
  return days !== null && days <= 7 && sub.monthlyCents > 0;
};

/** When money will be taken next: at the renewal, or where a trial converts because a card is there. */
export function nextChargeDate(sub: RenewingSubscription): Date | null {
  if (!sub.autoRenew || sub.monthlyCents === 0) return null;
  if (sub.status === 'active') return sub.endDate;
  return sub.status === 'trial' && sub.cardOnFile ? sub.trialEndDate : null;
}
