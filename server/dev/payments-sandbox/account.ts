import type Stripe from 'stripe';
import { SandboxError } from './http/error.ts';
import { handle } from './http/handler.ts';
import { mergeMetadata } from './store/objects.ts';
import type { Store } from './store/store.ts';

/** An id of the caller's own choosing can be used once. */
export const createProduct = handle<Stripe.ProductCreateParams>(['id', 'name', 'metadata'], async (store, params) => {
  const { id, name, metadata } = params;
  if (id && (await store.find(id)))
    throw new SandboxError('Product already exists.', { code: 'resource_already_exists', param: 'id' });
  const own = {
    ...(id && { id }),
    active: true,
    metadata: mergeMetadata({}, metadata),
    name,
    type: 'service' as const,
  };
  return store.create('product', own, 'product.created');
});

export const updateProduct = handle<Stripe.ProductUpdateParams>(['name'], async (store, { name }, id) => {
  const before = await store.get('product', id);
  return store.save({ ...before, name: name ?? before.name }, 'product.updated');
});

/** The tax rates that a request names: an archived one applies to nothing new. */
export const taxRates = (store: Store, ids: Stripe.Emptyable<string[]> | undefined, param: string) =>
  Promise.all(
    (ids || []).map(async (id) => {
      const rate = await store.get('tax_rate', id, param);
      if (!rate.active) throw new SandboxError(`The tax rate ${id} is archived.`, { param });
      return rate;
    }),
  );

export const updateTaxRate = handle<Stripe.TaxRateUpdateParams>(['active'], async (store, { active }, id) => {
  const before = await store.get('tax_rate', id);
  return store.save({ ...before, active: active ?? before.active }, 'tax_rate.updated');
});

export const createTaxRate = handle<Stripe.TaxRateCreateParams>(
  ['display_name', 'percentage', 'country', 'tax_type', 'metadata'],
  (store, { metadata, ...said }) =>
    store.create('tax_rate', { ...said, active: true, metadata: mergeMetadata({}, metadata) }, 'tax_rate.created'),
);

/** The merchant: an Australian business that may take cards. */
export const retrieveAccount = handle<object>([], async () => ({
  id: 'acct_sandbox',
  object: 'account',
  capabilities: { card_payments: 'active' },
  charges_enabled: true,
  country: 'AU',
  default_currency: 'aud',
}));

/** Stored as asked for, but the sandbox sends everything to the product's own address. */
export const createEndpoint = handle<Stripe.WebhookEndpointCreateParams>(
  ['url', 'enabled_events', 'api_version', 'description'],
  async (store, { api_version, description, enabled_events, url }) => {
    const own = { api_version, description: description || null, enabled_events, status: 'enabled', url };
    const endpoint = await store.create('webhook_endpoint', own);
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
