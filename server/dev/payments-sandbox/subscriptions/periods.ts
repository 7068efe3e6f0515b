import type Stripe from 'stripe';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** Calendar months after a moment (seconds, UTC): the 31st becomes the last day of a shorter month. */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) / 1000 + (seconds % DAY);
}

/** The end of the month-long period that holds `after`, counted from the anchor so that the 31st comes back after February. */
export function periodEnd(anchor: number, after: number): number {
  for (let months = 1; ; months += 1) {
    const end = addMonths(anchor, months);
    if (end > after) return end;
  }
}

export type Period = { start: number; end: number };

/** The current period, in seconds (UTC). All prices are monthly, so every item has the same one. */
export function currentPeriod({ id, items }: Stripe.Subscription): Period {
  const [item] = items.data;
  if (!item) throw new Error(`subscription ${id} has no items`);
  return { start: item.current_period_start, end: item.current_period_end };
}

/** The items with another period. */
export const itemsFor = (items: Stripe.SubscriptionItem[], { start, end }: Period) =>
  items.map((item) => ({ ...item, current_period_start: start, current_period_end: end }));
