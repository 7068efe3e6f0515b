import { SandboxError } from '../http/error.ts';
import { handle, type Handler } from '../http/handler.ts';
import { idOf, idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { cardBehind, methodFor } from './payment-methods.ts';
import { cardError, type Decline, type TestCard } from './test-cards.ts';

export type IntentKind = 'payment_intent' | 'setup_intent';
type Intent = Objects[IntentKind];
type Method = Objects['payment_method'];

/** What an attempt with a card does to one kind of intent. */
type Outcomes<I extends Intent> = {
  /** Why the card is refused this time. */
  refusal(store: Store, intent: I, card: TestCard): Promise<Decline | null>;
  succeed(store: Store, intent: I, method: Method): Promise<I>;
  fail(store: Store, intent: I, method: Method, decline: Decline): Promise<I>;
  /** The bank wants the cardholder. */
  wait(store: Store, intent: I, offSession: boolean): Promise<void>;
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
  declineCode: 'authentication_required',
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

/** A succeeded intent. */
export const succeeded = <I extends Intent>(intent: I, method: Method): I => ({
  ...intent,
  [errorField[intent.object]]: null,
  next_action: null,
  payment_method: method.id,
  status: 'succeeded',
});

/** An intent that waits for another card; `charge` where the attempt reached the bank. */
export const failed = <I extends Intent>(intent: I, method: Method, decline: Decline, charge?: string): I => ({
  ...intent,
  [errorField[intent.object]]: { ...cardError(decline), ...(charge && { charge }), payment_method: method },
  next_action: null,
  payment_method: null,
  status: 'requires_payment_method',
});

export function intentActions<I extends Intent>({ refusal, succeed, fail, wait }: Outcomes<I>) {
  /** Tries the card and records the outcome. */
  async function attempt(store: Store, intent: I, method: Method, challenged: Challenged): Promise<I> {
    const { card, authenticated } = await cardBehind(store, method.id);
    const decline = await refusal(store, intent, card);
    if (decline) return fail(store, intent, method, decline);
    const asks = card.challenge === 'always' || (card.challenge === 'once' && !authenticated);
    if (!asks) return succeed(store, intent, method);
    if (challenged === 'refuse') return fail(store, intent, method, authenticationRequired);
    const waiting: I = {
      ...intent,
      [errorField[intent.object]]: null,
      next_action: challenge,
      payment_method: method.id,
      status: 'requires_action',
    };
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
        throw new SandboxError(`The payment method type "${method.type}" is not allowed here.`, {
          code: 'payment_method_unexpected_state',
        });
      const tried = await attempt(store, intent, method, 'ask');
      if (tried.status === 'requires_payment_method') throw declineOf(tried);
      return tried;
    },
    /** The cardholder's answer to the bank's challenge. */
    async authenticate(store: Store, intent: I, passed: boolean): Promise<I> {
      if (intent.status !== 'requires_action' || !intent.payment_method) throw unexpectedState(intent);
      const method = await store.get('payment_method', idOf(intent.payment_method));
      if (!passed) return fail(store, intent, method, notAuthenticated(intent));
      await store.hide(method, { authenticated: true });
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
export const confirming = <K extends IntentKind>(kind: K, { confirm }: IntentActions<Objects[K]>): Handler =>
  handle<{ payment_method?: string }>(['payment_method'], async (store, params, id) => {
    const intent = await store.get(kind, id, 'intent');
    return confirm(store, intent, await methodNamed(store, intent, params.payment_method));
  });
