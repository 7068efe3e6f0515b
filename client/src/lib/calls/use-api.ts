import { keepPreviousData, queryOptions, useMutation, type UseMutationOptions, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { addressOf } from '#shared/api/address.ts';
import type { Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import { changedBy } from '#shared/api/changes.ts';
import { csrfApi } from '#shared/api/csrf.ts';
import { ApiError, sentenceOf, somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { queryClient } from '#client/lib/calls/query-client.ts';
import { dropOwnAnswers, ownAnswer } from '#client/lib/calls/own-answers.ts';
import { request, type RequestOptions } from '#client/lib/calls/request.ts';
import { askProof } from '#client/lib/session/proof.ts';
import { toastError } from '#client/lib/words/toast.ts';

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
};
type Rest<E extends Endpoint> =
  object extends Args<E> ? [args?: Args<E>, options?: Options] : [args: Args<E>, options?: Options];

const broughtAnswer = <E extends Endpoint>(endpoint: E, args: unknown): Reply<E> | undefined => {
  const brought = ownAnswer(addressOf(endpoint, args ?? {}));
  return brought === undefined ? undefined : (endpoint.response.safeParse(brought).data as Reply<E> | undefined);
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
    initialData: () => broughtAnswer(endpoint, args),
    queryFn: ({ signal, client, queryKey }) =>
      request(endpoint, args, { signal, background: polled && client.getQueryData(queryKey) !== undefined }),
  });
};

/** `useApiQuery(contract.tools.list)`: its data, or `.error` as an ApiError. */
export const useApiQuery = <E extends Endpoint>(endpoint: E, ...rest: Rest<E>) => useQuery(queryFor(endpoint, ...rest));

/** For data that changes elsewhere, such as usage: it is asked for anew whenever it is shown. */
export const useFreshQuery = <E extends Endpoint>(endpoint: E, ...[args, options]: Rest<E>) =>
  useQuery({ ...queryFor(endpoint, ...([args, options] as Rest<E>)), refetchOnMount: 'always' });

/** Shows what the server said of a question elsewhere than in its answer, such as in a refusal's body. Anything unreadable is left. */
export const showAnswer = <E extends Endpoint>(endpoint: E, args: Args<E>, answer: unknown) => {
  const read = endpoint.response.safeParse(answer);
  if (read.success) queryClient.setQueryData(keyOf(endpoint, args), read.data);
};

/** With whatever arguments: what is on screen is refetched now, the rest when it is next shown. */
const refetch = (reads: readonly Endpoint[]) =>
  Promise.all(
    reads.map(async (read) => {
      const queryKey = keyOf(read);
      // A response that is still on its way may be older than the write.
      await queryClient.cancelQueries({ queryKey });
      await queryClient.invalidateQueries({ queryKey });
    }),
  );

/** For a write that was made elsewhere: in another tab, by a tool, or at Stripe. */
export const refetchChangedBy = (write: Endpoint) => {
  dropOwnAnswers();
  return refetch(changedBy(write));
};

/** How many writes under way change each read. */
const underWay = new Map<Endpoint, number>();
const outOfDate = new Set<Endpoint>();
const count = (reads: readonly Endpoint[], by: 1 | -1) => {
  for (const read of reads) underWay.set(read, (underWay.get(read) ?? 0) + by);
};

/** Leaves a read to the last of several writes: an answer in between would undo what the others already show. */
const refetchWhatIsDue = (reads: readonly Endpoint[]) => {
  const due = reads.filter((read) => outOfDate.has(read) && underWay.get(read) === 0);
  for (const read of due) outOfDate.delete(read);
  return refetch(due);
};

/** Adds the token that an administrator's writes need. A token ends when the session's id does, so a refused one is replaced once. */
const requestAsAdmin = async <E extends Endpoint>(endpoint: E, args: unknown, options?: RequestOptions) => {
  const { body, ...rest } = (args ?? {}) as { body?: object };
  const token = queryFor(csrfApi.csrfToken);
  const send = async (staleTime: number) => {
    const { csrfToken } = await queryClient.fetchQuery({ ...token, staleTime });
    return request(endpoint, { ...rest, body: { ...body, _csrf: csrfToken } }, options);
  };
  try {
    return await send(Infinity);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'csrf_invalid') throw error;
    return send(0);
  }
};

/** If the server wants proof of who is here, asks for it in place and sends the very same call again. */
const onceProved = async <R>(send: () => Promise<R>): Promise<R> => {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_needed' || !(await askProof())) throw error;
    return send();
  }
};

export type WriteOptions = RequestOptions & {
  /** Resolves before the refetches have finished. */
  early?: boolean | undefined;
};

/** Sends a call that changes something, then refetches what `shared/api/changes.ts` says it changed. */
export const write = async <E extends Endpoint>(
  endpoint: E,
  args: unknown,
  { early = false, ...options }: WriteOptions = {},
): Promise<Reply<E>> => {
  const reads = changedBy(endpoint);
  count(reads, 1);
  let reply: Reply<E>;
  try {
    const send = endpoint.access === 'admin' ? requestAsAdmin : request;
    reply = await onceProved(() => send(endpoint, args, options));
    for (const read of reads) outOfDate.add(read);
  } finally {
    count(reads, -1);
    const refetched = refetchWhatIsDue(reads);
    if (!early) await refetched;
  }
  return reply;
};

type Variables<E extends Endpoint> = object extends Args<E> ? Args<E> | void : Args<E>;
type MutationOptions<E extends Endpoint> = Omit<UseMutationOptions<Reply<E>, ApiError, Variables<E>>, 'mutationFn'> &
  Pick<WriteOptions, 'early'> & {
    /** For a toast, if the server gives no reason. With null there is no toast. */
    failure?: string | null;
  };

/** Sends a write when the component mounts. It is a query, because React may mount twice and it must be sent once. */
export const useWriteOnMount = <E extends Endpoint>(endpoint: E, args: Args<E>, options?: WriteOptions) => {
  const id = useId();
  return useQuery<Reply<E>>({
    queryKey: [...keyOf(endpoint, args), id],
    queryFn: () => write(endpoint, args, options),
    gcTime: 0,
  });
};

/** `useApiMutation(contract.teams.close, { onSuccess, failure: 'Failed to close the practice.' })`. */
export const useApiMutation = <E extends Endpoint>(
  endpoint: E,
  { early, failure = somethingWentWrong, ...options }: MutationOptions<E> = {},
) => {
  const mutation = useMutation<Reply<E>, ApiError, Variables<E>>({
    ...(failure !== null && { onError: (error) => toastError(sentenceOf(error, failure)) }),
    ...options,
    mutationFn: (args) => write(endpoint, args, { early }),
  });
  /** The toast's sentence, for showing in a dialog as well. */
  const fault = mutation.error && sentenceOf(mutation.error, failure ?? undefined);
  return { ...mutation, fault };
};
