import type Stripe from 'stripe';
import type { Objects } from './objects.ts';
import { earliestPeriodEnd, latestPeriodEnd } from './periods.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

const noReason = { comment: null, feedback: null, feedback_option: null, reason: null };

/** A scheduled end, or its undoing; null when the request says nothing about it. */
function scheduledEnd(
  subscription: Subscription,
  { cancel_at: at, cancel_at_period_end: atPeriodEnd }: Params,
): number | 'never' | null {
  if (at !== undefined && atPeriodEnd)
    throw new SandboxError('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', {
      param: 'cancel_at',
    });
  if (at === 'min_period_end') return earliestPeriodEnd(subscription);
  if (at === 'max_period_end') return latestPeriodEnd(subscription);
  if (typeof at === 'number') return at;
  if (atPeriodEnd) return latestPeriodEnd(subscription);
  return at === '' || at === null || atPeriodEnd === false ? 'never' : null;
}

/** What an update says about the subscription's end. */
export function endChange(store: Store, subscription: Subscription, params: Params): Partial<Subscription> {
  const { comment, feedback } = params.cancellation_details ?? {};
  const asked = params.cancellation_details
    ? {
        comment: comment || null,
        feedback: feedback || null,
      }
    : {};
  const details = { ...noReason, ...subscription.cancellation_details, ...asked };
  const end = scheduledEnd(subscription, params);
  if (end === null) return params.cancellation_details ? { cancellation_details: details } : {};
  if (end === 'never')
    return {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { ...noReason, ...asked },
    };
  if (end <= store.at) throw new SandboxError('cancel_at must be in the future.', { param: 'cancel_at' });
  return {
    cancel_at: end,
    cancel_at_period_end: Boolean(params.cancel_at_period_end),
    canceled_at: subscription.canceled_at ?? store.at,
    cancellation_details: { ...details, reason: 'cancellation_requested' },
  };
}
