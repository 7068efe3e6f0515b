import type Stripe from 'stripe';
import { unsupported } from '../http/error.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Filter } from '../store/queries.ts';
import type { Store } from '../store/store.ts';

type Subscription = Objects['subscription'];

/** Without a status, cancelled ones are left out, as at Stripe. */
export function listFilter({ customer, status }: Stripe.SubscriptionListParams): Filter {
  if (status === 'ended') throw unsupported('status=ended', 'status');
  if (status && status !== 'all') return { equal: { customer, status } };
  return { equal: { customer }, ...(!status && { noneOf: ['status', ['canceled']] }) };
}

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
  const after = { ...before, ...change };
  return store.save(after, type, type === 'customer.subscription.updated' ? previous : undefined);
}

export const noReason = { comment: null, feedback: null, feedback_option: null, reason: null };

/** No open invoice of the customer is charged automatically any more, whatever it is for; whoever wants that switches it on again. */
export async function stopCollection(store: Store, customer: string): Promise<void> {
  for (const invoice of await store.select('invoice', { equal: { customer, status: 'open', auto_advance: true } }))
    await store.save({ ...invoice, auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
}

/** Ends it for good; a cancelled subscription never comes back. */
export async function endSubscription(
  store: Store,
  subscription: Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
  change: Partial<Subscription> = {},
): Promise<Subscription> {
  const ended = await changeSubscription(
    store,
    subscription,
    {
      status: 'canceled',
      ...change,
      canceled_at: subscription.canceled_at ?? store.at,
      ended_at: store.at,
      cancellation_details: { ...noReason, ...subscription.cancellation_details, reason },
    },
    'customer.subscription.deleted',
  );
  await stopCollection(store, idOf(subscription.customer));
  return ended;
}
