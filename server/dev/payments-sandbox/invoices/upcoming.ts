import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { discountsOf } from '../subscriptions/discounts.ts';
import { currentPeriod, itemsFor, periodEnd } from '../subscriptions/periods.ts';
import { buildInvoice } from './build.ts';
import { waitingItems } from './pending.ts';

/** What the next period will cost as things stand, with what waits for it. Nothing is saved. */
export async function upcomingInvoice(store: Store, subscription: Objects['subscription']) {
  const { start, end } = currentPeriod(subscription);
  const ends = subscription.cancel_at !== null && subscription.cancel_at <= end;
  const next = { start: end, end: periodEnd(subscription.billing_cycle_anchor, end) };
  return buildInvoice(store, {
    subscription,
    discounts: await discountsOf(store, subscription),
    pending: await waitingItems(store, subscription),
    items: ends ? [] : itemsFor(subscription, next),
    reason: 'upcoming',
    period: { start, end },
    pricedAt: end,
    finalizesAt: null,
  });
}

/** For a running subscription only, without changes to it. */
export const createPreview = handle<Stripe.InvoiceCreatePreviewParams>(['subscription'], async (store, params) => {
  if (!params.subscription) throw unsupported('previews without a subscription', 'subscription');
  const subscription = await store.get('subscription', params.subscription, 'subscription');
  const runs = ['active', 'past_due', 'trialing'].includes(subscription.status);
  const preview = runs ? await upcomingInvoice(store, subscription) : null;
  if (preview?.lines.data.length) return preview;
  throw new SandboxError(`No upcoming invoices for customer: ${idOf(subscription.customer)}`, {
    status: 404,
    code: 'invoice_upcoming_none',
  });
});
