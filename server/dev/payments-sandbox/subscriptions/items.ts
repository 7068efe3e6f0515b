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

export async function newItem(
  store: Store,
  subscription: string,
  wanted: Stripe.SubscriptionCreateParams.Item,
  period: { start: number; end: number },
): Promise<Stripe.SubscriptionItem> {
  refuseStrange(wanted, ['price', 'quantity']);
  const price = await store.get('price', wanted.price ?? '', 'items[0][price]');
  if (!price.active)
    throw new SandboxError('The price specified is inactive. This field only accepts active prices.', {
      param: 'items[0][price]',
    });
  return newObject('subscription_item', store.at, {
    current_period_end: period.end,
    current_period_start: period.start,
    discounts: [],
    // the old name for a price, which Stripe still sends along
    plan: {
      id: price.id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: decimal(price.unit_amount ?? 0),
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: 'month',
      interval_count: 1,
      livemode: false,
      metadata: price.metadata,
      nickname: price.nickname,
      product: price.product,
      usage_type: 'licensed',
    },
    price,
    quantity: quantityOf(wanted),
    subscription,
    tax_rates: [],
  });
}

type ItemChange = NonNullable<Stripe.SubscriptionUpdateParams['items']>[number];

/** The items with the quantities that an update asks for. */
export function changedItems(
  { items: { data } }: Stripe.Subscription,
  changes: ItemChange[],
): Stripe.SubscriptionItem[] {
  for (const change of changes) {
    refuseStrange(change, ['id', 'quantity']);
    if (!data.some(({ id }) => id === change.id))
      throw new SandboxError(`No such subscription item: '${change.id ?? ''}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
        status: 404,
      });
  }
  return data.map((item) => {
    const change = changes.find(({ id }) => id === item.id);
    return change ? { ...item, quantity: quantityOf({ ...item, ...change }) } : item;
  });
}
