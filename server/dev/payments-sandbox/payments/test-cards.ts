import { SandboxError } from '../http/error.ts';

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
