import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { addressOf } from '#shared/api/address.ts';
import type { Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import type { ApiError } from '#client/lib/calls/api-error.ts';
import { queryClient } from '#client/lib/calls/query-client.ts';
import { ownAnswer } from '#client/lib/calls/own-answers.ts';
import { request } from '#client/lib/calls/request.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

/** The endpoint's path, then the arguments. Nobody else writes keys. */
export const keyOf = (endpoint: Endpoint, args?: unknown) =>
  args === undefined ? [endpoint.path] : [endpoint.path, args];

type Options = {
  enabled?: boolean;
  /** Milliseconds. Unlike the first request, the later ones do not extend the session. */
  refetchInterval?: number;
  /** Shows the last answer while other arguments load, such as the next page. */
  keepPrevious?: boolean;
  /** `always` for data that changes elsewhere, such as usage. */
  refetchOnMount?: 'always';
};
type Rest<E extends Endpoint> =
  object extends Args<E> ? [args?: Args<E>, options?: Options] : [args: Args<E>, options?: Options];

const givenBy = <E extends Endpoint>(endpoint: E, args: unknown): Reply<E> | undefined => {
  const given = ownAnswer(addressOf(endpoint, args ?? {}));
  return given === undefined ? undefined : (endpoint.response.safeParse(given).data as Reply<E> | undefined);
};

/** For `prefetchQuery`, `setQueryData(queryFor(…).queryKey, …)` and the like. */
export const queryFor = <E extends Endpoint>(endpoint: E, ...[args, options = {}]: Rest<E>) => {
  const { keepPrevious, ...rest } = options;
  const polled = rest.refetchInterval !== undefined;
  return queryOptions<Reply<E>>({
    ...rest,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    queryKey: keyOf(endpoint, args),
    // An answer that came with the page is there for the first render.
    initialData: () => givenBy(endpoint, args),
    queryFn: ({ signal, client, queryKey }) =>
      request(endpoint, args, { signal, background: polled && client.getQueryData(queryKey) !== undefined }),
  });
};

/** `useApiQuery(contract.tools.list)`: its data, or `.error` as an ApiError. */
export const useApiQuery = <E extends Endpoint>(endpoint: E, ...rest: Rest<E>) => useQuery(queryFor(endpoint, ...rest));

/** Shows what the server said of a question elsewhere than in its answer, such as in a refusal's body. Anything unreadable is left. */
export const showAnswer = <E extends Endpoint>(endpoint: E, args: Args<E>, answer: unknown) => {
  const read = endpoint.response.safeParse(answer);
  if (read.success) queryClient.setQueryData(keyOf(endpoint, args), read.data);
};
