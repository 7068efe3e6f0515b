import type { Api, Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { request } from '#client/lib/calls/request.ts';
import { write, type WriteOptions } from '#client/lib/calls/use-api.ts';

type Call<E extends Endpoint> =
  object extends Args<E>
    ? (args?: Args<E>, options?: WriteOptions) => Promise<Reply<E>>
    : (args: Args<E>, options?: WriteOptions) => Promise<Reply<E>>;

export const createClient = <A extends Api>(api: A) =>
  Object.fromEntries(
    Object.entries(api).map(([name, endpoint]) => [
      name,
      (args?: unknown, options?: WriteOptions) =>
        endpoint.method === 'GET' ? request(endpoint, args, options) : write(endpoint, args, options),
    ]),
  ) as { [K in keyof A]: Call<A[K]> };

type CallOf<E> = E extends Endpoint ? Call<E> : never;

export const createApi = <C extends Record<string, Api>>(nouns: C) =>
  Object.fromEntries(Object.entries(nouns).map(([noun, calls]) => [noun, createClient(calls)])) as {
    [N in keyof C]: { [K in keyof C[N]]: CallOf<C[N][K]> };
  };

/** Every call of members' pages: `api.accounts.login({ body })`. */
export const api = createApi(contract);
