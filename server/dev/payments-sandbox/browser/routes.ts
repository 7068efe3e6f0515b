import express from 'express';
import type pg from 'pg';
import { carryOut } from '../http/answer.ts';
import { missing, SandboxError } from '../http/error.ts';
import { parseForm } from '../http/parameters.ts';
import { methodNamed, type IntentActions, type IntentKind } from '../payments/intents.ts';
import { paymentIntents } from '../payments/payment-intents.ts';
import { createMethod } from '../payments/payment-methods.ts';
import { setupIntents } from '../payments/setup-intents.ts';
import { cardNumbered } from '../payments/test-cards.ts';
import { readOwnFile } from '../schema/schema.ts';
import { newRequestId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

const standInParts = ['fields', 'payment-element', 'challenge', 'stripe'].map((part) => `browser/stand-in/${part}.js`);

type Form = Record<string, unknown>;
type Card = { number?: unknown; exp_month?: unknown; exp_year?: unknown; cvc?: unknown };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const cardFault = (code: string, message: string) =>
  new SandboxError(message, { status: 402, type: 'card_error', code });

/** A card typed into the form. Its number is looked up and forgotten. */
function typedCard(
  store: Store,
  { number, exp_month: month, exp_year: year, cvc }: Card,
): Promise<Objects['payment_method']> {
  const name = cardNumbered(text(number));
  const expiry = { month: Number(text(month)), year: Number(text(year)) };
  if (!Number.isInteger(expiry.month) || expiry.month < 1 || expiry.month > 12)
    throw cardFault('invalid_expiry_month', "Your card's expiration month is invalid.");
  const now = new Date(store.at * 1000);
  const last = Date.UTC(expiry.year, expiry.month);
  if (!Number.isInteger(expiry.year) || expiry.year > 2100 || last <= now.getTime())
    throw cardFault('invalid_expiry_year', "Your card's expiration year is invalid.");
  if (!/^\d{3,4}$/.test(text(cvc))) throw cardFault('invalid_cvc', "Your card's security code is invalid.");
  return createMethod(store, name, expiry);
}

/** The card of a confirmation: typed in, named by its id, or the intent's own. */
async function chosenMethod(store: Store, intent: Objects[IntentKind], form: Form) {
  const data = form['payment_method_data'] as { card?: Card } | undefined;
  if (!data) return methodNamed(store, intent, text(form['payment_method']));
  return data.card ? typedCard(store, data.card) : null;
}

/** Without the right client secret an intent does not exist. */
function checkSecret(kind: IntentKind, id: string, intent: Objects[IntentKind], form: Form) {
  if (!intent.client_secret || text(form['client_secret']) !== intent.client_secret)
    throw missing(kind, id, 'client_secret');
}

const acting =
  <K extends IntentKind>(kind: K, { confirm, authenticate }: IntentActions<Objects[K]>) =>
  async (store: Store, id: string, action: string, form: Form): Promise<object> => {
    const intent = await store.get(kind, id, 'intent');
    checkSecret(kind, id, intent, form);
    if (action === 'confirm') return confirm(store, intent, await chosenMethod(store, intent, form));
    return action === 'authenticate' ? authenticate(store, intent, form['result'] === 'complete') : intent;
  };
const kinds = new Map([
  ['payment_intents', acting('payment_intent', paymentIntents)],
  ['setup_intents', acting('setup_intent', setupIntents)],
]);

/** What a browser may do with the publishable key and an intent's client secret, and the stand-in for Stripe.js. */
export function browserRouter(
  pool: pg.Pool,
  publishableKey: string,
  seconds: () => number,
  changed: () => void,
): express.Router {
  const router = express.Router();
  const script = standInParts.map(readOwnFile).join('\n');
  router.get('/stripe.js', (_request, response) => {
    response.type('text/javascript').set('cache-control', 'no-cache').send(script);
  });

  router.use('/v1', express.text({ type: 'application/x-www-form-urlencoded', limit: '20kb' }));
  router.use('/v1', async (request, response) => {
    const [kind = '', id = '', action = 'retrieve'] = request.path.slice(1).split('/');
    const raw = [request.originalUrl.split('?')[1], text(request.body)].filter(Boolean).join('&');
    const run = kinds.get(kind);
    const methods: Record<string, string> = { retrieve: 'GET', confirm: 'POST', authenticate: 'POST' };
    // see stand-in/stripe.js for why it wants 200 for everything
    const send = (status: number, answer: object) =>
      response.status(request.get('sandbox-stand-in') ? 200 : status).json(answer);
    try {
      if (!run || !id || request.method !== methods[action])
        throw new SandboxError(`Unrecognized request URL (${request.method}: ${request.path}).`, { status: 404 });
      const form = parseForm(raw);
      if (form['key'] !== publishableKey)
        throw new SandboxError('Invalid API Key provided: the browser uses the publishable one.', { status: 401 });
      // nothing is remembered of the request, not even a digest: it may carry a card's number
      const { status, body: answer } = await carryOut(pool, { at: seconds(), requestId: newRequestId() }, (store) =>
        run(store, id, action, form),
      );
      send(status, answer);
      changed();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      send(error.status, error.body());
    }
  });
  return router;
}
