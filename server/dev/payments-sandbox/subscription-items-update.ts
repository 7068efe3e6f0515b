import type Stripe from 'stripe';
import { collectInvoice, finalizeInvoice, intentOf, voidInvoice } from './billing.ts';
import { HOUR } from './due.ts';
import { draftInvoice } from './drafts.ts';
import { idOf, type Billed, type Objects } from './objects.ts';
import { declineOf } from './payments.ts';
import { earliestPeriodEnd } from './periods.ts';
import { costsChange, prorate } from './prorations.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';
import { changedItems } from './subscription-items.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

/** A change that waits for its payment is given up after this long, or when the period ends. */
const PENDING_LIFE = 23 * HOUR;
const unchanged = { change: {}, bill: () => Promise.resolve() };

/** Other items, prices or quantities: what to change on the subscription at once, and what to do about money then. */
export async function itemsUpdate(
  store: Store,
  before: Subscription,
  params: Params,
  discounts: Objects['discount'][],
): Promise<{ change: Partial<Subscription>; bill: (after: Subscription) => Promise<void> }> {
  const items = await changedItems(store, before, params.items ?? []);
  const change = { items: { ...before.items, data: items } };
  const free = before.status === 'trialing' || !costsChange(before.items.data, items);
  if (free || params.proration_behavior === 'none') return { ...unchanged, change };
  if (before.pending_update) await dropPendingUpdate(store, before);
  const { prorations, billed } = await prorate(store, before, items, discounts, params.proration_date ?? store.at);
  for (const proration of prorations) await store.save(proration);
  const atOnce = params.proration_behavior === 'always_invoice';
  if (atOnce && params.payment_behavior === 'pending_if_incomplete')
    return { ...unchanged, bill: (after) => billFirst(store, after, items, billed) };
  return {
    change,
    async bill(after) {
      await store.hide(after, { billed });
      if (atOnce) await billAtOnce(store, after, params.payment_behavior);
    },
  };
}

const updateInvoice = async (store: Store, subscription: Subscription) =>
  (
    await draftInvoice(store, {
      subscription,
      items: [],
      reason: 'subscription_update',
      period: { start: store.at, end: store.at },
      finalizesAt: null,
    })
  ).invoice;

async function billAtOnce(store: Store, subscription: Subscription, behavior: Params['payment_behavior']) {
  const invoice = await finalizeInvoice(store, await updateInvoice(store, subscription));
  if (invoice.status !== 'open') return;
  if (behavior === 'default_incomplete') {
    const current = await store.get('subscription', subscription.id);
    if (current.status === 'active') await changeSubscription(store, current, { status: 'past_due' });
    return;
  }
  const tried = await collectInvoice(store, invoice);
  if (tried.status === 'paid' || behavior !== 'error_if_incomplete') return;
  const intent = await intentOf(store, tried);
  const { message, details } = intent
    ? declineOf(intent)
    : new SandboxError('This customer has no attached payment source.', { code: 'resource_missing' });
  throw new SandboxError(message, { ...details, status: 402, type: 'card_error', forgotten: true });
}

/** The change holds once its invoice is paid, at best at once. */
async function billFirst(store: Store, subscription: Subscription, items: Stripe.SubscriptionItem[], billed: Billed) {
  const draft = await updateInvoice(store, subscription);
  await store.hide(draft, { pendingUpdate: billed });
  const before = await store.get('subscription', subscription.id);
  await changeSubscription(store, before, {
    pending_update: {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: Math.min(store.at + PENDING_LIFE, earliestPeriodEnd(before)),
      metadata: null,
      subscription_items: items,
      trial_end: null,
      trial_from_plan: null,
    },
  });
  const invoice = await finalizeInvoice(store, draft);
  if (invoice.status === 'open') await collectInvoice(store, invoice);
}

/** The payment never came: the change is given up, and its invoice can no longer be paid. */
export async function dropPendingUpdate(store: Store, subscription: Subscription) {
  const invoice = subscription.latest_invoice ? await store.get('invoice', idOf(subscription.latest_invoice)) : null;
  if (invoice?.status === 'open') await voidInvoice(store, invoice);
  const current = await store.get('subscription', subscription.id);
  await changeSubscription(store, current, { pending_update: null }, 'customer.subscription.pending_update_expired');
}
