import type Stripe from 'stripe';
import { taxRates } from '../catalogue.ts';
import { checkCardOwner } from '../customers/customers.ts';
import { required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { embeddedList } from '../http/lists.ts';
import { cardOnFile, finalizeInvoice } from '../invoices/collect.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { createSetupIntent } from '../payments/setup-intents.ts';
import { newObject } from '../store/new-object.ts';
import { mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { replaceDiscounts, wantedDiscounts } from './discounts.ts';
import { newItem, refuseMany } from './items.ts';
import { DAY, periodEnd } from './periods.ts';
import { changeSubscription } from './subscriptions.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionCreateParams;

/** Refuses the ways of billing that Stripe has and the sandbox doesn't. */
function refuseStrange({ billing_mode: mode, collection_method: collection, trial_settings }: Params) {
  if (mode?.type === 'classic') throw unsupported('billing_mode=classic', 'billing_mode[type]');
  if (collection === 'send_invoice') throw unsupported('collection_method=send_invoice', 'collection_method');
  if (trial_settings?.end_behavior.missing_payment_method === 'pause')
    throw unsupported('pausing', 'trial_settings[end_behavior][missing_payment_method]');
}

/** Charging at once needs a card; with one it is not implemented, since the sandbox leaves the charge to the browser. */
function refuseToCharge(hasCard: boolean): never {
  if (hasCard) throw unsupported('a payment_behavior other than default_incomplete', 'payment_behavior');
  throw new SandboxError('This customer has no attached payment source or default payment method.', {
    code: 'resource_missing',
  });
}

async function itemsOf(store: Store, id: string, { items: wanted = [] }: Params, end: number) {
  if (!wanted.length) throw required('items');
  refuseMany(wanted);
  const items: Stripe.SubscriptionItem[] = [];
  for (const item of wanted) items.push(await newItem(store, id, item, { start: store.at, end }));
  return items;
}

/** Seconds at which a trial ends, null without one. */
function trialEndOf(store: Store, { trial_end: end, trial_period_days: days, billing_cycle_anchor: anchor }: Params) {
  if (end === 'now') throw unsupported('trial_end=now', 'trial_end');
  if (end !== undefined && days !== undefined)
    throw new SandboxError('You may only specify one of these parameters: trial_end, trial_period_days.', {
      param: 'trial_end',
    });
  if (end !== undefined && end <= store.at)
    throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  const trialEnd = end ?? (days ? store.at + days * DAY : null);
  if (anchor !== undefined && anchor !== trialEnd)
    throw unsupported('a billing_cycle_anchor other than the end of a trial', 'billing_cycle_anchor');
  return trialEnd;
}

/** A subscription as it begins. Nothing is saved. */
async function build(store: Store, customer: string, params: Params): Promise<Subscription> {
  const id = newId('subscription');
  const trialEnd = trialEndOf(store, params);
  const items = await itemsOf(store, id, params, trialEnd ?? periodEnd(store.at, store.at));
  return newObject('subscription', store.at, {
    id,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: trialEnd ?? store.at,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: store.at },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: {},
    collection_method: 'charge_automatically',
    currency: items[0]!.price.currency,
    customer,
    default_payment_method: params.default_payment_method,
    default_tax_rates: await taxRates(store, params.default_tax_rates, 'default_tax_rates'),
    discounts: [],
    invoice_settings: {
      issuer: { type: 'self' },
    },
    items: embeddedList(items, `/v1/subscription_items?subscription=${id}`),
    metadata: mergeMetadata({}, params.metadata),
    payment_settings: {
      payment_method_types: ['card'],
      save_default_payment_method: params.payment_settings?.save_default_payment_method ?? 'off',
    },
    start_date: store.at,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: {
        missing_payment_method: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    trial_start: trialEnd === null ? null : store.at,
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
    'proration_behavior',
    'billing_cycle_anchor',
    'default_payment_method',
    'default_tax_rates',
    'discounts',
    'trial_end',
    'trial_period_days',
    'trial_settings',
    'metadata',
  ],
  async (store, params) => {
    const { customer, default_payment_method: card } = params;
    if (!customer) throw required('customer');
    const { invoice_settings: settings } = await store.get('customer', customer, 'customer');
    refuseStrange(params);
    if (card) await checkCardOwner(store, customer, card, 'default_payment_method');
    const built = await build(store, customer, params);
    if (params.payment_behavior !== 'default_incomplete') refuseToCharge(settings.default_payment_method !== null);
    const discounts = await wantedDiscounts(store, params.discounts, built.id, customer);
    const saved = { ...built, discounts: await replaceDiscounts(store, [], discounts) };
    await store.save(saved, 'customer.subscription.created');
    // paid at once when nothing is due, else by the browser
    const draft = await draftInvoice(store, {
      subscription: saved,
      reason: 'subscription_create',
      period: { start: store.at, end: store.at },
      free: saved.status === 'trialing',
      finalizesAt: null,
    });
    await finalizeInvoice(store, draft);
    const current = await store.get('subscription', saved.id);
    const asksForCard = current.status === 'trialing' && !(await cardOnFile(store, current, customer));
    if (!asksForCard) return current;
    const intent = await createSetupIntent(store, customer);
    return changeSubscription(store, current, { pending_setup_intent: intent.id });
  },
);
