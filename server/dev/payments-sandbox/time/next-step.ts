import type { AnyObject, Objects } from '../store/objects.ts';
import { currentPeriod, HOUR } from '../subscriptions/periods.ts';

/** An unpaid first invoice lives this long. */
const INCOMPLETE_LIFE = 23 * HOUR;

export type SubscriptionStep = 'expire' | 'cancel' | 'endTrial' | 'renew';
type Step = { step: SubscriptionStep; at: number };

/** What happens to a subscription next by the passing of time alone. An end beats a renewal of the same moment. */
export function nextStep(subscription: Objects['subscription']): Step | null {
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
