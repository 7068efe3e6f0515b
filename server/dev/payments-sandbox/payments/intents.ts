import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle, type Handler } from '../http/handler.ts';
import { afterAttempt } from '../invoices/outcome.ts';
import { idOf, idOrNull, newClientSecret, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { openDispute, recordCharge } from './charges.ts';
import { attachMethod, cardBehind, type Decline, genericDecline, methodFor, type TestCard } from './payment-methods.ts';

type Method = Stripe.PaymentMethod;

export type IntentKind = 'payment_intent' | 'setup_intent';
type Intent = Objects[IntentKind];

/** What an attempt with a card does to one kind of intent. */
type Outcomes<I extends Intent> = {
  /** Why the card is refused this time. */
  refusal(store: Store, intent: I, card: TestCard): Promise<Decline | null>;
  succeed(store: Store, intent: I, method: Method): Promise<I>;
  fail(store: Store, intent: I, method: Method, decline: Decline): Promise<I>;
  /** The bank wants the cardholder. */
  wait(store: Store, intent: I, absent: boolean): Promise<void>;
};
/** What is done when the bank wants the cardholder: they are asked, or told later (a renewal waits for them), or the card is refused. */
type Challenged = 'ask' | 'wait' | 'refuse';
export type IntentActions<I extends Intent> = ReturnType<typeof intentActions<I>>;

const names = { payment_intent: 'PaymentIntent', setup_intent: 'SetupIntent' } as const;
const errorField = { payment_intent: 'last_payment_error', setup_intent: 'last_setup_error' } as const;
const challenge = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', sandbox: true } };

const notAuthenticated = ({ object }: Intent): Decline => ({
  type: 'invalid_request_error',
  code: `${object}_authentication_failure`,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
});

const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

const unexpectedState = (intent: Intent, why = `its status is ${intent.status}`) =>
  new SandboxError(`You cannot confirm this ${names[intent.object]} because ${why}.`, {
    code: `${intent.object}_unexpected_state`,
    [intent.object]: intent,
  });

/** The error of a failed attempt, as it is thrown; the attempt itself stays recorded. */
export function declineOf(intent: Intent): SandboxError {
  const last = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error;
  const { type: _type, message = 'Your card was declined.', ...said } = last ?? {};
  return new SandboxError(message, { ...said, status: 402, type: 'card_error', [intent.object]: intent });
}

/** An intent after an attempt with this method. */
const after = <I extends Intent>(intent: I, status: I['status'], method: Method | null, more: object = {}): I => ({
  ...intent,
  [errorField[intent.object]]: null,
  next_action: null,
  payment_method: method?.id ?? null,
  status,
  ...more,
});

/** An intent that waits for another card; `charge` where the attempt reached the bank. */
const failed = <I extends Intent>(intent: I, method: Method, decline: Decline, charge?: string): I =>
  after(intent, 'requires_payment_method', null, {
    [errorField[intent.object]]: { type: 'card_error', ...decline, ...(charge && { charge }), payment_method: method },
  });

function intentActions<I extends Intent>({ refusal, succeed, fail, wait }: Outcomes<I>) {
  /** Tries the card and records the outcome. */
  async function attempt(store: Store, intent: I, method: Method, challenged: Challenged): Promise<I> {
    const card = await cardBehind(store, method.id);
    const decline = await refusal(store, intent, card);
    if (decline) return fail(store, intent, method, decline);
    const asks = card.challenge === 'always' || (card.challenge === 'once' && !card.authenticated);
    if (!asks) return succeed(store, intent, method);
    if (challenged === 'refuse') return fail(store, intent, method, authenticationRequired);
    const waiting = after(intent, 'requires_action', method, { next_action: challenge });
    await store.save(waiting, `${intent.object}.requires_action`);
    await wait(store, waiting, challenged === 'wait');
    return waiting;
  }
  return {
    attempt,
    /** Tries the card, and throws a decline once it has been recorded. */
    async confirm(store: Store, intent: I, method: Method | null): Promise<I> {
      if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent);
      if (!method) throw unexpectedState(intent, 'it is missing a payment method');
      if (!intent.payment_method_types.includes(method.type))
        throw new SandboxError(`The payment method type "${method.type}" is not allowed here.`);
      const tried = await attempt(store, intent, method, 'ask');
      if (tried.status === 'requires_payment_method') throw declineOf(tried);
      return tried;
    },
    /** The cardholder's answer to the bank's challenge. */
    async authenticate(store: Store, intent: I, passed: boolean): Promise<I> {
      if (intent.status !== 'requires_action' || !intent.payment_method) throw unexpectedState(intent);
      const method = await store.get('payment_method', idOf(intent.payment_method));
      if (!passed) return fail(store, intent, method, notAuthenticated(intent));
      await store.hide(method.id, { authenticated: true });
      return succeed(store, intent, method);
    },
  };
}

