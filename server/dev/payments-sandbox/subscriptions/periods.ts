import type Stripe from 'stripe';
import type { AnyObject } from '../store/objects.ts';

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

/** An unpaid first invoice lives this long. */
const INCOMPLETE_LIFE = 23 * HOUR;

export type Step = { step: 'expire' | 'cancel' | 'endTrial' | 'renew'; at: number };

/** What happens to a subscription next by the passing of time alone. An end beats a renewal of the same moment. */
export function nextStep(subscription: Stripe.Subscription): Step | null {
  const { status, cancel_at: cancelAt, trial_end: trialEnd, created } = subscription;
  if (status === 'incomplete') return { step: 'expire', at: created + INCOMPLETE_LIFE };
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due') return null;
  const { end } = currentPeriod(subscription);
  const next: Step = status === 'trialing' ? { step: 'endTrial', at: trialEnd ?? end } : { step: 'renew', at: end };
  return cancelAt !== null && cancelAt <= next.at ? { step: 'cancel', at: cancelAt } : next;
}

/** Seconds at which the object must be looked at again, null for never. */
export function dueAt(object: AnyObject): number | null {
  if (object.object === 'subscription') return nextStep(object)?.at ?? null;
  if (object.object !== 'invoice') return null;
  if (object.status === 'draft') return object.automatically_finalizes_at;
  return object.status === 'open' ? object.next_payment_attempt : null;
}
