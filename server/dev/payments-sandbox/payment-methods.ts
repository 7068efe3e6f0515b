import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, idOrNull, newId, type Objects } from './objects.ts';
import { missing, SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { cardNamed, testCard, testCards, type TestCard } from './test-cards.ts';

type Expiry = { month: number; year: number };

/** A new payment method for a test card. Of its number only the last four digits are kept. */
export async function createMethod(
  store: Store,
  cardName: string,
  expiry?: Expiry,
): Promise<Objects['payment_method']> {
  const card = testCard(cardName);
  const method: Objects['payment_method'] = {
    id: newId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: card.country,
      display_brand: card.brand,
      exp_month: expiry?.month ?? 12,
      exp_year: expiry?.year ?? new Date(store.at * 1000).getUTCFullYear() + 5,
      fingerprint: `sandbox${cardName}`,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: store.at,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  await store.save(method);
  await store.hide(method, { card: cardName });
  return method;
}

/** A payment method by its id, or a new one by one of the provider's test names. */
export async function methodFor(store: Store, id: string, param: string): Promise<Objects['payment_method']> {
  const name = cardNamed(id);
  return name ? createMethod(store, name) : store.get('payment_method', id, param);
}

export async function cardBehind(store: Store, methodId: string): Promise<{ card: TestCard; authenticated: boolean }> {
  const { card, authenticated } = await store.hidden(methodId);
  return { card: card ? testCard(card) : testCards['visa']!, authenticated: authenticated ?? false };
}

export async function attachMethod(store: Store, method: Objects['payment_method'], customer: string) {
  if (idOrNull(method.customer) === customer) return method;
  if (method.customer !== null)
    throw new SandboxError('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    });
  await store.get('customer', customer, 'customer');
  const attached = await store.save({ ...method, customer });
  await store.emit('payment_method.attached', attached);
  return attached;
}

export const retrieve = handle<Stripe.PaymentMethodRetrieveParams>([], (store, _params, id) =>
  store.get('payment_method', id),
);

export const list = handle<Stripe.PaymentMethodListParams>(
  ['customer', 'type', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    if (!params.customer)
      throw new SandboxError('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
    return listPage(
      store,
      'payment_method',
      params,
      { equal: given({ customer: params.customer, type: params.type }) },
      '/v1/payment_methods',
    );
  },
);
export const listOfCustomer = handle<Stripe.CustomerListPaymentMethodsParams>(
  ['type', 'limit', 'starting_after', 'ending_before'],
  async (store, params, id) => {
    await store.get('customer', id);
    return listPage(
      store,
      'payment_method',
      params,
      { equal: given({ customer: id, type: params.type }) },
      `/v1/customers/${id}/payment_methods`,
    );
  },
);
export const retrieveOfCustomer = handle<Stripe.CustomerRetrievePaymentMethodParams>(
  [],
  async (store, _params, id, owner) => {
    const method = await store.get('payment_method', id);
    if (idOrNull(method.customer) !== owner) throw missing('payment_method', id);
    return method;
  },
);

export const attach = handle<Stripe.PaymentMethodAttachParams>(['customer'], async (store, params, id) => {
  if (!params.customer)
    throw new SandboxError('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  const method = await methodFor(store, id, 'payment_method');
  const { card } = await cardBehind(store, method.id);
  if (card.decline) {
    const { code, declineCode, message } = card.decline;
    throw new SandboxError(message, {
      status: 402,
      type: 'card_error',
      code,
      ...(declineCode ? { decline_code: declineCode } : {}),
    });
  }
  return attachMethod(store, method, params.customer);
});

export const detach = handle<Stripe.PaymentMethodDetachParams>([], async (store, _params, id) => {
  const method = await store.get('payment_method', id);
  if (!method.customer)
    throw new SandboxError(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      { code: 'payment_method_unexpected_state' },
    );
  const owner = idOf(method.customer);
  const customer = await store.get('customer', owner);
  if (idOrNull(customer.invoice_settings.default_payment_method) === id)
    await store.save({ ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: null } });
  for (const subscription of await store.select('subscription', {
    equal: { customer: owner, default_payment_method: id },
  }))
    await store.save({ ...subscription, default_payment_method: null });
  const detached = await store.save({ ...method, customer: null });
  await store.emit('payment_method.detached', detached, { customer: owner });
  return detached;
});
