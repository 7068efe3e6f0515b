import type Stripe from 'stripe';
import { idOf } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Subscription = Stripe.Subscription;

/** Saves a changed subscription; no event is sent when nothing changed. */
export async function changeSubscription(
  store: Store,
  before: Subscription,
  change: Partial<Subscription>,
  type: Stripe.Event['type'] = 'customer.subscription.updated',
): Promise<Subscription> {
  const after = { ...before, ...change };
  return JSON.stringify(after) === JSON.stringify(before) ? before : store.save(after, type);
}

/** What an invoice says that Stripe neither finalises nor charges by itself. */
export const halted = { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };

/** No open invoice of the customer is charged automatically any more, whatever it is for; whoever wants that switches it on again. */
export async function stopCollection(store: Store, customer: string): Promise<void> {
  for (const invoice of await store.select('invoice', { equal: { customer, status: 'open', auto_advance: true } }))
    await store.save({ ...invoice, ...halted }, 'invoice.updated');
}

/** Ends it for good, and no draft of it is finalised any more; a cancelled subscription never comes back. */
export async function endSubscription(store: Store, before: Subscription, change: Partial<Subscription> = {}) {
  const end = { status: 'canceled' as const, ended_at: store.at, ...change };
  const ended = await changeSubscription(store, before, end, 'customer.subscription.deleted');
  await stopCollection(store, idOf(before.customer));
  const parent = { subscription_details: { subscription: before.id } };
  for (const draft of await store.select('invoice', { equal: { status: 'draft', parent } }))
    await store.save({ ...draft, ...halted });
  return ended;
}

/** What ends at once is no longer scheduled to end. */
export const endNow = (store: Store, subscription: Subscription) =>
  endSubscription(store, subscription, { cancel_at: null, cancel_at_period_end: false });
