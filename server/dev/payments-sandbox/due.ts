import { earliestPeriodEnd } from './periods.ts';
import type { AnyObject, Hidden, Objects } from './objects.ts';

export const HOUR = 3600;
export const DAY = 24 * HOUR;
/** An unpaid first invoice lives this long. */
const INCOMPLETE_LIFE = 23 * HOUR;
const TRIAL_REMINDER = 3 * DAY;
const RENEWAL_NOTICE = 7 * DAY;

export type SubscriptionStep =
  'expire' | 'dropUpdate' | 'cancel' | 'remindOfTrialEnd' | 'endTrial' | 'announceRenewal' | 'renew';
type Step = { step: SubscriptionStep; at: number };

/** What happens to a subscription next by the passing of time alone. Ties go to the first: an end beats a renewal. */
export function nextStep(subscription: Objects['subscription'], hidden: Hidden): Step | null {
  const { status, cancel_at: cancelAt, trial_end: trialEnd } = subscription;
  if (status === 'incomplete') return { step: 'expire', at: subscription.created + INCOMPLETE_LIFE };
  const steps: Step[] = [];
  const { pending_update: update } = subscription;
  if (update) steps.push({ step: 'dropUpdate', at: update.expires_at });
  if (cancelAt !== null) steps.push({ step: 'cancel', at: cancelAt });
  if (status === 'trialing' && trialEnd !== null) {
    if (hidden.remindedOfTrialEnd !== trialEnd)
      steps.push({ step: 'remindOfTrialEnd', at: Math.max(trialEnd - TRIAL_REMINDER, subscription.created) });
    steps.push({ step: 'endTrial', at: trialEnd });
  } else if (status === 'active' || status === 'past_due') {
    const end = earliestPeriodEnd(subscription);
    const start = subscription.items.data[0]?.current_period_start ?? subscription.created;
    const ends = cancelAt !== null && cancelAt <= end;
    if (hidden.announcedRenewal !== end && !ends)
      steps.push({ step: 'announceRenewal', at: Math.max(end - RENEWAL_NOTICE, start) });
    steps.push({ step: 'renew', at: end });
  } else return null;
  return steps.reduce((first, step) => (step.at < first.at ? step : first));
}

/** Seconds at which the object must be looked at again, null for never. */
export function dueAt(object: AnyObject, hidden: Hidden): number | null {
  if (object.object === 'subscription') return nextStep(object, hidden)?.at ?? null;
  if (object.object !== 'invoice') return null;
  if (object.status === 'draft') return object.automatically_finalizes_at;
  return object.status === 'open' ? object.next_payment_attempt : null;
}
