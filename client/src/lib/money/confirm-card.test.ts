import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { expect, it } from 'vitest';
import { confirmCard, paymentSentence } from './confirm-card.ts';

const cardError = { type: 'card_error', message: 'Your card was declined.' } as StripeError;
const usedUp = {
  type: 'invalid_request_error',
  code: 'payment_intent_unexpected_state',
  payment_intent: { status: 'succeeded' },
} as StripeError;

it.each([
  ['paid', { paymentIntent: { status: 'succeeded' } }, 'paid'],
  ['on its way', { paymentIntent: { status: 'processing' } }, 'paid'],
  ['declined', { error: cardError }, cardError],
  ['paid in another tab meanwhile', { error: usedUp }, 'paid'],
  ['not finished, and no reason given', { paymentIntent: { status: 'requires_action' } }, null],
])('the form learns the outcome of a payment that is %s', async (_case, answer, expected) => {
  const stripe = { confirmPayment: async () => answer } as unknown as Stripe;
  const order = { stripe, elements: {} as StripeElements, clientSecret: 'pi_1_secret_2', setup: false };
  expect(await confirmCard({ ...order, returnUrl: 'http://localhost/dashboard' })).toEqual(expected);
});

it('the form confirms a set-up where nothing is due', async () => {
  const stripe = { confirmSetup: async () => ({ setupIntent: { status: 'succeeded' } }) } as unknown as Stripe;
  const order = { stripe, elements: {} as StripeElements, clientSecret: 'seti_1_secret_2', setup: true };
  expect(await confirmCard({ ...order, returnUrl: 'http://localhost/dashboard' })).toBe('paid');
});

it.each([
  [cardError, 'Your card was declined.'],
  [{ type: 'validation_error', message: 'Your card number is incomplete.' }, 'Your card number is incomplete.'],
  [{ type: 'card_error' }, 'An error occurred with your card.'],
  [{ type: 'api_error', message: 'inner workings' }, 'An unexpected error occurred. Please try again.'],
  [
    { type: 'invalid_request_error', code: 'payment_intent_authentication_failure', message: 'We are unable to …' },
    'Your bank could not confirm that it was you. Nothing was charged. Please try again, or use another card.',
  ],
  [
    { type: 'invalid_request_error', code: 'setup_intent_authentication_failure' },
    'Your bank could not confirm that it was you. The card was not saved. Please try again, or use another card.',
  ],
  [
    {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    },
    'This payment is no longer open: the purchase was changed in another window. Nothing was charged here.',
  ],
  [null, 'An unexpected error occurred. Please try again.'],
])('the form tells %j as: %s', (error, sentence) => {
  expect(paymentSentence(error as StripeError | null)).toBe(sentence);
});
