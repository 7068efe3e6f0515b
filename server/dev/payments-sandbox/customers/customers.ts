import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { missing, SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, mergeMetadata, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { endNow } from '../subscriptions/cancel.ts';

type Details = Pick<Stripe.CustomerUpdateParams, 'email' | 'name' | 'phone' | 'description' | 'address'>;
const texts = ['email', 'name', 'phone', 'description'] as const;
const details = [...texts, 'address'] as const;
const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

/** Only what the request names; an empty text takes a detail away. */
const detailsOf = ({ address, ...params }: Details): Partial<Pick<Objects['customer'], keyof Details>> => ({
  ...Object.fromEntries(texts.filter((name) => name in params).map((name) => [name, params[name] || null])),
  ...(address !== undefined && { address: address ? { ...noAddress, ...address } : null }),
});

/** Refuses a card that is not this customer's. */
export async function checkCardOwner(store: Store, customer: string, id: string, param: string) {
  const method = await store.get('payment_method', id, param);
  if (method.customer === customer) return;
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
  throw new SandboxError(message, { code: 'resource_missing', param });
}

export const create = handle<Stripe.CustomerCreateParams>([...details, 'metadata'], (store, params) =>
  store.save(
    newObject('customer', store.at, {
      invoice_prefix: randomBytes(4).toString('hex').toUpperCase(),
      metadata: mergeMetadata({}, params.metadata),
      next_invoice_sequence: 1,
      tax_exempt: 'none',
      ...detailsOf(params),
    }),
    'customer.created',
  ),
);

/** A deleted customer can still be read, as `{deleted: true}`. */
export const retrieve = handle<object>([], async (store, _params, id) => {
  const object = await store.find(id);
  return object && 'deleted' in object ? object : store.get('customer', id);
});

export const update = handle<Stripe.CustomerUpdateParams>(
  [...details, 'invoice_settings'],
  async (store, params, id) => {
    const before = await store.get('customer', id);
    const card = params.invoice_settings?.default_payment_method;
    if (card) await checkCardOwner(store, id, card, 'invoice_settings[default_payment_method]');
    const settings = before.invoice_settings;
    return store.save<Objects['customer']>(
      {
        ...before,
        ...detailsOf(params),
        invoice_settings: card === undefined ? settings : { ...settings, default_payment_method: card || null },
      },
      'customer.updated',
    );
  },
);

/** Ends all the customer's subscriptions at once. */
export const del = handle<object>([], async (store, _params, id) => {
  const customer = await store.get('customer', id);
  const over = ['canceled', 'incomplete_expired'];
  for (const subscription of await store.select('subscription', { equal: { customer: id }, noneOf: ['status', over] }))
    await endNow(store, subscription);
  await store.emit('customer.deleted', customer);
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true };
  await store.save(deleted as unknown as Objects['customer']);
  return deleted;
});

export const createTaxId = handle<Stripe.CustomerCreateTaxIdParams>(
  ['type', 'value'],
  async (store, { type, value }, customer) => {
    await store.get('customer', customer);
    if (type === 'au_abn' && !/^\d{11}$/.test(value.replaceAll(' ', '')))
      throw new SandboxError('Invalid value for au_abn.', { code: 'tax_id_invalid', param: 'value' });
    return store.save(
      newObject('tax_id', store.at, {
        country: type.startsWith('au_') ? 'AU' : null,
        customer,
        owner: { type: 'customer', customer },
        type,
        value,
        verification: { status: 'pending' },
      }),
      'customer.tax_id.created',
    );
  },
);
export const deleteTaxId = handle<object>([], async (store, _params, id, owner) => {
  const taxId = await store.get('tax_id', id);
  if (!taxId.customer || idOf(taxId.customer) !== owner) throw missing('tax_id', id);
  await store.remove(id);
  await store.emit('customer.tax_id.deleted', taxId);
  return { id, object: 'tax_id', deleted: true };
});
