import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { discountsOf } from '../subscriptions/discounts.ts';
import { changedItems, refuseStrange } from '../subscriptions/items.ts';
import { currentPeriod, itemsFor, periodEnd } from '../subscriptions/periods.ts';
import { buildInvoice } from './build.ts';
import { waitingItems } from './pending.ts';

/** What the next period will cost as things stand, with what waits for it unless told only what recurs. Nothing is saved. */
export async function upcomingInvoice(store: Store, subscription: Objects['subscription'], recurring = false) {
  const { start, end } = currentPeriod(subscription);
  const ends = subscription.cancel_at !== null && subscription.cancel_at <= end;
  const next = { start: end, end: periodEnd(subscription.billing_cycle_anchor, end) };
  return buildInvoice(store, {
    subscription,
    discounts: await discountsOf(store, subscription),
    pending: recurring ? [] : await waitingItems(store, subscription),
    items: ends ? [] : itemsFor(subscription, next),
    reason: 'upcoming',
    period: { start, end },
    pricedAt: end,
    finalizesAt: null,
  });
}

type Details = Stripe.InvoiceCreatePreviewParams.SubscriptionDetails;

/** The subscription as an update would leave it. Nothing is saved. */
async function changed(store: Store, before: Objects['subscription'], details: Details) {
  const { items, proration_behavior: behavior, cancel_at_period_end: ends, ...others } = details;
  refuseStrange(others, [], 'subscription_details');
  if (items && behavior !== 'none')
    throw unsupported('previews of prorations', 'subscription_details[proration_behavior]');
  const data = items ? await changedItems(store, before, items) : before.items.data;
  const end = ends === undefined ? before.cancel_at : ends ? currentPeriod(before).end : null;
  return { ...before, cancel_at: end, items: { ...before.items, data } };
}

/** For a running subscription, as it is or as other items would make it. */
export const createPreview = handle<Stripe.InvoiceCreatePreviewParams>(
  ['preview_mode', 'subscription', 'subscription_details'],
  async (store, { subscription: id, subscription_details: details = {}, preview_mode: mode }) => {
    if (!id) throw unsupported('previews without a subscription', 'subscription');
    const before = await store.get('subscription', id, 'subscription');
    const runs = ['active', 'past_due', 'trialing'].includes(before.status);
    const after = runs ? await changed(store, before, details) : null;
    const preview = after && (await upcomingInvoice(store, after, mode === 'recurring'));
    if (preview?.lines.data.length) return preview;
    throw new SandboxError(`No upcoming invoices for customer: ${idOf(before.customer)}`, {
      status: 404,
      code: 'invoice_upcoming_none',
    });
  },
);
