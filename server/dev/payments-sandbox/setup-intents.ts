import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, mergeMetadata, newClientSecret, newId, type Objects } from './objects.ts';
import { attachMethod, cardBehind, methodFor } from './payment-methods.ts';
import { challenge } from './payments.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';
import { cardError, type Decline } from './test-cards.ts';

type Intent = Objects['setup_intent'];
const notAuthenticated: Decline = {
  code: 'setup_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

export async function createSetupIntent(
  store: Store,
  {
    customer = null,
    usage = 'off_session',
    metadata = {},
    description = null,
  }: { customer?: string | null; usage?: string; metadata?: Stripe.Metadata; description?: string | null },
) {
  const id = newId('setup_intent');
  const intent: Intent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    cancellation_reason: null,
    client_secret: newClientSecret(id),
    created: store.at,
    customer,
    customer_account: null,
    description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage,
  };
  await store.save(intent);
  await store.emit('setup_intent.created', intent);
  return intent;
}

async function succeed(store: Store, intent: Intent, method: Objects['payment_method']): Promise<Intent> {
  const done = await store.save<Intent>({
    ...intent,
    last_setup_error: null,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded',
  });
  if (intent.customer) await attachMethod(store, method, idOf(intent.customer));
  await store.emit('setup_intent.succeeded', done);
  for (const subscription of await store.select('subscription', { equal: { pending_setup_intent: intent.id } }))
    await changeSubscription(store, subscription, { pending_setup_intent: null, default_payment_method: method.id });
  return done;
}

async function fail(
  store: Store,
  intent: Intent,
  method: Objects['payment_method'],
  decline: Decline,
): Promise<Intent> {
  const error = { ...cardError(decline), payment_method: method } as Stripe.SetupIntent.LastSetupError;
  const failed = await store.save<Intent>({
    ...intent,
    last_setup_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  await store.emit('setup_intent.setup_failed', failed);
  return failed;
}

const unexpectedState = (intent: Intent) =>
  new SandboxError(`This SetupIntent's status is ${intent.status}, which does not allow this.`, {
    code: 'setup_intent_unexpected_state',
    setup_intent: intent,
  });

/** Keeps a card on file; a declined one is thrown, after it has been recorded. */
export async function confirmSetup(
  store: Store,
  intent: Intent,
  choose: () => Promise<Objects['payment_method'] | null>,
): Promise<Intent> {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent);
  const method = await choose();
  if (!method) throw unexpectedState(intent);
  const { card, authenticated } = await cardBehind(store, method.id);
  if (card.decline) {
    const failed = await fail(store, intent, method, card.decline);
    throw new SandboxError(card.decline.message, {
      status: 402,
      ...cardError(card.decline),
      payment_method: method,
      setup_intent: failed,
    });
  }
  if (card.challenge === 'always' || (card.challenge === 'once' && !authenticated)) {
    const waiting = await store.save<Intent>({
      ...intent,
      last_setup_error: null,
      next_action: challenge,
      payment_method: method.id,
      status: 'requires_action',
    });
    await store.emit('setup_intent.requires_action', waiting);
    return waiting;
  }
  return succeed(store, intent, method);
}

/** The cardholder's answer to the challenge. */
export async function authenticateSetup(store: Store, intent: Intent, passed: boolean): Promise<Intent> {
  if (intent.status !== 'requires_action' || !intent.payment_method) throw unexpectedState(intent);
  const method = await store.get('payment_method', idOf(intent.payment_method));
  if (!passed) return fail(store, intent, method, notAuthenticated);
  await store.hide(method, { authenticated: true });
  return succeed(store, intent, method);
}

export const create = handle<Stripe.SetupIntentCreateParams>(
  ['customer', 'usage', 'metadata', 'description', 'automatic_payment_methods', 'allowed_payment_method_types'],
  async (store, params) => {
    if (params.customer) await store.get('customer', params.customer, 'customer');
    return createSetupIntent(store, {
      customer: params.customer ?? null,
      usage: params.usage ?? 'off_session',
      metadata: mergeMetadata({}, params.metadata),
      description: params.description ?? null,
    });
  },
);
export const retrieve = handle<Stripe.SetupIntentRetrieveParams>(['client_secret'], (store, _params, id) =>
  store.get('setup_intent', id),
);
export const list = handle<Stripe.SetupIntentListParams>(
  ['customer', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) =>
    listPage(store, 'setup_intent', params, { equal: given({ customer: params.customer }) }, '/v1/setup_intents'),
);
export const confirm = handle<Stripe.SetupIntentConfirmParams>(
  ['payment_method', 'return_url', 'use_stripe_sdk'],
  async (store, params, id) => {
    const intent = await store.get('setup_intent', id);
    const wanted = params.payment_method ?? (intent.payment_method ? idOf(intent.payment_method) : null);
    return confirmSetup(store, intent, async () => (wanted ? methodFor(store, wanted, 'payment_method') : null));
  },
);
export const cancel = handle<Stripe.SetupIntentCancelParams>(['cancellation_reason'], async (store, params, id) => {
  const intent = await store.get('setup_intent', id);
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent);
  const canceled = await store.save<Intent>({
    ...intent,
    status: 'canceled',
    cancellation_reason: params.cancellation_reason ?? 'requested_by_customer',
    next_action: null,
  });
  await store.emit('setup_intent.canceled', canceled);
  return canceled;
});
