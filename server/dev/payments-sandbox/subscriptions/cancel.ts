import type Stripe from 'stripe';
import { missing, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { voidInvoice } from '../invoices/collect.ts';
import { waitingItems } from '../invoices/draft.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { changeSubscription, endSubscription, stopCollection } from './subscriptions.ts';

type Subscription = Objects['subscription'];

/** The first payment never came: the subscription ends and its invoice can no longer be paid. */
export async function expireIncomplete(store: Store, subscription: Subscription) {
  const ended = await changeSubscription(store, subscription, { status: 'incomplete_expired', ended_at: store.at });
  const invoice = ended.latest_invoice ? await store.get('invoice', idOf(ended.latest_invoice)) : null;
  if (invoice?.status === 'open') await voidInvoice(store, invoice);
  return ended;
}

/** What ends at once is no longer scheduled to end. */
export const endNow = (store: Store, subscription: Subscription) =>
  endSubscription(store, subscription, { cancel_at: null, cancel_at_period_end: false });

/** Cancels at once. No last invoice is made: an older release's prorations that wait for one are dropped, other items go on waiting. */
export const cancel = handle<Stripe.SubscriptionCancelParams>(
  ['invoice_now', 'prorate'],
  async (store, { invoice_now: invoice, prorate }, id) => {
    if (invoice || prorate)
      throw unsupported('a last invoice with a cancellation', invoice ? 'invoice_now' : 'prorate');
    const subscription = await store.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw missing('subscription', id);
    if (subscription.status === 'incomplete') {
      const withdrawn = await expireIncomplete(store, subscription);
      await stopCollection(store, idOf(subscription.customer));
      return withdrawn;
    }
    for (const item of await waitingItems(store, subscription)) if (item.proration) await store.remove(item.id);
    return endNow(store, subscription);
  },
);
