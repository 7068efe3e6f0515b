import type Stripe from 'stripe';
import { required, SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { cardError, cardNamed, testCard, testCards, type TestCard } from './test-cards.ts';

type Expiry = { month: number; year: number };

/** A new payment method for a test card. Of its number only the last four digits are kept. */
export async function createMethod(
  store: Store,
  cardName: string,
  expiry?: Expiry,
): Promise<Objects['payment_method']> {
  const card = testCard(cardName);
  const method = newObject('payment_method', store.at, {
    allow_redisplay: 'unspecified',
    card: {
      brand: card.brand,
      country: card.country,
      display_brand: card.brand,
      exp_month: expiry?.month ?? 12,
      exp_year: expiry?.year ?? new Date(store.at * 1000).getUTCFullYear() + 5,
      funding: 'credit',
      last4: card.number.slice(-4),
    },
    type: 'card',
  });
  await store.save(method);
  await store.hide(method, { card: cardName });
  return method;
}

/** Link, which is not a card: a subscription that takes only cards can't charge it. */
const createLink = (store: Store) => store.save(newObject('payment_method', store.at, { link: {}, type: 'link' }));

/** A payment method by its id, or a new one by one of Stripe's test names; `pm_link` is the sandbox's own. */
export async function methodFor(store: Store, id: string, param: string): Promise<Objects['payment_method']> {
  if (id === 'pm_link') return createLink(store);
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
    throw new SandboxError('The payment method you provided has already been attached to a customer.');
  await store.get('customer', customer, 'customer');
  return store.save({ ...method, customer }, 'payment_method.attached');
}

export const attach = handle<Stripe.PaymentMethodAttachParams>(['customer'], async (store, params, id) => {
  if (!params.customer) throw required('customer');
  const method = await methodFor(store, id, 'id');
  const { card } = await cardBehind(store, method.id);
  if (card.decline)
    throw new SandboxError(card.decline.message, { status: 402, param: '', ...cardError(card.decline) });
  return attachMethod(store, method, params.customer);
});

export const detach = handle<object>([], async (store, _params, id) => {
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
  return store.save({ ...method, customer: null }, 'payment_method.detached', { customer: owner });
});
