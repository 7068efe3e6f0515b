import type Stripe from 'stripe';
import { required, SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOf, idOrNull } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { cardNamed, testCard } from './test-cards.ts';

type Method = Stripe.PaymentMethod;

/** A new payment method for a test card. Of its number only the last four digits are kept. */
export async function createMethod(store: Store, cardName: string, expiry?: { month: number; year: number }) {
  const { number, brand, country } = testCard(cardName);
  const method = await store.create('payment_method', {
    card: {
      brand,
      country,
      exp_month: expiry?.month ?? 12,
      exp_year: expiry?.year ?? new Date(store.at * 1000).getUTCFullYear() + 5,
      funding: 'credit',
      last4: number.slice(-4),
    },
    type: 'card',
  });
  await store.hide(method.id, { card: cardName });
  return method;
}

/** A payment method by its id, or a new one by one of Stripe's test names. `pm_link` is the sandbox's own: it can't pay where only cards can. */
export async function methodFor(store: Store, id: string, param: string): Promise<Method> {
  if (id === 'pm_link') return store.create('payment_method', { link: {}, type: 'link' });
  const name = cardNamed(id);
  return name ? createMethod(store, name) : store.get('payment_method', id, param);
}

/** The test card that a method stands for, and whether its holder has passed a challenge. */
export async function cardBehind(store: Store, methodId: string) {
  const { card = 'visa', authenticated = false } = await store.hidden(methodId);
  return { ...testCard(card), authenticated };
}

/** Refuses a card that is not this customer's. */
export async function checkCardOwner(store: Store, customer: string, id: string, param: string) {
  const method = await store.get('payment_method', id, param);
  if (method.customer === customer) return;
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
  throw new SandboxError(message, { code: 'resource_missing', param });
}

export async function attachMethod(store: Store, method: Method, customer: string): Promise<Method> {
  if (method.customer === customer) return method;
  if (method.customer !== null)
    throw new SandboxError('The payment method you provided has already been attached to a customer.');
  await store.get('customer', customer, 'customer');
  return store.save({ ...method, customer }, 'payment_method.attached');
}

export const attach = handle<Stripe.PaymentMethodAttachParams>(['customer'], async (store, params, id) => {
  if (!params.customer) throw required('customer');
  const method = await methodFor(store, id, 'id');
  const { decline } = await cardBehind(store, method.id);
  if (decline) throw new SandboxError(decline.message, { status: 402, param: '', ...decline, type: 'card_error' });
  return attachMethod(store, method, params.customer);
});

export const detach = handle<object>([], async (store, _params, id) => {
  const method = await store.get('payment_method', id);
  if (!method.customer) throw new SandboxError('The payment method is not attached, so it cannot be detached.');
  const customer = await store.get('customer', idOf(method.customer));
  const { invoice_settings: settings } = customer;
  if (idOrNull(settings.default_payment_method) === id)
    await store.save({ ...customer, invoice_settings: { ...settings, default_payment_method: null } });
  const paidWithIt = { equal: { customer: customer.id, default_payment_method: id } };
  for (const subscription of await store.select('subscription', paidWithIt))
    await store.save({ ...subscription, default_payment_method: null });
  return store.save({ ...method, customer: null }, 'payment_method.detached', { customer: customer.id });
});
