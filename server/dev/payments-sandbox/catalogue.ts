import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { decimal, mergeMetadata, newId, type Objects } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

/** An id of the caller's own choosing is taken once. */
export async function freeId(store: Store, id: string | undefined, kind: 'product' | 'coupon'): Promise<string> {
  if (!id) return newId(kind);
  if (!(await store.find(id))) return id;
  const message = `${kind === 'coupon' ? 'Coupon' : 'Product'} already exists.`;
  throw new SandboxError(message, { code: 'resource_already_exists', param: 'id' });
}

export const createProduct = handle<Stripe.ProductCreateParams>(
  ['id', 'name', 'description', 'metadata', 'active', 'tax_code', 'unit_label', 'url'],
  async (store, params) => {
    const product: Objects['product'] = {
      id: await freeId(store, params.id, 'product'),
      object: 'product',
      active: params.active ?? true,
      created: store.at,
      default_price: null,
      description: params.description ?? null,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: mergeMetadata({}, params.metadata),
      name: params.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: params.tax_code ?? null,
      tax_details: null,
      type: 'service',
      unit_label: params.unit_label ?? null,
      updated: store.at,
      url: params.url ?? null,
    };
    await store.save(product);
    await store.emit('product.created', product);
    return product;
  },
);
export const retrieveProduct = handle<Stripe.ProductRetrieveParams>([], (store, _params, id) =>
  store.get('product', id),
);
export const updateProduct = handle<Stripe.ProductUpdateParams>(
  ['name', 'description', 'metadata', 'active'],
  async (store, params, id) => {
    const before = await store.get('product', id);
    const product: Objects['product'] = {
      ...before,
      name: params.name ?? before.name,
      description: params.description === undefined ? before.description : params.description || null,
      active: params.active ?? before.active,
      metadata: mergeMetadata(before.metadata, params.metadata),
      updated: store.at,
    };
    await store.save(product);
    await store.emit('product.updated', product);
    return product;
  },
);
export const listProducts = handle<Stripe.ProductListParams>(
  ['active', 'ids', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) =>
    listPage(
      store,
      'product',
      params,
      { equal: given({ active: params.active }), ...(params.ids ? { oneOf: ['id', params.ids] } : {}) },
      '/v1/products',
    ),
);

/** A lookup key names one price; it moves only when the caller says so. */
async function takeLookupKey(store: Store, key: string | undefined, transfer: boolean | undefined, self?: string) {
  if (!key) return;
  for (const other of await store.select('price', { equal: { lookup_key: key } })) {
    if (other.id === self) continue;
    if (!transfer)
      throw new SandboxError(`A price (\`${other.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
    await store.save({ ...other, lookup_key: null });
  }
}

export const createPrice = handle<Stripe.PriceCreateParams>(
  [
    'product',
    'currency',
    'unit_amount',
    'recurring',
    'lookup_key',
    'transfer_lookup_key',
    'tax_behavior',
    'metadata',
    'nickname',
    'active',
    'billing_scheme',
  ],
  async (store, params) => {
    if (!params.product || params.unit_amount === undefined || !params.recurring)
      throw new SandboxError('The payments sandbox makes recurring prices with product and unit_amount.', {
        code: 'parameter_missing',
      });
    if (!Number.isInteger(params.unit_amount) || params.unit_amount < 0)
      throw new SandboxError('Invalid integer: unit_amount', {
        code: 'parameter_invalid_integer',
        param: 'unit_amount',
      });
    await store.get('product', params.product, 'product');
    await takeLookupKey(store, params.lookup_key, params.transfer_lookup_key);
    const price: Objects['price'] = {
      id: newId('price'),
      object: 'price',
      active: params.active ?? true,
      billing_scheme: 'per_unit',
      created: store.at,
      currency: params.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: params.lookup_key ?? null,
      metadata: mergeMetadata({}, params.metadata),
      nickname: params.nickname ?? null,
      product: params.product,
      recurring: {
        interval: params.recurring.interval,
        interval_count: params.recurring.interval_count ?? 1,
        meter: null,
        trial_period_days: null,
        usage_type: 'licensed',
      },
      tax_behavior: params.tax_behavior ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'recurring',
      unit_amount: params.unit_amount,
      unit_amount_decimal: decimal(params.unit_amount),
    };
    await store.save(price);
    await store.emit('price.created', price);
    return price;
  },
);
export const retrievePrice = handle<Stripe.PriceRetrieveParams>([], (store, _params, id) => store.get('price', id));
export const updatePrice = handle<Stripe.PriceUpdateParams>(
  ['active', 'lookup_key', 'transfer_lookup_key', 'metadata', 'nickname'],
  async (store, params, id) => {
    const before = await store.get('price', id);
    await takeLookupKey(store, params.lookup_key, params.transfer_lookup_key, id);
    const price: Objects['price'] = {
      ...before,
      active: params.active ?? before.active,
      lookup_key: params.lookup_key === undefined ? before.lookup_key : params.lookup_key || null,
      nickname: params.nickname ?? before.nickname,
      metadata: mergeMetadata(before.metadata, params.metadata),
    };
    await store.save(price);
    await store.emit('price.updated', price);
    return price;
  },
);
export const listPrices = handle<Stripe.PriceListParams>(
  ['active', 'product', 'currency', 'lookup_keys', 'type', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const equal = given({
      active: params.active,
      product: params.product,
      currency: params.currency,
      type: params.type,
    });
    const keys = params.lookup_keys ? { oneOf: ['lookup_key', params.lookup_keys] as [string, string[]] } : {};
    return listPage(store, 'price', params, { equal, ...keys }, '/v1/prices');
  },
);
