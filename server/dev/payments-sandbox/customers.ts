import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, mergeMetadata, newId, type Objects } from './objects.ts';
import { missing, SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { endSubscription } from './subscription-change.ts';
import { stopCollecting } from './subscriptions.ts';

type Written = Pick<
  Stripe.CustomerUpdateParams,
  'email' | 'name' | 'phone' | 'description' | 'address' | 'preferred_locales'
>;

const orNull = <T>(value: T | '' | null | undefined) => (value === '' || value === undefined ? null : value);
function addressOf(address: Stripe.Emptyable<Stripe.AddressParam> | undefined): Stripe.Address | null {
  if (!address) return null;
  const { city, country, line1, line2, postal_code, state } = address;
  return {
    city: orNull(city),
    country: orNull(country),
    line1: orNull(line1),
    line2: orNull(line2),
    postal_code: orNull(postal_code),
    state: orNull(state),
  };
}
function written(params: Written) {
  return {
    ...('email' in params ? { email: orNull(params.email) } : {}),
    ...('name' in params ? { name: orNull(params.name) } : {}),
    ...('phone' in params ? { phone: orNull(params.phone) } : {}),
    ...('description' in params ? { description: orNull(params.description) } : {}),
    ...('address' in params ? { address: addressOf(params.address) } : {}),
    ...(params.preferred_locales ? { preferred_locales: params.preferred_locales } : {}),
  };
}

/** Refuses a card that is not this customer's. */
export async function ownCard(store: Store, customer: string, id: string, param: string): Promise<string> {
  const method = await store.get('payment_method', id, param);
  if (method.customer === customer) return id;
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
  throw new SandboxError(message, { code: 'resource_missing', param });
}

export const create = handle<Stripe.CustomerCreateParams>(
  ['email', 'name', 'phone', 'description', 'address', 'preferred_locales', 'metadata', 'tax_id_data', 'tax_exempt'],
  async (store, params) => {
    const customer: Objects['customer'] = {
      id: newId('customer'),
      object: 'customer',
      address: null,
      balance: 0,
      created: store.at,
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: randomBytes(4).toString('hex').toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: mergeMetadata({}, params.metadata),
      name: null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: orNull(params.tax_exempt) ?? 'none',
      test_clock: null,
      ...written(params),
    };
    await store.save(customer);
    for (const taxId of params.tax_id_data ?? []) await addTaxId(store, customer.id, taxId);
    await store.emit('customer.created', customer);
    return customer;
  },
);

/** A deleted customer is still known by name. */
export const retrieve = handle<Stripe.CustomerRetrieveParams>([], async (store, _params, id) => {
  const object = await store.find(id);
  return object && 'deleted' in object ? object : store.get('customer', id);
});

/** Ends all the customer's subscriptions at once. */
export const del = handle<Stripe.CustomerDeleteParams>([], async (store, _params, id) => {
  const customer = await store.get('customer', id);
  for (const subscription of await store.select('subscription', {
    equal: { customer: id },
    noneOf: ['status', ['canceled', 'incomplete_expired']],
  })) {
    await endSubscription(store, subscription, 'cancellation_requested');
    await stopCollecting(store, subscription.id);
  }
  await store.emit('customer.deleted', customer);
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true };
  await store.save(deleted as unknown as Objects['customer']);
  return deleted;
});

export const update = handle<Stripe.CustomerUpdateParams>(
  [
    'email',
    'name',
    'phone',
    'description',
    'address',
    'preferred_locales',
    'metadata',
    'invoice_settings',
    'tax_exempt',
  ],
  async (store, params, id) => {
    const before = await store.get('customer', id);
    const card = params.invoice_settings?.default_payment_method;
    if (card) await ownCard(store, id, card, 'invoice_settings[default_payment_method]');
    const customer: Objects['customer'] = {
      ...before,
      ...written(params),
      ...(params.tax_exempt === undefined ? {} : { tax_exempt: orNull(params.tax_exempt) ?? 'none' }),
      metadata: mergeMetadata(before.metadata, params.metadata),
      invoice_settings: {
        ...before.invoice_settings,
        ...(card === undefined ? {} : { default_payment_method: card || null }),
      },
    };
    await store.save(customer);
    await store.emit('customer.updated', customer);
    return customer;
  },
);

export const list = handle<Stripe.CustomerListParams>(
  ['email', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) =>
    listPage(
      store,
      'customer',
      params,
      { equal: given({ email: params.email }), noneOf: ['deleted', ['true']] },
      '/v1/customers',
    ),
);

async function taxIdOf(store: Store, id: string, owner: string): Promise<Objects['tax_id']> {
  const taxId = await store.get('tax_id', id);
  if (!taxId.customer || idOf(taxId.customer) !== owner) throw missing('tax_id', id);
  return taxId;
}

async function addTaxId(store: Store, customer: string, { type, value }: Stripe.CustomerCreateTaxIdParams) {
  const taxId: Objects['tax_id'] = {
    id: newId('tax_id'),
    object: 'tax_id',
    country: type.startsWith('au_') ? 'AU' : null,
    created: store.at,
    customer,
    customer_account: null,
    livemode: false,
    owner: { type: 'customer', customer, customer_account: null },
    type,
    value,
    verification: { status: 'pending', verified_address: null, verified_name: null },
  };
  await store.save(taxId);
  await store.emit('customer.tax_id.created', taxId);
  return taxId;
}

export const createTaxId = handle<Stripe.CustomerCreateTaxIdParams>(['type', 'value'], async (store, params, id) =>
  addTaxId(store, (await store.get('customer', id)).id, params),
);
export const retrieveTaxId = handle<Stripe.CustomerRetrieveTaxIdParams>([], async (store, _params, id, owner) =>
  taxIdOf(store, id, owner),
);
export const listTaxIds = handle<Stripe.CustomerListTaxIdsParams>(
  ['limit', 'starting_after', 'ending_before'],
  (store, params, id) => listPage(store, 'tax_id', params, { equal: { customer: id } }, `/v1/customers/${id}/tax_ids`),
);
export const deleteTaxId = handle<Stripe.CustomerDeleteTaxIdParams>([], async (store, _params, id, owner) => {
  const taxId = await taxIdOf(store, id, owner);
  await store.remove(id);
  await store.emit('customer.tax_id.deleted', taxId);
  return { id, object: 'tax_id', deleted: true };
});
