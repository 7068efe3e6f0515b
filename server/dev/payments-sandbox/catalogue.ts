import type Stripe from 'stripe';
import { notWhole, SandboxError, unsupported } from './http/error.ts';
import { handle } from './http/handler.ts';
import { newObject } from './store/new-object.ts';
import { decimal, mergeMetadata, newId } from './store/objects.ts';
import type { Store } from './store/store.ts';

/** An id of the caller's own choosing can be used once. */
async function freeId(store: Store, id: string | undefined, kind: 'product' | 'coupon'): Promise<string> {
  if (!id) return newId(kind);
  if (!(await store.find(id))) return id;
  const message = `${kind === 'coupon' ? 'Coupon' : 'Product'} already exists.`;
  throw new SandboxError(message, { code: 'resource_already_exists', param: 'id' });
}

export const createProduct = handle<Stripe.ProductCreateParams>(['id', 'name', 'metadata'], async (store, params) =>
  store.save(
    newObject('product', store.at, {
      id: await freeId(store, params.id, 'product'),
      active: true,
      images: [],
      marketing_features: [],
      metadata: mergeMetadata({}, params.metadata),
      name: params.name,
      type: 'service',
      updated: store.at,
    }),
    'product.created',
  ),
);

export const updateProduct = handle<Stripe.ProductUpdateParams>(['name'], async (store, { name }, id) => {
  const before = await store.get('product', id);
  return store.save({ ...before, name: name ?? before.name, updated: store.at }, 'product.updated');
});

/** A lookup key names one price; it moves only when the caller says so. */
async function takeLookupKey(store: Store, key: string | undefined, transfer: boolean | undefined) {
  if (!key) return;
  for (const other of await store.select('price', { equal: { lookup_key: key } })) {
    if (!transfer)
      throw new SandboxError(`A price (\`${other.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
    await store.save({ ...other, lookup_key: null });
  }
}

type PriceData = {
  product?: string;
  currency: string;
  unit_amount?: number;
  recurring?: { interval: string; interval_count?: number };
  tax_behavior?: Stripe.Price.TaxBehavior;
};

/** A monthly price, or one for a single charge. Nothing is saved. */
async function buildPrice(
  store: Store,
  { product, currency, unit_amount: cents, recurring, tax_behavior }: PriceData,
  own: { active: boolean; lookup_key?: string | undefined },
): Promise<Stripe.Price> {
  const { interval = 'month', interval_count: count = 1 } = recurring ?? {};
  if (!product || cents === undefined || interval !== 'month' || count !== 1)
    throw unsupported('prices other than monthly ones with product and unit_amount');
  if (!Number.isInteger(cents) || cents < 0) throw notWhole('unit_amount');
  await store.get('product', product, 'product');
  return newObject('price', store.at, {
    ...own,
    billing_scheme: 'per_unit',
    currency,
    product,
    recurring: recurring && { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    tax_behavior: tax_behavior ?? 'unspecified',
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  });
}

/** The price that a request describes in full. It is kept where it is used, and nothing else can take it. */
export const inlinePrice = (store: Store, data: PriceData) => buildPrice(store, data, { active: false });

export const createPrice = handle<Stripe.PriceCreateParams>(
  ['product', 'currency', 'unit_amount', 'recurring', 'lookup_key', 'transfer_lookup_key', 'tax_behavior'],
  async (store, { recurring, lookup_key, transfer_lookup_key: transfer, ...data }) => {
    if (!recurring) throw unsupported('prices that are not monthly');
    const price = await buildPrice(store, { ...data, recurring }, { active: true, lookup_key });
    await takeLookupKey(store, lookup_key, transfer);
    return store.save(price, 'price.created');
  },
);
/** An archived price keeps its lookup key. */
export const updatePrice = handle<Stripe.PriceUpdateParams>(['active'], async (store, { active }, id) => {
  const before = await store.get('price', id);
  return store.save({ ...before, active: active ?? before.active }, 'price.updated');
});

export const createCoupon = handle<Stripe.CouponCreateParams>(
  ['id', 'name', 'percent_off', 'duration', 'duration_in_months'],
  async (store, params) => {
    const { percent_off: percent, duration = 'once' } = params;
    if (percent === undefined) throw unsupported('coupons without percent_off');
    if (!(percent > 0 && percent <= 100))
      throw new SandboxError('Invalid percent_off: must be greater than 0 and at most 100.', { param: 'percent_off' });
    if ((duration === 'repeating') !== (params.duration_in_months !== undefined))
      throw new SandboxError('duration_in_months goes with duration "repeating" and only with it.', {
        param: 'duration_in_months',
      });
    return store.save(
      newObject('coupon', store.at, {
        id: await freeId(store, params.id, 'coupon'),
        duration,
        duration_in_months: params.duration_in_months,
        name: params.name,
        percent_off: percent,
        times_redeemed: 0,
        valid: true,
      }),
      'coupon.created',
    );
  },
);

/** The tax rates that a request names. */
export const taxRates = (store: Store, ids: Stripe.Emptyable<string[]> | undefined, param: string) =>
  Promise.all((ids || []).map((id) => store.get('tax_rate', id, param)));

export const createTaxRate = handle<Stripe.TaxRateCreateParams>(
  ['display_name', 'percentage', 'inclusive', 'country', 'tax_type', 'metadata'],
  async (store, params) => {
    if (!params.inclusive) throw unsupported('tax on top of the price', 'inclusive');
    return store.save(
      newObject('tax_rate', store.at, {
        active: true,
        country: params.country,
        display_name: params.display_name,
        inclusive: true,
        metadata: mergeMetadata({}, params.metadata),
        percentage: params.percentage,
        rate_type: 'percentage',
        tax_type: params.tax_type,
      }),
      'tax_rate.created',
    );
  },
);

export const updateTaxRate = handle<Stripe.TaxRateUpdateParams>(['active'], async (store, { active }, id) => {
  const before = await store.get('tax_rate', id);
  return store.save({ ...before, active: active ?? before.active }, 'tax_rate.updated');
});
