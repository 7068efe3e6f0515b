import type Stripe from 'stripe';
import { taxRates } from '../account.ts';
import { missing, required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { finalizeInvoice, voidInvoice } from '../invoices/collect.ts';
import { draftInvoice, waitingItems } from '../invoices/draft.ts';
import { changeSubscription, endNow, stopCollection } from '../invoices/outcome.ts';
import { checkCardOwner } from '../payments/payment-methods.ts';
import { newObject } from '../schema/schema.ts';
import { idOf, listOf, mergeMetadata, newId } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod, itemsFor, periodEnd, type Period } from './periods.ts';

type Subscription = Stripe.Subscription;
type CreateParams = Stripe.SubscriptionCreateParams;
type UpdateParams = Stripe.SubscriptionUpdateParams;
type Wanted = NonNullable<UpdateParams['items']>[number];

/** The monthly price that a request describes in full, which nothing else can take, and its old name that Stripe still sends along. */
async function inlinePrice(
  store: Store,
  data: NonNullable<Wanted['price_data']>,
): Promise<Pick<Stripe.SubscriptionItem, 'price' | 'plan'>> {
  const { product, currency, unit_amount: amount = 0, recurring, tax_behavior = 'unspecified' } = data;
  const isMonthly = recurring.interval === 'month' && (recurring.interval_count ?? 1) === 1;
  if (!(amount > 0) || !isMonthly || currency !== 'aud')
    throw unsupported('prices but monthly ones of more than nothing', 'items[0][price_data]');
  await store.get('product', product, 'product');
  const own = { product, recurring: {}, tax_behavior, type: 'recurring' as const, unit_amount: amount };
  const price = newObject('price', store.at, own);
  return { price, plan: newObject('plan', store.at, { id: price.id, amount, product }) };
}

const itemParams = ['id', 'metadata', 'price_data', 'quantity', 'tax_rates'];

/** What a request says of an item, beside what it was before. With another price and no quantity, the quantity becomes 1. */
async function saidOf(store: Store, wanted: Wanted, before?: Stripe.SubscriptionItem) {
  const strange = Object.keys(wanted).find((name) => !itemParams.includes(name));
  if (strange) throw unsupported(`an item with ${strange}`, `items[0][${strange}]`);
  const { price_data: data, quantity = data ? 1 : before?.quantity, tax_rates: rates } = wanted;
  const { price, plan } = (data ? await inlinePrice(store, data) : before) ?? {};
  if (!price || !plan) throw required('items[0][price]');
  const tax_rates = rates || !before ? await taxRates(store, rates, 'items[0][tax_rates]') : before.tax_rates;
  const metadata = mergeMetadata(before?.metadata ?? {}, wanted.metadata);
  return { metadata, plan, price, quantity: quantity ?? 1, tax_rates };
}

const newItem = async (store: Store, subscription: string, wanted: Wanted, { start, end }: Period) =>
  newObject('subscription_item', store.at, {
    current_period_end: end,
    current_period_start: start,
    subscription,
    ...(await saidOf(store, wanted)),
  });

/** The items as an update asks for: changed, added, taken away. */
async function changedItems(store: Store, subscription: Subscription, changes: Wanted[]) {
  const items = new Map(subscription.items.data.map((item) => [item.id, item]));
  for (const { deleted = false, ...wanted } of changes) {
    const before = items.get(wanted.id ?? '');
    if (wanted.id !== undefined && !before) throw missing('subscription_item', wanted.id, 'items[0][id]');
    const after = before
      ? { ...before, ...(await saidOf(store, deleted ? {} : wanted, before)) }
      : await newItem(store, subscription.id, wanted, currentPeriod(subscription));
    if (deleted) items.delete(after.id);
    else items.set(after.id, after);
  }
  if (!items.size) throw new SandboxError('A subscription must have at least one active item.', { param: 'items' });
  return [...items.values()];
}

/** Seconds of a first charge that is still to come. */
function ahead(store: Store, end: number | 'now'): number {
  if (end === 'now') throw unsupported('trial_end=now', 'trial_end');
  if (end <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  return end;
}

/** A subscription as it begins. Nothing is saved. */
async function build(store: Store, customer: string, params: CreateParams) {
  const id = newId('subscription');
  const trialEnd = params.trial_end === undefined ? null : ahead(store, params.trial_end);
  const period = { start: store.at, end: trialEnd ?? periodEnd(store.at, store.at) };
  const items = [];
  for (const item of params.items ?? []) items.push(await newItem(store, id, item, period));
  if (!items.length) throw required('items');
  const { missing_payment_method = 'create_invoice' } = params.trial_settings?.end_behavior ?? {};
  const { save_default_payment_method = 'off' } = params.payment_settings ?? {};
  return newObject('subscription', store.at, {
    id,
    billing_cycle_anchor: trialEnd ?? store.at,
    customer,
    default_tax_rates: await taxRates(store, params.default_tax_rates, 'default_tax_rates'),
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    metadata: mergeMetadata({}, params.metadata),
    payment_settings: { payment_method_types: ['card'], save_default_payment_method },
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method } },
    trial_start: trialEnd === null ? null : store.at,
  });
}

