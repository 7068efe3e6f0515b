import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { businessZone, calendarDays, formatSydneyDate } from '#shared/rules/dates.ts';

type Dated = Pick<
  Subscription,
  'status' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd' | 'monthlyCents' | 'cardOnFile'
> & { paymentProblem: { tried: boolean } | null };

const on = (label: string, date: Date | null) => (date ? `${label} ${formatSydneyDate(date)}` : null);

/** The date that matters most: "Renews 21 Dec 2026", "Trial ends …". Days of money are Sydney's to everybody. */
export const dateLine = (sub: Dated, now: Date): string | null => {
  switch (sub.status) {
    case 'trial':
      return sub.cardOnFile && sub.autoRenew && sub.monthlyCents > 0
        ? `${on('Free until', sub.trialEndDate)}, then ${formatCents(sub.monthlyCents)}/month`
        : on('Trial ends', sub.trialEndDate);
    case 'active':
      // What is free has no paid period, and nothing of it renews.
      return on(sub.autoRenew ? 'Renews' : 'Ends', sub.endDate);
    case 'grace_period':
      return on(
        sub.paymentProblem?.tried === false ? 'Free access ended. Start paying by' : 'Payment failed. Access until',
        sub.gracePeriodEnd,
      );
    case 'cancelled':
      return sub.endDate && sub.endDate <= now ? on('Access ended', sub.endDate) : on('Access until', sub.endDate);
    case 'expired': {
      // A subscription expires on its last day to reactivate; win-back offers count from that day too.
      const last = sub.gracePeriodEnd && sub.gracePeriodEnd <= now ? sub.gracePeriodEnd : null;
      return on('Expired', last ?? sub.endDate ?? sub.trialEndDate);
    }
  }
};

/** Until when coming back is free; what is compared are days, since days are what is shown. */
export const backText = (freeUntil: Date, last: Date) =>
  calendarDays(freeUntil, last, businessZone) > 0
    ? `You can undo this for free until ${formatSydneyDate(freeUntil)}. After that, until ${formatSydneyDate(last)}, you pay that day's price to reactivate.`
    : `You can undo this for free until ${formatSydneyDate(last)}. After that you'd subscribe again.`;
