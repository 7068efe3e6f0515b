import type { Api, Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { errorOfAnswer, networkError, unreadableError } from '#client/lib/api-error.ts';
import { recordBusinessDate } from '#client/lib/business-time.ts';

const patienceMs = 30_000;

/** The parts of any endpoint's arguments. */
type Parts = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
type RequestOptions = { signal?: AbortSignal | undefined };
type Call<E extends Endpoint> =
  object extends Args<E>
    ? (args?: Args<E>, options?: RequestOptions) => Promise<Reply<E>>
    : (args: Args<E>, options?: RequestOptions) => Promise<Reply<E>>;

const unauthorizedListeners = new Set<() => void>();

/** Hears of every 401 that means "signed out" (a wrong password is another code). Returns how to stop. */
export const onUnauthorized = (listener: () => void) => {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
};

/** The address of a GET, for links and downloads. */
export const addressOf = (endpoint: Endpoint, { params = {}, query = {} }: Parts = {}) => {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
};

/** Sends the call and reads its answer with the endpoint's schema. Throws ApiError, and nothing else but an abort. */
export const request = async <E extends Endpoint>(endpoint: E, args: unknown, options: RequestOptions = {}) => {
  const parts = (args ?? {}) as Parts;
  const patience = AbortSignal.timeout(patienceMs);
  const init: RequestInit = {
    method: endpoint.method,
    credentials: 'include',
    signal: options.signal ? AbortSignal.any([options.signal, patience]) : patience,
  };
  if (parts.body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(parts.body);
  }
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(addressOf(endpoint, parts), init);
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
  try {
    return endpoint.response.parse(JSON.parse(text)) as Reply<E>;
  } catch {
    throw unreadableError(answer.status);
  }
};

export const createClient = <A extends Api>(api: A) =>
  Object.fromEntries(
    Object.entries(api).map(([name, endpoint]) => [
      name,
      (args?: unknown, options?: RequestOptions) => request(endpoint, args, options),
    ]),
  ) as { [K in keyof A]: Call<A[K]> };

/** Every call of the contract: `api.accounts.login({ body })`. */
export const api = Object.fromEntries(Object.entries(contract).map(([noun, calls]) => [noun, createClient(calls)])) as {
  [N in keyof typeof contract]: { [K in keyof (typeof contract)[N]]: CallOf<(typeof contract)[N][K]> };
};
type CallOf<E> = E extends Endpoint ? Call<E> : never;
