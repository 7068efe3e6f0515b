import type Stripe from 'stripe';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** Calendar months after a moment (seconds, UTC): the 31st becomes the last day of a shorter month. */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const timeOfDay = seconds % DAY;
  const day = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(from.getUTCDate(), lastDay));
  return day / 1000 + timeOfDay;
}

/** The end of the month-long period that holds `after`, counted from the anchor so that the 31st comes back after February. */
export function periodEnd(anchor: number, after: number): number {
  for (let months = 1; ; months += 1) {
    const end = addMonths(anchor, months);
    if (end > after) return end;
  }
}

/** The current period, in seconds (UTC). All prices are monthly, so every item has the same one. */
export function currentPeriod({ id, items }: Stripe.Subscription): { start: number; end: number } {
  const [item] = items.data;
  if (!item) throw new Error(`subscription ${id} has no items`);
  return { start: item.current_period_start, end: item.current_period_end };
}

/** When the current period ends unless an earlier end is scheduled: a month after it began, or with the trial. */
export const naturalEnd = (subscription: Stripe.Subscription): number =>
  subscription.status === 'trialing' && subscription.trial_end !== null
    ? subscription.trial_end
    : periodEnd(subscription.billing_cycle_anchor, currentPeriod(subscription).start);

/** The items with another period. */
export const itemsFor = (subscription: Stripe.Subscription, period: { start: number; end: number }) =>
  subscription.items.data.map((item) => ({
    ...item,
    current_period_start: period.start,
    current_period_end: period.end,
  }));
