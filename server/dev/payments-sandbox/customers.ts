import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { missing, SandboxError, unsupported } from './http/error.ts';
import { handle } from './http/handler.ts';
import { endNow } from './invoices/outcome.ts';
import { checkCardOwner } from './payments/payment-methods.ts';
import { idOf, mergeMetadata } from './store/objects.ts';
import type { Store } from './store/store.ts';

/** Moves a customer's balance; negative cents are a credit, which later invoices use up. */
export async function moveBalance(
  store: Store,
  customerId: string,
  amount: number,
  type: Stripe.CustomerBalanceTransaction['type'],
  about: Partial<Pick<Stripe.CustomerBalanceTransaction, 'invoice' | 'credit_note'>> = {},
): Promise<Stripe.CustomerBalanceTransaction> {
  const customer = await store.get('customer', customerId);
  const balance = customer.balance + amount;
  await store.save({ ...customer, balance, currency: 'aud' }, 'customer.updated');
  const said = { ...about, amount, customer: customerId, ending_balance: balance, type };
  return store.create('customer_balance_transaction', said);
}

export const createBalanceTransaction = handle<Stripe.CustomerCreateBalanceTransactionParams>(
  ['amount'],
  (store, { amount }, id) => moveBalance(store, id, amount, 'adjustment'),
);

type Details = Pick<Stripe.CustomerUpdateParams, 'email' | 'name' | 'phone' | 'description' | 'address'>;
const texts = ['email', 'name', 'phone', 'description'] as const;
const details = [...texts, 'address'] as const;
const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

/** Only what the request names; an empty text takes a detail away. */
const detailsOf = ({ address, ...params }: Details): Partial<Pick<Stripe.Customer, keyof Details>> => ({
  ...Object.fromEntries(texts.filter((name) => name in params).map((name) => [name, params[name] || null])),
  ...(address !== undefined && { address: address ? { ...noAddress, ...address } : null }),
});

export const create = handle<Stripe.CustomerCreateParams>([...details, 'metadata'], (store, params) => {
  const own = {
    invoice_prefix: randomBytes(4).toString('hex').toUpperCase(),
    metadata: mergeMetadata({}, params.metadata),
    next_invoice_sequence: 1,
    ...detailsOf(params),
  };
  return store.create('customer', own, 'customer.created');
});

export const update = handle<Stripe.CustomerUpdateParams>(
  [...details, 'invoice_settings'],
  async (store, params, id) => {
    const before = await store.get('customer', id);
    const { default_payment_method: card } = params.invoice_settings ?? {};
    if (card) await checkCardOwner(store, id, card, 'invoice_settings[default_payment_method]');
    const invoice_settings = {
      ...before.invoice_settings,
      ...(card !== undefined && { default_payment_method: card || null }),
    };
    return store.save<Stripe.Customer>({ ...before, ...detailsOf(params), invoice_settings }, 'customer.updated');
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
  return store.save(deleted as unknown as Stripe.Customer);
});

export const createTaxId = handle<Stripe.CustomerCreateTaxIdParams>(
  ['type', 'value'],
  async (store, { type, value }, customer) => {
    await store.get('customer', customer);
    if (type !== 'au_abn') throw unsupported('tax ids but ABNs', 'type');
    if (!/^\d{11}$/.test(value.replaceAll(' ', '')))
      throw new SandboxError('Invalid value for au_abn.', { code: 'tax_id_invalid', param: 'value' });
    return store.create('tax_id', { country: 'AU', customer, type, value }, 'customer.tax_id.created');
  },
);

export const deleteTaxId = handle<object>([], async (store, _params, id, owner) => {
  const taxId = await store.get('tax_id', id);
  if (!taxId.customer || idOf(taxId.customer) !== owner) throw missing('tax_id', id);
  await store.remove(id);
  await store.emit('customer.tax_id.deleted', taxId);
  return { id, object: 'tax_id', deleted: true };
});
