import type Stripe from 'stripe';
import { wantedDiscounts } from './discounts.ts';
import { discountsOf } from './drafts.ts';
import { handle } from './handler.ts';
import { buildInvoice } from './invoice-build.ts';
import { idOf, type Objects } from './objects.ts';
import { earliestPeriodEnd, periodEnd } from './periods.ts';
import { costsChange, prorate, waitingProrations } from './prorations.ts';
import { SandboxError, unsupported } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { build, trialEndOf } from './subscription-create.ts';
import { changedItems } from './subscription-items.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.InvoiceCreatePreviewParams;
type Details = Stripe.InvoiceCreatePreviewParams.SubscriptionDetails;

/** What the next period will cost as things stand, with the prorations that wait for it. Nothing is saved. */
export async function upcomingInvoice(
  store: Store,
  subscription: Subscription,
  prorations: Objects['invoiceitem'][],
  discounts: Objects['discount'][],
) {
  const end = earliestPeriodEnd(subscription);
  const next = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(
      subscription.billing_cycle_anchor,
      item.price.recurring ?? { interval: 'month', interval_count: 1 },
      item.current_period_end,
    ),
  }));
  const ends = subscription.cancel_at !== null && subscription.cancel_at <= end;
  return buildInvoice(store, {
    subscription,
    discounts,
    prorations,
    items: ends ? [] : next,
    reason: 'upcoming',
    period: { start: subscription.items.data[0]?.current_period_start ?? store.at, end },
    pricedAt: end,
    finalizesAt: null,
  });
}

const nothingUpcoming = (customer: string) =>
  new SandboxError(`No upcoming invoices for customer: ${customer}`, { status: 404, code: 'invoice_upcoming_none' });

const known = {
  running: ['items', 'proration_behavior', 'proration_date'],
  new: ['items', 'proration_behavior', 'billing_mode', 'default_tax_rates', 'trial_end', 'metadata'],
};
function refuseStrange(details: Details, names: string[]) {
  const strange = Object.keys(details).find((name) => !names.includes(name));
  if (strange) throw unsupported(`a preview with ${strange}`, `subscription_details[${strange}]`);
}

/** After the changes the request describes: at once when it says always_invoice, else with the next renewal. */
async function previewChange(store: Store, params: Params, id: string) {
  const details = params.subscription_details ?? {};
  refuseStrange(details, known.running);
  const subscription = await store.get('subscription', id, 'subscription');
  const customer = idOf(subscription.customer);
  if (!['active', 'past_due', 'trialing'].includes(subscription.status)) throw nothingUpcoming(customer);
  const discounts =
    params.discounts === undefined
      ? await discountsOf(store, subscription)
      : await wantedDiscounts(store, params.discounts, id, customer);
  const items = await changedItems(store, subscription, details.items ?? []);
  const waiting = await waitingProrations(store, id);
  const prorates =
    params.preview_mode !== 'recurring' &&
    details.proration_behavior !== 'none' &&
    subscription.status !== 'trialing' &&
    costsChange(subscription.items.data, items);
  const made = prorates
    ? (await prorate(store, subscription, items, discounts, details.proration_date ?? store.at)).prorations
    : [];
  const changed = { ...subscription, items: { ...subscription.items, data: items } };
  if (prorates && details.proration_behavior === 'always_invoice')
    return buildInvoice(store, {
      subscription: changed,
      discounts,
      items: [],
      prorations: [...waiting, ...made],
      reason: 'subscription_update',
      period: { start: store.at, end: store.at },
      finalizesAt: null,
    });
  const preview = await upcomingInvoice(
    store,
    changed,
    params.preview_mode === 'recurring' ? [] : [...waiting, ...made],
    discounts,
  );
  if (!preview.lines.data.length) throw nothingUpcoming(customer);
  return preview;
}

/** The first invoice of a subscription that does not exist yet. */
async function previewNew(store: Store, params: Params, customer: string) {
  const details = params.subscription_details ?? {};
  refuseStrange(details, known.new);
  const { items = [], default_tax_rates: rates, trial_end: trialEnd } = details;
  const asked: Stripe.SubscriptionCreateParams = { customer, items: items as Stripe.SubscriptionCreateParams.Item[] };
  if (rates) asked.default_tax_rates = rates;
  if (trialEnd) asked.trial_end = trialEnd;
  await store.get('customer', customer, 'customer');
  const subscription = await build(store, asked, trialEndOf(store, asked));
  return buildInvoice(store, {
    subscription,
    discounts: await wantedDiscounts(store, params.discounts, subscription.id, customer),
    reason: 'subscription_create',
    period: { start: store.at, end: store.at },
    free: subscription.status === 'trialing',
    finalizesAt: null,
  });
}

/** Nothing is saved. */
export const createPreview = handle<Params>(
  ['subscription', 'discounts', 'subscription_details', 'customer', 'preview_mode'],
  (store, params) => {
    if (params.subscription) return previewChange(store, params, params.subscription);
    if (!params.customer)
      throw new SandboxError('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
    return previewNew(store, params, params.customer);
  },
);
