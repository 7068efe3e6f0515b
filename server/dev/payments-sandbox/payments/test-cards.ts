import { SandboxError } from '../http/error.ts';

/** `type` where it is not the card that was refused. */
export type Decline = {
  type?: 'invalid_request_error';
  code: string;
  declineCode?: string;
  /** the field of the card that is wrong */
  param?: string;
  adviceCode?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later';
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

export const declined = (
  declineCode: string,
  message = 'Your card was declined.',
  more: Partial<Decline> = {},
): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
  ...more,
});
const expired = declined('expired_card', 'Your card has expired.', {
  code: 'expired_card',
  param: 'exp_month',
  adviceCode: 'do_not_try_again',
});
const wrongCvc = declined('incorrect_cvc', "Your card's security code is incorrect.", {
  code: 'incorrect_cvc',
  param: 'cvc',
  adviceCode: 'confirm_card_data',
});
const fault = 'An error occurred while processing your card. Try again in a little bit.';
const notProcessed = declined('processing_error', fault, { code: 'processing_error', adviceCode: 'try_again_later' });

const card = (number: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: 'visa',
  country: 'US',
  ...more,
});
const declining = (number: string, decline: Decline) => card(number, { decline });

/** By the name that Stripe's own test payment methods have after `pm_card_`. */
export const testCards: Record<string, TestCard> = {
  visa: card('4242424242424242'),
  mastercard: card('5555555555554444', { brand: 'mastercard' }),
  au: card('4000000360000006', { country: 'AU' }),
  chargeDeclined: declining('4000000000000002', declined('generic_decline')),
  chargeDeclinedInsufficientFunds: declining(
    '4000000000009995',
    declined('insufficient_funds', 'Your card has insufficient funds.'),
  ),
  chargeDeclinedLostCard: declining('4000000000009987', declined('lost_card')),
  chargeDeclinedStolenCard: declining('4000000000009979', declined('stolen_card')),
  chargeDeclinedExpiredCard: declining('4000000000000069', expired),
  chargeDeclinedIncorrectCvc: declining('4000000000000127', wrongCvc),
  chargeDeclinedProcessingError: declining('4000000000000119', notProcessed),
  authenticationRequiredOnSetup: card('4000002500003155', { challenge: 'once' }),
  authenticationRequired: card('4000002760003184', { challenge: 'always' }),
  chargeCustomerFail: card('4000000000000341', { chargeDecline: declined('generic_decline') }),
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

export const cardError = ({ type, code, declineCode, param, adviceCode, message }: Decline) => ({
  type: type ?? ('card_error' as const),
  code,
  ...(declineCode && { decline_code: declineCode }),
  ...(param && { param }),
  ...(adviceCode && { advice_code: adviceCode }),
  message,
});
