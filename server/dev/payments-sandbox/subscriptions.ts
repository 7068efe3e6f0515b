import type Stripe from 'stripe';
import { collectInvoice, finalizeInvoice, voidInvoice } from './billing.ts';
import { discountsOf } from './drafts.ts';
import { draftFinalInvoice } from './final-invoice.ts';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, type Objects } from './objects.ts';
import { prorate } from './prorations.ts';
import type { Filter } from './queries.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { changeSubscription, endSubscription } from './subscription-change.ts';

export const retrieve = handle<Stripe.SubscriptionRetrieveParams>([], (store, _params, id) =>
  store.get('subscription', id),
);

/** Without a status the ended ones are left out, as the provider does. */
function statusFilter(status: string | undefined): Filter {
  if (status === 'all') return {};
  if (status === 'ended') return { oneOf: ['status', ['canceled', 'incomplete_expired']] };
  return status ? { equal: { status } } : { noneOf: ['status', ['canceled']] };
}

export const list = handle<Stripe.SubscriptionListParams>(
  ['customer', 'status', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const filter = statusFilter(params.status);
    const equal = { ...filter.equal, ...given({ customer: params.customer }) };
    return listPage(store, 'subscription', params, { ...filter, equal }, '/v1/subscriptions');
  },
);

/** The first payment never came: the subscription ends and its invoice can no longer be paid. */
export async function expireIncomplete(store: Store, subscription: Objects['subscription']) {
  const ended = await changeSubscription(store, subscription, { status: 'incomplete_expired', ended_at: store.at });
  const invoice = ended.latest_invoice ? await store.get('invoice', idOf(ended.latest_invoice)) : null;
  if (invoice?.status === 'open') await voidInvoice(store, invoice);
  return ended;
}

async function creditUnused(store: Store, subscription: Objects['subscription']) {
  const discounts = await discountsOf(store, subscription);
  const { prorations } = await prorate(store, subscription, [], discounts, store.at);
  for (const proration of prorations) await store.save(proration);
}

export const cancel = handle<Stripe.SubscriptionCancelParams>(
  ['invoice_now', 'prorate', 'cancellation_details'],
  async (store, params, id) => {
    const subscription = await store.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw new SandboxError(`No such subscription: ${id}`, { status: 404, code: 'resource_missing', param: 'id' });
    const { comment, feedback } = params.cancellation_details ?? {};
    const details = {
      comment: comment || null,
      feedback: feedback || null,
      feedback_option: null,
      reason: null,
    };
    const asked = params.cancellation_details ? { ...subscription, cancellation_details: details } : subscription;
    if (subscription.status === 'incomplete') return expireIncomplete(store, asked);
    if (params.prorate && subscription.status !== 'trialing') await creditUnused(store, subscription);
    const ended = await endSubscription(store, asked, 'cancellation_requested');
    await stopCollecting(store, id);
    const last = params.invoice_now ? await draftFinalInvoice(store, ended, null) : null;
    if (last) await collectInvoice(store, await finalizeInvoice(store, last));
    return store.get('subscription', id);
  },
);

/** Nothing is charged automatically once the subscription is over; open invoices stay open. */
export async function stopCollecting(store: Store, subscription: string) {
  for (const status of ['open', 'draft'])
    for (const invoice of await store.select('invoice', {
      equal: { status, parent: { subscription_details: { subscription } } },
    }))
      await store.save({
        ...invoice,
        auto_advance: false,
        next_payment_attempt: null,
        automatically_finalizes_at: null,
      });
}
