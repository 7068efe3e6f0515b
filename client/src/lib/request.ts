import type { Endpoint, Reply } from '#shared/api/endpoint.ts';
import { errorOfAnswer, networkError, unreadableError } from '#client/lib/api-error.ts';
import { recordBusinessDate } from '#client/lib/business-time.ts';

const patienceMs = 30_000;

/** The parts of any endpoint's arguments. */
type Parts = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
export type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** Asked by the page itself, not by its reader: does not keep the session awake. */
  background?: boolean;
};

const unauthorizedListeners = new Set<() => void>();

/** Hears of every 401 that means "signed out" (a wrong password is another code). Returns how to stop. */
export const onUnauthorized = (listener: () => void) => {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
};

const writeListeners = new Set<() => void>();

/** Hears of every call that changed something. Returns how to stop. */
export const onWritten = (listener: () => void) => {
  writeListeners.add(listener);
  return () => writeListeners.delete(listener);
};

/** The address of a GET, for links and downloads. */
export const addressOf = (endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Parts = {}) => {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
};

/** The part of an endpoint that sends it, with a reader in place of its schema. */
type Call<R> = Pick<Endpoint, 'method' | 'path'> & { read: (answer: unknown) => R };

/** Sends a call that brings no schema: zod is a fifth of the app's JavaScript, and visitors' pages do without it. */
export const send = async <R>(call: Call<R>, args?: unknown, options: RequestOptions = {}): Promise<R> => {
  const parts = (args ?? {}) as Parts;
  const patience = AbortSignal.timeout(patienceMs);
  const init: RequestInit = {
    method: call.method,
    credentials: 'include',
    signal: options.signal ? AbortSignal.any([options.signal, patience]) : patience,
    headers: {
      ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.background && { 'x-background': '1' }),
    },
    ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
  };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(addressOf(call, parts), init);
    text = await answer.text();
  } catch (fault) {
    if (options.signal?.aborted) throw fault;
    throw networkError();
  }
  recordBusinessDate(answer.headers.get('business-date'));
  if (!answer.ok) {
    const error = errorOfAnswer(answer.status, answer.statusText, text);
    if (error.code === 'unauthorized') for (const listener of unauthorizedListeners) listener();
    throw error;
  }
  if (call.method !== 'GET') for (const listener of writeListeners) listener();
  try {
    return call.read(JSON.parse(text));
  } catch {
    throw unreadableError(answer.status);
  }
};

/** Sends the call and reads its answer with the endpoint's schema. Throws ApiError, and nothing else but an abort. */
export const request = <E extends Endpoint>({ method, path, response }: E, args: unknown, options?: RequestOptions) =>
  send({ method, path, read: (answer) => response.parse(answer) as Reply<E> }, args, options);

/**
 * The same with an endpoint that comes with its first call: a visitor's page paints before the contract is here, which
 * brings zod, a fifth of the app's JavaScript. Everything else imports the contract.
 */
export const requestLater = async <E extends Endpoint>(load: () => Promise<E>, options?: RequestOptions) => {
  let endpoint: E;
  try {
    endpoint = await load();
  } catch {
    throw networkError();
  }
  return request(endpoint, undefined, options);
};
