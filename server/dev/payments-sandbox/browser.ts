import { createHash } from 'node:crypto';
import express from 'express';
import type pg from 'pg';
import { sandboxKeys } from '#server/platform/payments.ts';
import { answerOnce } from './api.ts';
import { confirmIntent } from './intents.ts';
import { newId, type Objects } from './objects.ts';
import { createMethod, methodFor } from './payment-methods.ts';
import { authenticatePayment } from './payments.ts';
import { parseForm } from './requests.ts';
import { missing, SandboxError } from './sandbox-error.ts';
import { readOwnFile } from './schema.ts';
import { authenticateSetup, confirmSetup } from './setup-intents.ts';
import type { Store } from './store.ts';
import { cardNumbered } from './test-cards.ts';

const standInParts = ['card-fields', 'card-element', 'challenge', 'stripe'].map((part) => `stand-in/${part}.js`);

type Form = Record<string, unknown>;
type Kind = 'payment_intent' | 'setup_intent';
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

async function chosenMethod(
  store: Store,
  form: Form,
  onFile: string | null,
): Promise<Objects['payment_method'] | null> {
  const data = form['payment_method_data'] as { type?: string; card?: Card } | undefined;
  if (data) return data.card ? typedCard(store, data.card) : null;
  const id = text(form['payment_method']) || onFile;
  return id ? methodFor(store, id, 'payment_method') : null;
}

/** The intent the client secret opens; without the right one it does not exist. */
async function open<K extends Kind>(store: Store, kind: K, id: string, form: Form): Promise<Objects[K]> {
  const intent = await store.get(kind, id, 'intent');
  if (!intent.client_secret || text(form['client_secret']) !== intent.client_secret)
    throw missing(kind, id, 'client_secret');
  return intent;
}
const idOnFile = (value: string | { id: string } | null) => (typeof value === 'string' ? value : (value?.id ?? null));

async function payment(store: Store, id: string, action: string, form: Form) {
  const intent = await open(store, 'payment_intent', id, form);
  if (action === 'confirm')
    return confirmIntent(store, intent, () => chosenMethod(store, form, idOnFile(intent.payment_method)));
  return action === 'authenticate' ? authenticatePayment(store, intent, form['result'] === 'complete') : intent;
}
async function setup(store: Store, id: string, action: string, form: Form) {
  const intent = await open(store, 'setup_intent', id, form);
  if (action === 'confirm')
    return confirmSetup(store, intent, () => chosenMethod(store, form, idOnFile(intent.payment_method)));
  return action === 'authenticate' ? authenticateSetup(store, intent, form['result'] === 'complete') : intent;
}

/** The key as Stripe takes it: a field of the form, a bearer token, or the name of Basic authentication. */
function keyOf(form: Form, authorization = ''): string {
  const [scheme = '', credentials = ''] = authorization.split(' ');
  const name = scheme.toLowerCase() === 'basic' && Buffer.from(credentials, 'base64').toString().split(':')[0];
  return text(form['key']) || name || credentials;
}

function checkKey(form: Form, authorization: string | undefined) {
  const key = keyOf(form, authorization);
  if (key !== sandboxKeys.publishable)
    throw new SandboxError('Invalid API Key provided: the browser uses pk_test_sandbox.', { status: 401 });
}

/** What a browser may do with the publishable key and an intent's client secret, and the stand-in for Stripe.js. */
export function browserRouter(pool: pg.Pool, seconds: () => number, changed: () => void): express.Router {
  const router = express.Router();
  const script = standInParts.map(readOwnFile).join('\n');
  router.get('/stripe.js', (_request, response) => {
    response.type('text/javascript').set('cache-control', 'no-cache').send(script);
  });

  router.use('/v1', express.text({ type: 'application/x-www-form-urlencoded', limit: '20kb' }));
  router.all('/v1/:kind/:id{/:action}', async (request, response) => {
    const { kind, id, action = 'retrieve' } = request.params;
    const url = new URL(request.originalUrl, 'http://sandbox');
    const body: unknown = request.body;
    const raw = [url.search.slice(1), text(body)].filter(Boolean).join('&');
    const idempotencyKey = request.get('idempotency-key') ?? null;
    const run = kind === 'payment_intents' ? payment : kind === 'setup_intents' ? setup : null;
    const right =
      action === 'retrieve'
        ? request.method === 'GET'
        : request.method === 'POST' && ['confirm', 'authenticate'].includes(action);
    // see stand-in/stripe.js for why it wants 200 for everything
    const send = (status: number, answer: object) =>
      response.status(request.get('sandbox-stand-in') ? 200 : status).json(answer);
    try {
      if (!run || !right)
        throw new SandboxError(`Unrecognized request URL (${request.method}: ${url.pathname}).`, { status: 404 });
      const form = parseForm(raw);
      checkKey(form, request.get('authorization'));
      // nothing is remembered of a request that carries a card's number, not even a digest
      const origin = { requestId: newId('event'), idempotencyKey: form['payment_method_data'] ? null : idempotencyKey };
      const fingerprint = createHash('sha256').update(`${url.pathname}\n${raw}`).digest('hex');
      const { status, body: answer } = await answerOnce(pool, { at: seconds(), origin, fingerprint }, (store) =>
        run(store, id, action, form),
      );
      send(status, answer);
      changed();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      send(error.status, error.body());
    }
  });
  router.use('/v1', (request, response) => {
    const unknown = `Unrecognized request URL (${request.method}: ${request.originalUrl.split('?')[0]}).`;
    response.status(404).json(new SandboxError(unknown, { status: 404 }).body());
  });
  return router;
}
