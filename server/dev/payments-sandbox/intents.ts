import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { methodFor } from './payment-methods.ts';
import { attemptPayment, cancelIntent, declineOf, unexpectedState } from './payments.ts';
import type { Objects } from './objects.ts';
import { idOf } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

export const retrieve = handle<Stripe.PaymentIntentRetrieveParams>(['client_secret'], (store, _params, id) =>
  store.get('payment_intent', id),
);

export const list = handle<Stripe.PaymentIntentListParams>(
  ['customer', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) =>
    listPage(store, 'payment_intent', params, { equal: given({ customer: params.customer }) }, '/v1/payment_intents'),
);

/** Confirms with a card; a declined one is thrown, after it has been recorded. */
export async function confirmIntent(
  store: Store,
  intent: Objects['payment_intent'],
  choose: () => Promise<Objects['payment_method'] | null>,
  offSession = false,
) {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
    throw unexpectedState(intent);
  const method = await choose();
  if (!method)
    throw new SandboxError('You cannot confirm this PaymentIntent because it is missing a payment method.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    });
  const tried = await attemptPayment(store, intent, method, offSession);
  if (tried.status === 'requires_payment_method') throw declineOf(tried);
  return tried;
}

export const confirm = handle<Stripe.PaymentIntentConfirmParams>(
  ['payment_method', 'off_session', 'return_url', 'use_stripe_sdk', 'setup_future_usage'],
  async (store, params, id) => {
    const intent = await store.get('payment_intent', id);
    const wanted = params.payment_method ?? (intent.payment_method ? idOf(intent.payment_method) : null);
    return confirmIntent(
      store,
      intent,
      async () => (wanted ? methodFor(store, wanted, 'payment_method') : null),
      Boolean(params.off_session),
    );
  },
);

export const cancel = handle<Stripe.PaymentIntentCancelParams>(['cancellation_reason'], async (store, params, id) => {
  const intent = await store.get('payment_intent', id);
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent);
  return cancelIntent(store, intent, params.cancellation_reason ?? 'requested_by_customer');
});
