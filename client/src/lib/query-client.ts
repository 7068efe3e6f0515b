import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import type { ApiError } from '#client/lib/api-error.ts';
import { request } from '#client/lib/request.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

/** A call's key is its endpoint's path, then its arguments: keys are written nowhere else. */
export const keyOf = (endpoint: Endpoint, args?: unknown) =>
  args === undefined ? [endpoint.path] : [endpoint.path, args];

type Options = {
  enabled?: boolean;
  /** Milliseconds. What is asked again by itself does not keep the session awake; the first asking does. */
  refetchInterval?: number;
  /** Shows the last answer while that to other arguments is on its way, such as the next page. */
  keepPrevious?: boolean;
  /** `always` for what changes elsewhere, such as usage. */
  refetchOnMount?: 'always';
};
type Rest<E extends Endpoint> =
  object extends Args<E> ? [args?: Args<E>, options?: Options] : [args: Args<E>, options?: Options];

/** For `prefetchQuery`, `setQueryData(queryFor(…).queryKey, …)` and the like. */
export const queryFor = <E extends Endpoint>(endpoint: E, ...[args, options = {}]: Rest<E>) => {
  const { keepPrevious, ...rest } = options;
  const polled = rest.refetchInterval !== undefined;
  return queryOptions<Reply<E>>({
    ...rest,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    queryKey: keyOf(endpoint, args),
    queryFn: ({ signal, client, queryKey }) =>
      request(endpoint, args, { signal, background: polled && client.getQueryData(queryKey) !== undefined }),
  });
};

/** `useApiQuery(contract.tools.list)`: its data, or `.error` as an ApiError. */
export const useApiQuery = <E extends Endpoint>(endpoint: E, ...rest: Rest<E>) => useQuery(queryFor(endpoint, ...rest));

/** Refetches what these endpoints answered, whatever their arguments. */
export const invalidate = (queryClient: QueryClient, ...endpoints: readonly Endpoint[]) =>
  Promise.all(endpoints.map((endpoint) => queryClient.invalidateQueries({ queryKey: [endpoint.path] })));

type Variables<E extends Endpoint> = object extends Args<E> ? Args<E> | void : Args<E>;
type MutationOptions<E extends Endpoint> = Omit<UseMutationOptions<Reply<E>, ApiError, Variables<E>>, 'mutationFn'> & {
  /** Refetched after a success, before `onSuccess` of the call settles. */
  invalidates?: readonly Endpoint[];
};

/** `useApiMutation(contract.tools.launch, { invalidates: [contract.tools.myUsage], onSuccess, onError })`. */
export const useApiMutation = <E extends Endpoint>(
  endpoint: E,
  { invalidates = [], ...options }: MutationOptions<E> = {},
) => {
  const queryClient = useQueryClient();
  return useMutation<Reply<E>, ApiError, Variables<E>>({
    ...options,
    mutationFn: async (args) => {
      const reply = await request(endpoint, args);
      await invalidate(queryClient, ...invalidates);
      return reply;
    },
  });
};