/** Its first invoice is paid at once where nothing is due, else by whoever buys. */
export const create = handle<CreateParams>(
  ['customer', 'items', 'payment_settings', 'default_tax_rates', 'trial_end', 'trial_settings', 'metadata'],
  async (store, params) => {
    const { customer, payment_behavior: behavior } = params;
    if (!customer) throw required('customer');
    await store.get('customer', customer, 'customer');
    if (!behavior) throw unsupported('a charge at creation', 'payment_behavior');
    const subscription = await build(store, customer, params);
    await store.save(subscription, 'customer.subscription.created');
    const draft = await draftInvoice(store, subscription, { reason: 'subscription_create', finalizesAt: null });
    await finalizeInvoice(store, draft);
    return store.get('subscription', subscription.id);
  },
);

/** What may still be changed before the first payment, and after the end. */
const changeable: Record<string, string[]> = {
  incomplete: ['metadata', 'default_payment_method', 'expand'],
  canceled: ['metadata', 'expand'],
  incomplete_expired: ['metadata', 'expand'],
};

function refuseFixed({ status }: Subscription, params: UpdateParams) {
  const allowed = changeable[status];
  if (allowed && Object.keys(params).some((name) => !allowed.includes(name)))
    throw new SandboxError(`A subscription that is ${status} can only have its ${allowed[0]} and little else updated.`);
}

/** A scheduled end, or its undoing; nothing when the request says nothing about it. */
function endChange(before: Subscription, { cancel_at: at, cancel_at_period_end: ends }: UpdateParams) {
  if (at === undefined && ends === undefined) return {};
  return { cancel_at: ends ? currentPeriod(before).end : null, cancel_at_period_end: ends ?? false };
}

/** Items as asked for, without proration, and a trial that ends at another moment: the first charge moves along. */
async function itemsChange(store: Store, before: Subscription, { items, trial_end: end, ...params }: UpdateParams) {
  if (items === undefined && end === undefined) return {};
  if (!params.proration_behavior) throw unsupported('prorations', 'proration_behavior');
  const data = items ? await changedItems(store, before, items) : before.items.data;
  const list = (all: Stripe.SubscriptionItem[]) => ({ items: listOf(all, before.items.url) });
  if (end === undefined) return list(data);
  if (before.status !== 'trialing' || before.cancel_at !== null)
    throw unsupported('another end of a trial but that of one that runs and goes on', 'trial_end');
  const period = { start: currentPeriod(before).start, end: ahead(store, end) };
  return { ...list(itemsFor(data, period)), trial_end: period.end, billing_cycle_anchor: period.end };
}

export const update = handle<UpdateParams>(
  [
    'metadata',
    'payment_settings',
    'cancel_at_period_end',
    'default_payment_method',
    'items',
    'pause_collection',
    'trial_end',
  ],
  async (store, params, id) => {
    const before = await store.get('subscription', id);
    refuseFixed(before, params);
    const { metadata, default_payment_method: card, pause_collection: pause, payment_settings: settings } = params;
    if (card) await checkCardOwner(store, idOf(before.customer), card, 'default_payment_method');
    if (pause && pause.behavior !== 'void') throw unsupported('pauses but those that void', 'pause_collection');
    const keeps = settings?.save_default_payment_method;
    return changeSubscription(store, before, {
      metadata: mergeMetadata(before.metadata, metadata),
      ...(keeps && { payment_settings: { ...before.payment_settings!, save_default_payment_method: keeps } }),
      ...(pause !== undefined && { pause_collection: pause ? { behavior: pause.behavior, resumes_at: null } : null }),
      ...(card !== undefined && { default_payment_method: card || null }),
      ...(await itemsChange(store, before, params)),
      ...endChange(before, params),
    });
  },
);

/** The first payment never came: the subscription ends and its invoice can no longer be paid. */
export async function expireIncomplete(store: Store, subscription: Subscription) {
  const ended = await changeSubscription(store, subscription, { status: 'incomplete_expired', ended_at: store.at });
  const invoice = ended.latest_invoice ? await store.get('invoice', idOf(ended.latest_invoice)) : null;
  if (invoice?.status === 'open') await voidInvoice(store, invoice);
  return ended;
}

/** Cancels at once. No last invoice is made: an older release's prorations that wait for one are dropped, other items go on waiting. */
export const cancel = handle<Stripe.SubscriptionCancelParams>([], async (store, _params, id) => {
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
});
