import type Stripe from 'stripe';

type Interval = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;
const DAY = 86_400;

/** Calendar months after a moment (seconds, UTC): the 31st becomes the last day of a shorter month. */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const timeOfDay = seconds % DAY;
  const day = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(from.getUTCDate(), lastDay));
  return day / 1000 + timeOfDay;
}

function step(anchor: number, { interval, interval_count: count }: Interval, times: number): number {
  if (interval === 'day') return anchor + times * count * DAY;
  if (interval === 'week') return anchor + times * count * 7 * DAY;
  return addMonths(anchor, times * count * (interval === 'year' ? 12 : 1));
}

/** The end of the period that holds `after`, counted from the anchor so that the 31st comes back after February. */
export function periodEnd(anchor: number, recurring: Interval, after: number): number {
  for (let times = 1; ; times += 1) {
    const end = step(anchor, recurring, times);
    if (end > after) return end;
  }
}

const ends = (subscription: Stripe.Subscription) => subscription.items.data.map((item) => item.current_period_end);
export const earliestPeriodEnd = (subscription: Stripe.Subscription) => Math.min(...ends(subscription));
export const latestPeriodEnd = (subscription: Stripe.Subscription) => Math.max(...ends(subscription));
