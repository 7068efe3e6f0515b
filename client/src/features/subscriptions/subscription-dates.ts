import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate, nextMonthlyAnniversary } from '#shared/rules/dates.ts';

type Dated = Pick<
  Subscription,
  'status' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd' | 'createdAt' | 'monthlyCents'
>;

const on = (label: string, date: Date | null) => (date ? `${label} ${formatSydneyDate(date)}` : null);

/** The one date that matters of a subscription: "Renews 21 Dec 2026", "Trial ends …"; null where there is none. */
export const dateLine = (sub: Dated, now: Date): string | null => {
  switch (sub.status) {
    case 'trial':
      return on('Trial ends', sub.trialEndDate);
    case 'active': {
      // Price 0 has no paid period; it shows the next monthly anniversary (decisions §5).
      const end = sub.endDate ?? nextMonthlyAnniversary(sub.createdAt, now);
      return on(sub.autoRenew ? 'Renews' : 'Ends', end);
    }
    case 'grace_period':
      return on('Payment failed. Access until', sub.gracePeriodEnd);
    case 'cancelled':
      return sub.endDate && sub.endDate <= now ? on('Access ended', sub.endDate) : on('Access until', sub.endDate);
    case 'expired': {
      // What could be reactivated was over on the last day for it, which is what offers to come back count from.
      const last = sub.gracePeriodEnd && sub.gracePeriodEnd <= now ? sub.gracePeriodEnd : null;
      return on('Expired', last ?? sub.endDate ?? sub.trialEndDate);
    }
  }
};
