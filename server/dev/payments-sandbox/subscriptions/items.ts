import type Stripe from 'stripe';
import { notWhole, SandboxError, unsupported } from '../http/error.ts';
import { newObject } from '../store/new-object.ts';
import { decimal } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

function quantityOf({ quantity = 1 }: { quantity?: number }): number {
  if (Number.isInteger(quantity) && quantity >= 0) return quantity;
  throw notWhole('items[quantity]');
}

function refuseStrange(item: object, names: string[]) {
  const strange = Object.keys(item).find((name) => !names.includes(name));
  if (strange) throw unsupported(`items with ${strange}`, `items[0][${strange}]`);
}

async function usablePrice(store: Store, id = ''): Promise<Stripe.Price> {
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
  wanted: Stripe.SubscriptionCreateParams.Item,
  period: { start: number; end: number },
): Promise<Stripe.SubscriptionItem> {
  refuseStrange(wanted, ['price', 'quantity']);
  const price = await usablePrice(store, wanted.price);
  return newObject('subscription_item', store.at, {
    current_period_end: period.end,
    current_period_start: period.start,
    discounts: [],
    plan: planOf(price),
    price,
    quantity: quantityOf(wanted),
    subscription,
    tax_rates: [],
  });
}

type ItemChange = NonNullable<Stripe.SubscriptionUpdateParams['items']>[number];

/** The items with the quantities and prices that an update asks for. */
export async function changedItems(
  store: Store,
  { items: { data } }: Stripe.Subscription,
  changes: ItemChange[],
): Promise<Stripe.SubscriptionItem[]> {
  for (const change of changes) {
    if (change.id === undefined) throw unsupported('further items', 'items[0][price]');
    refuseStrange(change, ['id', 'price', 'quantity']);
    if (!data.some(({ id }) => id === change.id))
      throw new SandboxError(`No such subscription item: '${change.id ?? ''}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
        status: 404,
      });
  }
  return Promise.all(
    data.map(async (item) => {
      const change = changes.find(({ id }) => id === item.id);
      if (!change) return item;
      const price = change.price === undefined ? item.price : await usablePrice(store, change.price);
      return {
        ...item,
        price,
        plan: planOf(price),
        quantity: quantityOf({ quantity: change.quantity ?? item.quantity ?? 1 }),
      };
    }),
  );
}
