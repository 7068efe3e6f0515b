import type { AnyObject, Hidden, Objects } from '../store/objects.ts';
import { currentPeriod, DAY, HOUR } from '../subscriptions/periods.ts';

/** An unpaid first invoice lives this long. */
const INCOMPLETE_LIFE = 23 * HOUR;
const TRIAL_REMINDER = 3 * DAY;
const RENEWAL_NOTICE = 7 * DAY;

export type SubscriptionStep = 'expire' | 'cancel' | 'remindOfTrialEnd' | 'endTrial' | 'announceRenewal' | 'renew';
type Step = { step: SubscriptionStep; at: number };

/** What happens to a subscription next by the passing of time alone. Ties go to the first: an end beats a renewal. */
export function nextStep(subscription: Objects['subscription'], hidden: Hidden): Step | null {
  const { status, cancel_at: cancelAt, trial_end: trialEnd } = subscription;
  if (status === 'incomplete') return { step: 'expire', at: subscription.created + INCOMPLETE_LIFE };
  const steps: Step[] = [];
  if (cancelAt !== null) steps.push({ step: 'cancel', at: cancelAt });
  if (status === 'trialing' && trialEnd !== null) {
    if (hidden.remindedOfTrialEnd !== trialEnd)
      steps.push({ step: 'remindOfTrialEnd', at: Math.max(trialEnd - TRIAL_REMINDER, subscription.created) });
    steps.push({ step: 'endTrial', at: trialEnd });
  } else if (status === 'active' || status === 'past_due') {
    const { start, end } = currentPeriod(subscription);
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