/** The card that a confirmation names, or the intent's own. */
export async function methodNamed(store: Store, intent: Intent, named: string | undefined): Promise<Method | null> {
  const id = named || idOrNull(intent.payment_method);
  return id ? methodFor(store, id, 'payment_method') : null;
}

/** Confirms from the server, with a card by its id or by one of Stripe's test names. */
const confirming = <K extends IntentKind>(kind: K, { confirm }: IntentActions<Objects[K]>): Handler =>
  handle<{ payment_method?: string }>(['payment_method'], async (store, params, id) => {
    const intent = await store.get(kind, id, 'intent');
    return confirm(store, intent, await methodNamed(store, intent, params.payment_method));
  });

/** Whether the controls asked for this customer's next charges to fail. */
async function orderedDecline(store: Store, customer: string): Promise<Decline | null> {
  const { failCharges = 0 } = await store.hidden(customer);
  if (failCharges < 1) return null;
  await store.hide(customer, { failCharges: failCharges - 1 });
  return genericDecline;
}

export const paymentIntents = intentActions<Stripe.PaymentIntent>({
  refusal: async (store, { customer }, { decline, chargeDecline }) =>
    decline ?? chargeDecline ?? (await orderedDecline(store, idOf(customer ?? ''))),
  async succeed(store, intent, method) {
    const charge = await recordCharge(store, intent, method, true);
    const taken = { amount_received: intent.amount, latest_charge: charge.id };
    const paid = await store.save(after(intent, 'succeeded', method, taken));
    if (intent.customer && intent.setup_future_usage) await attachMethod(store, method, idOf(intent.customer));
    await store.emit('payment_intent.succeeded', paid);
    await afterAttempt(store, paid);
    if ((await cardBehind(store, method.id)).disputed) await openDispute(store, charge);
    return paid;
  },
  async fail(store, intent, method, decline) {
    // a challenge that was not passed never reached the bank
    const asked = decline.code !== 'payment_intent_authentication_failure';
    const charge = asked ? await recordCharge(store, intent, method, false) : null;
    const latest_charge = charge?.id ?? intent.latest_charge;
    const unpaid = { ...failed(intent, method, decline, charge?.id), latest_charge };
    await store.save(unpaid, 'payment_intent.payment_failed');
    await afterAttempt(store, unpaid);
    return unpaid;
  },
  wait: afterAttempt,
});
export const confirmPayment = confirming('payment_intent', paymentIntents);

/** A card that pays a subscription's invoice is attached to its customer, whatever the subscription itself keeps; another invoice keeps none. */
export function createPaymentIntent(store: Store, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent> {
  const id = newId('payment_intent');
  const intent = {
    id,
    amount: invoice.amount_due,
    client_secret: newClientSecret(id),
    customer: invoice.customer,
    payment_method_types: ['card'],
    setup_future_usage: invoice.parent ? ('off_session' as const) : null,
    status: 'requires_payment_method' as const,
  };
  return store.create('payment_intent', intent, 'payment_intent.created');
}

export const setupIntents = intentActions<Stripe.SetupIntent>({
  refusal: async (_store, _intent, { decline = null }) => decline,
  async succeed(store, intent, method) {
    const done = await store.save(after(intent, 'succeeded', method));
    if (intent.customer) await attachMethod(store, method, idOf(intent.customer));
    await store.emit('setup_intent.succeeded', done);
    return done;
  },
  fail: (store, intent, method, decline) => store.save(failed(intent, method, decline), 'setup_intent.setup_failed'),
  wait: () => Promise.resolve(),
});
export const confirmSetup = confirming('setup_intent', setupIntents);

/** Unless it names others, it takes what this account has enabled: cards, and Link, as on new accounts. */
export const createSetupIntent = handle<Stripe.SetupIntentCreateParams>(
  ['customer', 'automatic_payment_methods', 'allowed_payment_method_types'],
  async (store, { customer, allowed_payment_method_types: allowed }) => {
    if (!customer) throw unsupported('setup intents without a customer', 'customer');
    await store.get('customer', customer, 'customer');
    const id = newId('setup_intent');
    const intent = {
      id,
      client_secret: newClientSecret(id),
      customer,
      payment_method_types: allowed ?? ['card', 'link'],
      status: 'requires_payment_method' as const,
    };
    return store.create('setup_intent', intent, 'setup_intent.created');
  },
);
