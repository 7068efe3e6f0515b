import type Stripe from 'stripe';
import { required, SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOf, idOrNull } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

/** `type` where it is not the card that was refused; `param` is the field of the card that is wrong. */
export type Decline = {
  type?: 'invalid_request_error';
  code: string;
  decline_code?: string;
  param?: string | undefined;
  message: string;
};
export type TestCard = {
  number: string;
  brand: 'visa' | 'mastercard';
  country: string;
  /** refused whenever it is used */
  decline?: Decline;
  /** can be kept on file, and every charge of it is refused */
  chargeDecline?: Decline;
  /** the cardholder must authenticate: the first time only, or at every payment */
  challenge?: 'once' | 'always';
  /** every charge of it succeeds and is disputed */
  disputed?: boolean;
};

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});
export const genericDecline = declined('generic_decline');
const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const fault = (code: string, message: string, param?: string) => ({ ...declined(code, message), code, param });
const expired = fault('expired_card', 'Your card has expired.', 'exp_month');
const wrongCvc = fault('incorrect_cvc', "Your card's security code is incorrect.", 'cvc');
const notProcessed = fault(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
);

const card = (number: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: 'visa',
  country: 'US',
  ...more,
});

/** By the name that Stripe's own test payment methods have after `pm_card_`. */
const testCards: Record<string, TestCard> = {
  visa: card('4242424242424242'),
  mastercard: card('5555555555554444', { brand: 'mastercard' }),
  au: card('4000000360000006', { country: 'AU' }),
  chargeDeclined: card('4000000000000002', { decline: genericDecline }),
  chargeDeclinedInsufficientFunds: card('4000000000009995', { decline: insufficientFunds }),
  chargeDeclinedLostCard: card('4000000000009987', { decline: declined('lost_card') }),
  chargeDeclinedStolenCard: card('4000000000009979', { decline: declined('stolen_card') }),
  chargeDeclinedExpiredCard: card('4000000000000069', { decline: expired }),
  chargeDeclinedIncorrectCvc: card('4000000000000127', { decline: wrongCvc }),
  chargeDeclinedProcessingError: card('4000000000000119', { decline: notProcessed }),
  authenticationRequiredOnSetup: card('4000002500003155', { challenge: 'once' }),
  authenticationRequired: card('4000002760003184', { challenge: 'always' }),
  chargeCustomerFail: card('4000000000000341', { chargeDecline: genericDecline }),
  createDispute: card('4000000000000259', { disputed: true }),
};

export const testCard = (name: string): TestCard => {
  const card = testCards[name];
  if (!card) throw new Error(`unknown test card ${name}`);
  return card;
};

/** `pm_card_visa` → `visa`; Stripe also spells the declines `pm_card_visa_chargeDeclined…`. */
export function cardNamed(paymentMethod: string): string | null {
  const name = /^pm_card_(?:visa_)?(\w+)$/.exec(paymentMethod)?.[1];
  return name && Object.hasOwn(testCards, name) ? name : null;
}

/** Any number outside the table is refused, so that no real card is ever kept. */
export function cardNumbered(number: string): string {
  const digits = number.replace(/[\s-]/g, '');
  const found = Object.entries(testCards).find(([, card]) => card.number === digits);
  if (found) return found[0];
  throw new SandboxError('Your card was declined. These are sandbox payments: use a test card number.', {
    status: 402,
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
  });
}

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
