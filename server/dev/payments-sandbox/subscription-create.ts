import type Stripe from 'stripe';
import { collectInvoice, cardOnFile, finalizeInvoice, intentOf } from './billing.ts';
import { ownCard } from './customers.ts';
import { replaceDiscounts, wantedDiscounts } from './discounts.ts';
import { draftInvoice } from './drafts.ts';
import { DAY } from './due.ts';
import { listOf } from './expand.ts';
import { handle } from './handler.ts';
import { mergeMetadata, newId, type Objects } from './objects.ts';
import { declineOf } from './payments.ts';
import { periodEnd } from './periods.ts';
import { SandboxError } from './sandbox-error.ts';
import { createSetupIntent } from './setup-intents.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';
import { newItem } from './subscription-items.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionCreateParams;

export function trialEndOf(store: Store, { trial_period_days: days, trial_end: end }: Params): number | null {
  if (end === 'now') return null;
  const at = end ?? (days ? store.at + days * DAY : null);
  if (at !== null && at <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  return at;
}

async function itemsOf(store: Store, id: string, params: Params, trialEnd: number | null) {
  const wanted = params.items ?? [];
  if (!wanted.length)
    throw new SandboxError('Missing required param: items.', { code: 'parameter_missing', param: 'items' });
  const items: Stripe.SubscriptionItem[] = [];
  for (const item of wanted) {
    const made = await newItem(store, id, item, { start: store.at, end: store.at });
    const recurring = made.price.recurring ?? { interval: 'month', interval_count: 1 };
    items.push({ ...made, current_period_end: trialEnd ?? periodEnd(store.at, recurring, store.at) });
  }
  return items;
}

/** A subscription as it begins. Nothing is saved. */
export async function build(store: Store, params: Params, trialEnd: number | null): Promise<Subscription> {
  const id = newId('subscription');
  const items = await itemsOf(store, id, params, trialEnd);
  const settings = params.payment_settings;
  const cancelAt = params.cancel_at_period_end
    ? items[0]!.current_period_end
    : typeof params.cancel_at === 'number'
      ? params.cancel_at
      : null;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? store.at,
    billing_cycle_anchor_config: null,
    billing_mode: {
      type: params.billing_mode?.type ?? 'flexible',
      flexible: params.billing_mode?.type === 'classic' ? null : { proration_discounts: 'included' },
    },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: cancelAt,
    cancel_at_period_end: params.cancel_at_period_end ?? false,
    canceled_at: cancelAt === null ? null : store.at,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: store.at,
    currency: items[0]!.price.currency,
    customer: params.customer ?? '',
    customer_account: null,
    days_until_due: null,
    default_payment_method: params.default_payment_method ?? null,
    default_source: null,
    default_tax_rates: await Promise.all(
      (params.default_tax_rates || []).map((rate) => store.get('tax_rate', rate, 'default_tax_rates')),
    ),
    description: params.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: ['card'],
      save_default_payment_method: settings?.save_default_payment_method ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: store.at,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    trial_start: trialEnd === null ? null : store.at,
  };
}

/** The first invoice: paid at once when nothing is due, otherwise left to the browser or charged to the card on file. */
async function firstInvoice(store: Store, built: Subscription, params: Params) {
  const period = { start: store.at, end: store.at };
  const drafted = await draftInvoice(store, {
    subscription: built,
    reason: 'subscription_create',
    period,
    free: built.status === 'trialing',
    finalizesAt: null,
  });
  const invoice = await finalizeInvoice(store, drafted.invoice);
  if (invoice.status !== 'open' || params.payment_behavior === 'default_incomplete') return;
  const tried = await collectInvoice(store, invoice);
  if (tried.status === 'paid' || params.payment_behavior !== 'error_if_incomplete') return;
  const intent = await intentOf(store, tried);
  throw new SandboxError(intent ? declineOf(intent).message : 'This customer has no attached payment source.', {
    status: 402,
    code: 'card_declined',
  });
}

export const create = handle<Params>(
  [
    'customer',
    'items',
    'billing_mode',
    'collection_method',
    'payment_behavior',
    'payment_settings',
    'default_tax_rates',
    'discounts',
    'trial_period_days',
    'trial_end',
    'trial_settings',
    'metadata',
    'default_payment_method',
    'off_session',
    'description',
    'currency',
    'cancel_at',
    'cancel_at_period_end',
    'proration_behavior',
  ],
  async (store, params) => {
    if (!params.customer)
      throw new SandboxError('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
    if (params.collection_method === 'send_invoice')
      throw new SandboxError('The payments sandbox does not implement collection_method=send_invoice.', {
        param: 'collection_method',
      });
    await store.get('customer', params.customer, 'customer');
    if (params.default_payment_method)
      await ownCard(store, params.customer, params.default_payment_method, 'default_payment_method');
    const built = await build(store, params, trialEndOf(store, params));
    const discounts = await wantedDiscounts(store, params.discounts, built.id, params.customer);
    const saved = await store.save({ ...built, discounts: await replaceDiscounts(store, [], discounts) });
    await store.emit('customer.subscription.created', saved);
    await firstInvoice(store, saved, params);
    const current = await store.get('subscription', saved.id);
    const asksForCard = current.status === 'trialing' && !(await cardOnFile(store, current, params.customer));
    if (!asksForCard) return current;
    const intent = await createSetupIntent(store, { customer: params.customer });
    return changeSubscription(store, current, { pending_setup_intent: intent.id });
  },
);
