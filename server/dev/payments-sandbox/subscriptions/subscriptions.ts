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
    (Object.keys(change) as (keyof Subscription)[])
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(change[name]))
      .map((name) => [name, before[name]]),
  );
  if (!Object.keys(previous).length) return before;
  return store.save({ ...before, ...change }, type, type === 'customer.subscription.updated' ? previous : undefined);
}

/** No open invoice of the customer is charged automatically any more, whatever it is for; whoever wants that switches it on again. */
export async function stopCollection(store: Store, customer: string): Promise<void> {
  for (const invoice of await store.select('invoice', { equal: { customer, status: 'open', auto_advance: true } }))
    await store.save({ ...invoice, auto_advance: false, next_payment_attempt: null }, 'invoice.updated');
}

/** Ends it for good, and no draft of it is finalised any more; a cancelled subscription never comes back. */
export async function endSubscription(store: Store, before: Subscription, change: Partial<Subscription> = {}) {
  const { id: subscription, canceled_at } = before;
  const end = { status: 'canceled' as const, canceled_at: canceled_at ?? store.at, ended_at: store.at };
  const ended = await changeSubscription(store, before, { ...end, ...change }, 'customer.subscription.deleted');
  await stopCollection(store, idOf(before.customer));
  const stopped = { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null };
  const parent = { subscription_details: { subscription } };
  for (const draft of await store.select('invoice', { equal: { status: 'draft', parent } }))
    await store.save({ ...draft, ...stopped });
  return ended;
}
