import type Stripe from 'stripe';
import { SandboxError, unsupported } from './http/error.ts';
import { handle } from './http/handler.ts';
import { newObject } from './store/new-object.ts';
import { decimal, mergeMetadata } from './store/objects.ts';
import type { Store } from './store/store.ts';

/** An id of the caller's own choosing can be used once. */
export const createProduct = handle<Stripe.ProductCreateParams>(['id', 'name', 'metadata'], async (store, params) => {
  const { id, name, metadata } = params;
  if (id && (await store.find(id)))
    throw new SandboxError('Product already exists.', { code: 'resource_already_exists', param: 'id' });
  return store.save(
    newObject('product', store.at, {
      ...(id && { id }),
      active: true,
      metadata: mergeMetadata({}, metadata),
      name,
      type: 'service',
      updated: store.at,
    }),
    'product.created',
  );
});

export const updateProduct = handle<Stripe.ProductUpdateParams>(['name'], async (store, { name }, id) => {
  const before = await store.get('product', id);
  return store.save({ ...before, name: name ?? before.name, updated: store.at }, 'product.updated');
});

type PriceData = NonNullable<Stripe.SubscriptionCreateParams.Item['price_data']>;

/** The monthly price that a request describes in full. It is kept where it is used, and nothing else can take it. */
export async function inlinePrice(store: Store, data: PriceData): Promise<Stripe.Price> {
  const { product, currency, unit_amount: cents = 0, recurring, tax_behavior = 'unspecified' } = data;
  if (!(cents > 0) || recurring.interval !== 'month' || (recurring.interval_count ?? 1) !== 1)
    throw unsupported('prices but monthly ones of more than nothing', 'items[0][price_data]');
  await store.get('product', product, 'product');
  return newObject('price', store.at, {
    active: false,
    billing_scheme: 'per_unit',
    currency,
    product,
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    tax_behavior,
    type: 'recurring',
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  });
}

/** The tax rates that a request names. */
export const taxRates = (store: Store, ids: Stripe.Emptyable<string[]> | undefined, param: string) =>
  Promise.all((ids || []).map((id) => store.get('tax_rate', id, param)));

export const createTaxRate = handle<Stripe.TaxRateCreateParams>(
  ['display_name', 'percentage', 'inclusive', 'country', 'tax_type', 'metadata'],
  async (store, { metadata, inclusive, ...said }) => {
    if (!inclusive) throw unsupported('tax on top of the price', 'inclusive');
    const own = { active: true, inclusive, metadata: mergeMetadata({}, metadata), rate_type: 'percentage' } as const;
    return store.save(newObject('tax_rate', store.at, { ...own, ...said }), 'tax_rate.created');
  },
);

/** The merchant: an Australian business that may take cards. */
export const retrieveAccount = handle<object>([], async () => ({
  id: 'acct_sandbox',
  object: 'account',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'AU',
  default_currency: 'aud',
  details_submitted: true,
  email: null,
  payouts_enabled: true,
  type: 'standard',
}));

/** Stored as asked for, but the sandbox sends everything to the product's own address. */
export const createEndpoint = handle<Stripe.WebhookEndpointCreateParams>(
  ['url', 'enabled_events', 'api_version', 'description'],
  async (store, { api_version, description, enabled_events, url }) => {
    const said = { api_version, description: description || null, enabled_events, url };
    const endpoint = await store.save(newObject('webhook_endpoint', store.at, { ...said, status: 'enabled' }));
    return { ...endpoint, secret: `whsec_${endpoint.id}` };
  },
);

export const updateEndpoint = handle<Stripe.WebhookEndpointUpdateParams>(
  ['enabled_events', 'disabled'],
  async (store, { enabled_events, disabled }, id) => {
    const before = await store.get('webhook_endpoint', id);
    const status = disabled === undefined ? before.status : disabled ? 'disabled' : 'enabled';
    return store.save({ ...before, status, enabled_events: enabled_events ?? before.enabled_events });
  },
);
