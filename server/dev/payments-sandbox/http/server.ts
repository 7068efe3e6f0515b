import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type pg from 'pg';
import { createHash } from 'node:crypto';
import { asSent, listOf, newRequestId, type Objects } from '../store/objects.ts';
import { refusalOf, SandboxError } from './error.ts';
import { operations } from '../operations.ts';
import { change, createStore, look, type Store } from '../store/store.ts';
import { checkParams, findRoute, parseForm } from './parameters.ts';
import { intentOf } from '../invoices/collect.ts';

type Answer = { status: number; body: object; replayed?: boolean };

const done = (body: object): Answer => ({ status: 200, body });

/** When a change happens, what asked for it, and the key under which its answer is remembered. */
type Asked = { at: number; requestId: string; once?: { key: string; fingerprint: string } | undefined };

/**
 * Runs one piece of work whose refusals are answers: a decline keeps its traces, any other refusal leaves nothing. The
 * answer is remembered in the same transaction, so a crash leaves both or neither.
 */
export const carryOut = (
  pool: pg.Pool,
  { at, requestId, once }: Asked,
  work: (store: Store) => Promise<object>,
): Promise<Answer> =>
  change(pool, async (client) => {
    const find = 'select request, status, body from sandbox.answers where idempotency_key = $1';
    const known = once && (await client.query<Answer & { request: string }>(find, [once.key])).rows[0];
    if (known && known.request !== once.fingerprint) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${once.key}' if you meant to execute a different request.`;
      return new SandboxError(message, { type: 'idempotency_error' }).answer();
    }
    if (known) return { status: known.status, body: known.body, replayed: true };
    const store = createStore(client, at, { requestId, idempotencyKey: once?.key ?? null });
    const answer = await work(store).then(done, async (error: unknown) => {
      const refusal = refusalOf(error);
      // a declined card leaves its traces (the failed attempt); every other refusal leaves nothing
      if (error instanceof SandboxError && error.details.type !== 'card_error')
        await client.query('rollback to savepoint work');
      return refusal;
    });
    const save = 'insert into sandbox.answers (idempotency_key, request, status, body) values ($1, $2, $3, $4)';
    if (once) await client.query(save, [once.key, once.fingerprint, answer.status, JSON.stringify(answer.body)]);
    return answer;
  });

type Call = { method: string; path: string; form: string; requestId: string; key: string | undefined };

/** Answers one call from the SDK. Throws what it refuses before it asks the database, and faults. */
export async function answer(pool: pg.Pool, at: number, call: Call): Promise<Answer> {
  const { method, path, form, requestId, key } = call;
  const { operation, ids } = findRoute(method, path);
  const params = checkParams(operation, parseForm(form));
  const { id = '', ...owners } = ids;
  const fingerprint = createHash('sha256').update(`${method} ${path}\n${form}`).digest('hex');
  const once = method === 'POST' && key ? { key, fingerprint } : undefined;
  const work = async (store: Store) => {
    const expand = (params['expand'] ?? []) as string[];
    const body = await operations[operation]({ store, params, id, owner: Object.values(owners)[0] ?? '' });
    return asSent(await expandObject(store, body, expand));
  };
  if (method !== 'GET') return carryOut(pool, { at, requestId, once }, work);
  return look(pool, (client) => work(createStore(client, at)).then(done, refusalOf));
}

/** Fields of an invoice that Stripe leaves out until they are asked for. */
const includable: Record<string, (store: Store, invoice: Objects['invoice']) => Promise<unknown>> = {
  async confirmation_secret(store, invoice) {
    const secret = (await intentOf(store, invoice))?.client_secret;
    return secret ? { client_secret: secret, type: 'payment_intent' } : null;
  },
  payments: async (store, { id: invoice }) =>
    listOf(await store.select('invoice_payment', { equal: { invoice } }), `/v1/invoice_payments?invoice=${invoice}`),
};

async function grow(store: Store, value: unknown, path: string[], whole: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((entry) => grow(store, entry, path, whole)));
  const object = typeof value === 'string' ? ((await store.find(value)) ?? value) : value;
  const [head, ...rest] = path;
  if (head === undefined || typeof object !== 'object' || object === null) return object;
  const fields = object as Record<string, unknown>;
  if (fields['deleted'] === true) return object;
  const include = fields['object'] === 'invoice' ? includable[head] : undefined;
  const found = fields[head] ?? (await include?.(store, object as Objects['invoice']));
  if (!(head in object || include))
    throw new SandboxError(`This property cannot be expanded (${whole}).`, { param: 'expand' });
  return found === null ? object : { ...object, [head]: await grow(store, found, rest, whole) };
}

/** Replaces ids with their objects and adds fields on request, dotted as in Stripe (`data.latest_invoice`). */
export async function expandObject(store: Store, object: object, paths: string[]): Promise<object> {
  let grown = object;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > 4)
      throw new SandboxError(`You cannot expand more than 4 levels of a property (${path}).`, { param: 'expand' });
    grown = (await grow(store, grown, parts, path)) as object;
  }
  return grown;
}

type Write = (about: object, message: string) => void;
export type Log = { debug: Write; warn: Write; error: Write };

/** What a request says in its address and its body. */
export const formOf = ({ originalUrl, body }: Request) =>
  [originalUrl.split('?')[1], body as unknown].filter((part) => typeof part === 'string' && part).join('&');

/** The address the SDK talks to. On loopback only, on a port of the system's choosing. */
export async function listen(
  pool: pg.Pool,
  { secret, log, seconds, changed }: { secret: string; log: Log; seconds: () => number; changed: () => void },
) {
  const app = express();
  app.use(express.text({ type: () => true, limit: '1mb' }), async (request, response) => {
    const requestId = newRequestId();
    response.set('request-id', requestId);
    if (request.get('authorization') !== `Bearer ${secret}`)
      throw new SandboxError('Invalid API Key provided. The payments sandbox has one secret key.', { status: 401 });
    const { method, path } = request;
    const call = { method, path, form: formOf(request), requestId, key: request.get('idempotency-key') };
    const { status, body, replayed } = await answer(pool, seconds(), call);
    if (method !== 'GET') changed();
    if (replayed) response.set('idempotent-replayed', 'true');
    response.status(status).json(body);
  });
  app.use((error: unknown, { method, path }: Request, response: Response, _next: NextFunction) => {
    if (error instanceof SandboxError) {
      const { status, body } = error.answer();
      return void response.status(status).json(body);
    }
    log.error({ err: error, method, path }, 'payments sandbox: fault');
    response.status(500).json({ error: { type: 'api_error', message: 'The payments sandbox failed.' } });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
