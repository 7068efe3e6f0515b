import type Stripe from 'stripe';
import { taxRates } from '../account.ts';
import { required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { embeddedList } from '../http/lists.ts';
import { finalizeInvoice } from '../invoices/collect.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { newObject } from '../store/new-object.ts';
import { mergeMetadata, newId } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { newItem } from './items.ts';
import { periodEnd } from './periods.ts';

type Params = Stripe.SubscriptionCreateParams;

/** Seconds at which the first month begins that is paid for; null without a trial. */
function trialEndOf(store: Store, { trial_end: end }: Params) {
  if (end === undefined) return null;
  if (end === 'now') throw unsupported('trial_end=now', 'trial_end');
  if (end <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  return end;
}

/** A subscription as it begins. Nothing is saved. */
async function build(store: Store, customer: string, params: Params) {
  const id = newId('subscription');
  const trialEnd = trialEndOf(store, params);
  const period = { start: store.at, end: trialEnd ?? periodEnd(store.at, store.at) };
  const items = [];
  for (const item of params.items ?? []) items.push(await newItem(store, id, item, period));
  if (!items.length) throw required('items');
  const { missing_payment_method = 'create_invoice' } = params.trial_settings?.end_behavior ?? {};
  const { save_default_payment_method = 'off' } = params.payment_settings ?? {};
  return newObject('subscription', store.at, {
    id,
    billing_cycle_anchor: trialEnd ?? store.at,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: store.at },
    collection_method: 'charge_automatically',
    currency: items[0]!.price.currency,
    customer,
    default_tax_rates: await taxRates(store, params.default_tax_rates, 'default_tax_rates'),
    invoice_settings: { issuer: { type: 'self' } },
    items: embeddedList(items, `/v1/subscription_items?subscription=${id}`),
    metadata: mergeMetadata({}, params.metadata),
    payment_settings: { payment_method_types: ['card'], save_default_payment_method },
    start_date: store.at,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method } },
    trial_start: trialEnd === null ? null : store.at,
  });
}

/** Its first invoice is paid at once where nothing is due, else by whoever buys. */
export const create = handle<Params>(
  [
    'customer',
    'items',
    'billing_mode',
    'collection_method',
    'payment_behavior',
    'payment_settings',
    'proration_behavior',
    'default_tax_rates',
    'trial_end',
    'trial_settings',
    'metadata',
  ],
  async (store, params) => {
    const { customer, payment_behavior: behavior, billing_mode: mode, collection_method: collection } = params;
    if (!customer) throw required('customer');
    await store.get('customer', customer, 'customer');
    if (mode?.type === 'classic') throw unsupported('billing_mode=classic', 'billing_mode[type]');
    if (collection === 'send_invoice') throw unsupported('collection_method=send_invoice', 'collection_method');
    if (behavior !== 'default_incomplete') throw unsupported('a charge at creation', 'payment_behavior');
    const subscription = await build(store, customer, params);
    await store.save(subscription, 'customer.subscription.created');
    const draft = await draftInvoice(store, {
      subscription,
      reason: 'subscription_create',
      period: { start: store.at, end: store.at },
      free: subscription.status === 'trialing',
      finalizesAt: null,
    });
    await finalizeInvoice(store, draft);
    return store.get('subscription', subscription.id);
  },
);
