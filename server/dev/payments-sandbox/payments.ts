import type Stripe from 'stripe';
import { recordCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { invoiceFailed, invoiceNeedsAction, invoicePaid } from './invoice-outcomes.ts';
import { idOf, idOrNull, newClientSecret, newId, type Objects } from './objects.ts';
import { attachMethod, cardBehind } from './payment-methods.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { cardError, type Decline } from './test-cards.ts';

type Intent = Objects['payment_intent'];
type Method = Objects['payment_method'];

const notAuthenticated: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
export const challenge = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', sandbox: true } };

export async function createIntent(
  store: Store,
  invoice: Objects['invoice'],
  setupFutureUsage: boolean,
): Promise<Intent> {
  const id = newId('payment_intent');
  const intent: Intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: newClientSecret(id),
    confirmation_method: 'automatic',
    created: store.at,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: setupFutureUsage ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
  await store.save(intent);
  await store.emit('payment_intent.created', intent);
  return intent;
}

async function succeed(store: Store, intent: Intent, method: Method): Promise<Intent> {
  const charge = await recordCharge(store, intent, method, null);
  const paid = await store.save<Intent>({
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded',
  });
  if (intent.customer && intent.setup_future_usage) await attachMethod(store, method, idOf(intent.customer));
  await store.emit('payment_intent.succeeded', paid);
  await invoicePaid(store, paid);
  if ((await cardBehind(store, method.id)).card.disputed) await openDispute(store, charge);
  return paid;
}

async function fail(store: Store, intent: Intent, method: Method, decline: Decline): Promise<Intent> {
  // a challenge that was not passed never reached the bank
  const charge = decline === notAuthenticated ? null : await recordCharge(store, intent, method, decline);
  const error = {
    ...cardError(decline),
    ...(charge ? { charge: charge.id } : {}),
    payment_method: method,
  } as Stripe.PaymentIntent.LastPaymentError;
  const failed = await store.save<Intent>({
    ...intent,
    last_payment_error: error,
    latest_charge: charge?.id ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  await store.emit('payment_intent.payment_failed', failed);
  await invoiceFailed(store, failed);
  return failed;
}

/** The development console asked for this customer's next charges to fail. */
async function orderedDecline(store: Store, intent: Intent): Promise<Decline | null> {
  const id = idOrNull(intent.customer);
  const left = id ? ((await store.hidden(id)).failCharges ?? 0) : 0;
  if (!id || left < 1) return null;
  await store.hide(await store.get('customer', id), { failCharges: left - 1 });
  return { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' };
}

/** Tries to take the money and records what came of it, on the intent and on its invoice. */
export async function attemptPayment(
  store: Store,
  intent: Intent,
  method: Method,
  offSession: boolean,
): Promise<Intent> {
  const { card, authenticated } = await cardBehind(store, method.id);
  const decline = card.decline ?? card.chargeDecline ?? (await orderedDecline(store, intent));
  if (decline) return fail(store, intent, method, decline);
  if (card.challenge === 'always' || (card.challenge === 'once' && !authenticated)) {
    const waiting = await store.save<Intent>({
      ...intent,
      last_payment_error: null,
      next_action: challenge,
      payment_method: method.id,
      status: 'requires_action',
    });
    await store.emit('payment_intent.requires_action', waiting);
    await invoiceNeedsAction(store, waiting, offSession);
    return waiting;
  }
  return succeed(store, intent, method);
}

/** The cardholder's answer to the challenge. */
export async function authenticatePayment(store: Store, intent: Intent, passed: boolean): Promise<Intent> {
  if (intent.status !== 'requires_action' || !intent.payment_method) throw unexpectedState(intent);
  const method = await store.get('payment_method', idOf(intent.payment_method));
  if (!passed) return fail(store, intent, method, notAuthenticated);
  await store.hide(method, { authenticated: true });
  return succeed(store, intent, method);
}

export const unexpectedState = (intent: Intent) =>
  new SandboxError(`This PaymentIntent's status is ${intent.status}, which does not allow this.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });

/** The refusal that goes with a failed attempt; the attempt itself stays recorded. */
export function declineOf(intent: Intent): SandboxError {
  const { code, decline_code, message, payment_method } = intent.last_payment_error ?? {};
  return new SandboxError(message ?? 'Your card was declined.', {
    status: 402,
    type: 'card_error',
    ...(code ? { code } : {}),
    ...(decline_code ? { decline_code } : {}),
    ...(payment_method ? { payment_method } : {}),
    payment_intent: intent,
  });
}

export async function cancelIntent(
  store: Store,
  intent: Intent,
  reason: Stripe.PaymentIntent.CancellationReason,
): Promise<Intent> {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return intent;
  const canceled = await store.save<Intent>({
    ...intent,
    status: 'canceled',
    canceled_at: store.at,
    cancellation_reason: reason,
    next_action: null,
  });
  await store.emit('payment_intent.canceled', canceled);
  return canceled;
}
