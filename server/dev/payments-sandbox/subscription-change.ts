import type Stripe from 'stripe';
import type { Objects } from './objects.ts';
import type { Store } from './store.ts';

type Subscription = Objects['subscription'];

/** Saves a changed subscription and says what changed; nothing is sent when nothing did. */
export async function changeSubscription(
  store: Store,
  before: Subscription,
  change: Partial<Subscription>,
  type: Stripe.Event['type'] = 'customer.subscription.updated',
): Promise<Subscription> {
  const previous = Object.fromEntries(
    Object.keys(change)
      .map((name) => [name, before[name as keyof Subscription]] as const)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(change[name as keyof Subscription])),
  );
  if (!Object.keys(previous).length) return before;
  const after = await store.save<Subscription>({ ...before, ...change });
  await store.emit(type, after, type === 'customer.subscription.updated' ? previous : undefined);
  return after;
}

/** Ends it for good; a cancelled subscription never comes back. */
export const endSubscription = (
  store: Store,
  subscription: Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
) =>
  changeSubscription(
    store,
    subscription,
    {
      status: 'canceled',
      canceled_at: subscription.canceled_at ?? store.at,
      ended_at: store.at,
      pending_update: null,
      cancellation_details: {
        comment: null,
        feedback: null,
        feedback_option: null,
        ...subscription.cancellation_details,
        reason,
      },
    },
    'customer.subscription.deleted',
  );
