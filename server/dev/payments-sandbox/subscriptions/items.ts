import type Stripe from 'stripe';
import { inlinePrice, taxRates } from '../catalogue.ts';
import { notWhole, required, SandboxError, unsupported } from '../http/error.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, mergeMetadata } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod } from './periods.ts';

type Item = Stripe.SubscriptionItem;
type ItemChange = NonNullable<Stripe.SubscriptionUpdateParams['items']>[number];

function quantityOf({ quantity = 1 }: { quantity?: number }): number {
  if (Number.isInteger(quantity) && quantity >= 0) return quantity;
  throw notWhole('items[quantity]');
}

/** What an item of a request may say. */
const itemParams = ['price', 'price_data', 'quantity', 'tax_rates', 'metadata'];

export function refuseStrange(item: object, names: string[], list = 'items[0]') {
  const strange = Object.keys(item).find((name) => !names.includes(name));
  if (strange) throw unsupported(`${list} with ${strange}`, `${list}[${strange}]`);
}

type Wanted = Pick<Stripe.SubscriptionCreateParams.Item, 'price' | 'price_data' | 'quantity'>;

/** The price that an item of a request names or describes; null when it says nothing about one. */
async function wantedPrice(store: Store, { price: id, price_data: data }: Wanted): Promise<Stripe.Price | null> {
  if (id !== undefined && data)
    throw new SandboxError('You may only specify one of these parameters: price, price_data.', {
      param: 'items[0][price]',
    });
  if (data) return inlinePrice(store, data);
  if (id === undefined) return null;
  const price = await store.get('price', id, 'items[0][price]');
  if (price.active) return price;
  throw new SandboxError('The price specified is inactive. This field only accepts active prices.', {
    param: 'items[0][price]',
  });
}

/** The old name for a price, which Stripe still sends along. */
const planOf = (price: Stripe.Price) => ({
  id: price.id,
  object: 'plan' as const,
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: decimal(price.unit_amount ?? 0),
  billing_scheme: 'per_unit' as const,
  created: price.created,
  currency: price.currency,
  interval: 'month' as const,
  interval_count: 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed' as const,
});

export async function newItem(
  store: Store,
  subscription: string,
  wanted: ItemChange,
  period: { start: number; end: number },
): Promise<Item> {
  refuseStrange(wanted, itemParams);
  const price = await wantedPrice(store, wanted);
  if (!price) throw required('items[0][price]');
  return newObject('subscription_item', store.at, {
    current_period_end: period.end,
    current_period_start: period.start,
    discounts: [],
    metadata: mergeMetadata({}, wanted.metadata),
    plan: planOf(price),
    price,
    quantity: quantityOf(wanted),
    subscription,
    tax_rates: await taxRates(store, wanted.tax_rates, 'items[0][tax_rates]'),
  });
}

/** With another price and no quantity, the quantity becomes 1. */
async function changedItem(store: Store, item: Item, change: ItemChange): Promise<Item> {
  refuseStrange(change, ['id', ...itemParams]);
  const other = await wantedPrice(store, change);
  const price = other ?? item.price;
  return {
    ...item,
    price,
    plan: planOf(price),
    quantity: quantityOf({ quantity: change.quantity ?? (other ? 1 : (item.quantity ?? 1)) }),
    metadata: mergeMetadata(item.metadata, change.metadata),
    ...(change.tax_rates !== undefined && {
      tax_rates: await taxRates(store, change.tax_rates, 'items[0][tax_rates]'),
    }),
  };
}

/** Cents a month. */
const costOf = ({ price, quantity = 1 }: Item) => (price.unit_amount ?? 0) * quantity;

/** Stripe restarts the billing period of what was free and is paid for now, and charges at once. */
function refuseFreeToPaid({ status, items }: Stripe.Subscription, after: Item[]) {
  if (status === 'trialing') return;
  const before = items.data;
  const turns = after.some((item) => costOf(item) > 0 && before.some((old) => old.id === item.id && costOf(old) === 0));
  const begins = before.every((item) => costOf(item) === 0) && after.some((item) => costOf(item) > 0);
  if (turns || begins) throw unsupported('going from free to paid', 'items');
}

/** No subscription has more items. */
const MOST_ITEMS = 20;
export function refuseMany(items: unknown[]) {
  if (items.length > MOST_ITEMS)
    throw new SandboxError(`A subscription can have up to ${MOST_ITEMS} items.`, { param: 'items' });
}

/** The items as an update asks for: changed, added, taken away. */
export async function changedItems(
  store: Store,
  subscription: Stripe.Subscription,
  changes: ItemChange[],
): Promise<Item[]> {
  let items = subscription.items.data;
  refuseMany(changes);
  for (const { deleted = false, ...change } of changes) {
    const before = items.find(({ id }) => id === change.id);
    if (change.id !== undefined && !before)
      throw new SandboxError(`No such subscription item: '${change.id}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
        status: 404,
      });
    if (!before) items = [...items, await newItem(store, subscription.id, change, currentPeriod(subscription))];
    else if (deleted) items = items.filter((item) => item !== before);
    else {
      const after = await changedItem(store, before, change);
      items = items.map((item) => (item === before ? after : item));
    }
  }
  if (!items.length) throw new SandboxError('A subscription must have at least one active item.', { param: 'items' });
  refuseMany(items);
  refuseFreeToPaid(subscription, items);
  return items;
}
