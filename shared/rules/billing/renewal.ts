import { businessZone, calendarDays } from '../dates.ts';
import type { SubscriptionFacts } from './subscriptions.ts';

/** The fields of a subscription that its renewal depends on. */
export type RenewingSubscription = Pick<SubscriptionFacts, 'status' | 'autoRenew' | 'endDate'> & {
  monthlyCents: number;
};

const noticeDays = 7;
const daysUntil = (at: Date, now: Date) => Math.max(0, calendarDays(now, at, businessZone));

/** Whether a bill of that moment is seven days away or fewer, and worth an alert. */
export const isBillSoon = (at: Date, now: Date) => daysUntil(at, now) <= noticeDays;

export type RenewalBadge = { tone: 'warning' | 'info'; label: string };

/** What costs nothing has no renewal to speak of. */
export function renewalBadge(sub: RenewingSubscription, now: Date): RenewalBadge | null {
  if (sub.status !== 'active' || !sub.autoRenew || !sub.endDate || sub.monthlyCents === 0) return null;
  const days = daysUntil(sub.endDate, now);
  if (days > noticeDays) return null;
  return {
    tone: days <= 3 ? 'warning' : 'info',
    label: days <= 1 ? 'Renews tomorrow' : `Renews in ${days} days`,
  };
}
