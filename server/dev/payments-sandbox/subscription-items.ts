import type Stripe from 'stripe';
import { decimal, mergeMetadata, newId } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

/** The old name for a price, which the provider still sends along. */
const planOf = (price: Stripe.Price): Stripe.Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: decimal(price.unit_amount ?? 0),
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

export type NewItem = Pick<Stripe.SubscriptionCreateParams.Item, 'price' | 'quantity' | 'metadata' | 'tax_rates'>;

const positive = (quantity: number | undefined) => {
  if (quantity === undefined) return 1;
  if (!Number.isInteger(quantity) || quantity < 0)
    throw new SandboxError('Invalid integer: quantity', {
      code: 'parameter_invalid_integer',
      param: 'items[quantity]',
    });
  return quantity;
};

export async function newItem(
  store: Store,
  subscription: string,
  wanted: NewItem,
  period: { start: number; end: number },
): Promise<Stripe.SubscriptionItem> {
  if (!wanted.price)
    throw new SandboxError('Missing required param: items[0][price].', {
      code: 'parameter_missing',
      param: 'items[0][price]',
    });
  const price = await store.get('price', wanted.price, 'items[0][price]');
  if (!price.active)
    throw new SandboxError('The price specified is inactive. This field only accepts active prices.', {
      param: 'items[0][price]',
    });
  return {
    id: newId('subscription_item'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: store.at,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: mergeMetadata({}, wanted.metadata),
    plan: planOf(price),
    price,
    quantity: positive(wanted.quantity),
    subscription,
    tax_rates: await Promise.all(
      (wanted.tax_rates || []).map((rate) => store.get('tax_rate', rate, 'items[0][tax_rates]')),
    ),
  };
}

type ItemChange = NonNullable<Stripe.SubscriptionUpdateParams['items']>[number];

/** The items after an update: a named one changes, one without a name is added, `deleted` takes one away. */
export async function changedItems(
  store: Store,
  subscription: Stripe.Subscription,
  changes: ItemChange[],
): Promise<Stripe.SubscriptionItem[]> {
  let items = subscription.items.data;
  const [first] = items;
  if (!first) throw new Error(`subscription ${subscription.id} has no items`);
  const period = { start: first.current_period_start, end: first.current_period_end };
  for (const change of changes) {
    const current = items.find((item) => item.id === change.id);
    if (change.id && !current)
      throw new SandboxError(`No such subscription item: '${change.id}'`, {
        code: 'resource_missing',
        param: 'items[0][id]',
        status: 404,
      });
    if (!current)
      items = [...items, await newItem(store, subscription.id, { ...change, metadata: change.metadata || {} }, period)];
    else if (change.deleted) items = items.filter((item) => item !== current);
    else {
      const price = change.price ? await store.get('price', change.price, 'items[0][price]') : current.price;
      const quantity = change.quantity === undefined ? current.quantity : positive(change.quantity);
      const next = {
        ...current,
        price,
        plan: planOf(price),
        metadata: mergeMetadata(current.metadata, change.metadata),
        ...(quantity === undefined ? {} : { quantity }),
      };
      items = items.map((item) => (item === current ? next : item));
    }
  }
  if (!items.length) throw new SandboxError('A subscription must have at least one active item.', { param: 'items' });
  return items;
}
