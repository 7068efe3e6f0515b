import express from 'express';
import type pg from 'pg';
import { carryOut, formOf } from '../http/server.ts';
import { missing, refusalOf, SandboxError, unrecognized } from '../http/error.ts';
import { parseForm } from '../http/parameters.ts';
import { type IntentActions, type IntentKind, methodNamed, paymentIntents, setupIntents } from '../payments/intents.ts';
import { cardNumbered, createMethod } from '../payments/payment-methods.ts';
import { readOwnFile } from '../schema/schema.ts';
import { newRequestId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Form = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const cardFault = (code: string, message: string) =>
  new SandboxError(message, { status: 402, type: 'card_error', code });

/** A card typed into the form. Its number is looked up and forgotten. */
function typedCard(store: Store, card: Form): Promise<Objects['payment_method']> {
  const name = cardNumbered(text(card['number']));
  const [month, year] = [Number(text(card['exp_month'])), Number(text(card['exp_year']))];
  if (!(month >= 1 && month <= 12)) throw cardFault('invalid_expiry_month', "Your card's expiration month is invalid.");
  if (!(year <= 2100 && Date.UTC(year, month) > store.at * 1000))
    throw cardFault('invalid_expiry_year', "Your card's expiration year is invalid.");
  if (!/^\d{3,4}$/.test(text(card['cvc']))) throw cardFault('invalid_cvc', "Your card's security code is invalid.");
  return createMethod(store, name, { month, year });
}

/** What a browser does with an intent. Without the right client secret there is none. */
const acting =
  <K extends IntentKind>(kind: K, { confirm, authenticate }: IntentActions<Objects[K]>) =>
  async (store: Store, id: string, action: string, form: Form): Promise<object> => {
    const intent = await store.get(kind, id, 'intent');
    if (!intent.client_secret || text(form['client_secret']) !== intent.client_secret)
      throw missing(kind, id, 'client_secret');
    if (action === 'authenticate') return authenticate(store, intent, form['result'] === 'complete');
    if (action !== 'confirm') return intent;
    const { card } = (form['payment_method_data'] ?? {}) as { card?: Form };
    // a card that is typed in, named by its id, or the intent's own
    const method = card ? typedCard(store, card) : methodNamed(store, intent, text(form['payment_method']));
    return confirm(store, intent, await method);
  };
const kinds = new Map([
  ['payment_intents', acting('payment_intent', paymentIntents)],
  ['setup_intents', acting('setup_intent', setupIntents)],
]);
const actions = ['retrieve', 'confirm', 'authenticate'];

/** What a browser may do with the publishable key and an intent's client secret, and the stand-in for Stripe.js. */
export function browserRouter(
  pool: pg.Pool,
  publishableKey: string,
  seconds: () => number,
  changed: () => void,
): express.Router {
  const router = express.Router();
  const script = readOwnFile('browser/stand-in.js');
  router.get('/stripe.js', (_request, response) => {
    response.type('text/javascript').set('cache-control', 'no-cache').send(script);
  });

  const answer = async (request: express.Request) => {
    const { method, path } = request;
    const [kind = '', id = '', action = ''] = path.slice(1).split('/');
    const run = kinds.get(kind);
    if (!run || !id || method !== 'POST' || !actions.includes(action)) throw unrecognized(method, path);
    const form = parseForm(formOf(request));
    if (form['key'] !== publishableKey)
      throw new SandboxError('Invalid API Key provided: the browser uses the publishable one.', { status: 401 });
    // nothing is remembered of the request, not even a digest: it may carry a card's number
    const work = (store: Store) => run(store, id, action, form);
    return carryOut(pool, { at: seconds(), requestId: newRequestId() }, work);
  };
  router.use('/v1', express.text({ type: 'application/x-www-form-urlencoded', limit: '20kb' }));
  router.use('/v1', async (request, response) => {
    const { status, body } = await answer(request).catch(refusalOf);
    // see stand-in.js for why it wants 200 for everything
    response.status(request.get('sandbox-stand-in') ? 200 : status).json(body);
    changed();
  });
  return router;
}
