import type Stripe from 'stripe';
import { inlinePrice, taxRates } from '../account.ts';
import { required, SandboxError, unsupported } from '../http/error.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, mergeMetadata } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod, type Period } from './periods.ts';

type Item = Stripe.SubscriptionItem;
type Wanted = NonNullable<Stripe.SubscriptionUpdateParams['items']>[number];

/** The old name for a price, which Stripe still sends along. */
const planOf = ({ id, active, unit_amount: amount, created, currency, product }: Stripe.Price) =>
  newObject('plan', created, {
    id,
    active,
    amount,
    amount_decimal: decimal(amount ?? 0),
    billing_scheme: 'per_unit',
    currency,
    interval: 'month',
    interval_count: 1,
    product,
    usage_type: 'licensed',
  });

const params = ['id', 'metadata', 'price_data', 'quantity', 'tax_rates'];

/** What a request says of an item, beside what it was before. With another price and no quantity, the quantity becomes 1. */
async function saidOf(store: Store, wanted: Wanted, before?: Item) {
  const strange = Object.keys(wanted).find((name) => !params.includes(name));
  if (strange) throw unsupported(`an item with ${strange}`, `items[0][${strange}]`);
  const { price_data: data, quantity = data ? 1 : before?.quantity, tax_rates: rates } = wanted;
  const price = data ? await inlinePrice(store, data) : before?.price;
  if (!price) throw required('items[0][price]');
  const tax_rates = rates || !before ? await taxRates(store, rates, 'items[0][tax_rates]') : before.tax_rates;
  const metadata = mergeMetadata(before?.metadata ?? {}, wanted.metadata);
  return { metadata, plan: planOf(price), price, quantity: quantity ?? 1, tax_rates };
}

export const newItem = async (store: Store, subscription: string, wanted: Wanted, { start, end }: Period) =>
  newObject('subscription_item', store.at, {
    current_period_end: end,
    current_period_start: start,
    subscription,
    ...(await saidOf(store, wanted)),
  });

/** The items as an update asks for: changed, added, taken away. */
export async function changedItems(store: Store, subscription: Stripe.Subscription, changes: Wanted[]) {
  const items = new Map(subscription.items.data.map((item) => [item.id, item]));
  for (const { deleted = false, ...wanted } of changes) {
    const before = items.get(wanted.id ?? '');
    if (wanted.id !== undefined && !before)
      throw new SandboxError(`No such subscription item: '${wanted.id}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
        status: 404,
      });
    const after = before
      ? { ...before, ...(await saidOf(store, deleted ? {} : wanted, before)) }
      : await newItem(store, subscription.id, wanted, currentPeriod(subscription));
    if (deleted) items.delete(after.id);
    else items.set(after.id, after);
  }
  if (!items.size) throw new SandboxError('A subscription must have at least one active item.', { param: 'items' });
  return [...items.values()];
}
