import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Args, Endpoint, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { ApiError, sentenceOf } from '#client/lib/api-error.ts';
import { invalidate, queryFor } from '#client/lib/query-client.ts';
import { request } from '#client/lib/request.ts';
import { toast } from '#client/lib/toast.ts';

/**
 * Sends an administrative write with the session's token in its body (B §7). The token dies with the session's id, so
 * a refusal fetches another, once.
 */
export async function sendAsAdmin<E extends Endpoint>(
  queryClient: QueryClient,
  endpoint: E,
  args: Args<E>,
): Promise<Reply<E>> {
  const { body, ...rest } = args as { body?: object };
  const token = queryFor(contract.admin.csrfToken);
  const send = async () => {
    const { csrfToken } = await queryClient.fetchQuery(token);
    return request(endpoint, { ...rest, body: { ...body, _csrf: csrfToken } });
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'csrf_invalid') throw error;
    queryClient.removeQueries({ queryKey: token.queryKey });
    return send();
  }
}

/** B §8: the server's sentence under "Error". */
export const tellError = (error: unknown) =>
  toast({ title: 'Error', description: sentenceOf(error), variant: 'destructive' });

type Options<E extends Endpoint> = {
  /** Refetched after a success. */
  invalidates: readonly Endpoint[];
  onSuccess: (reply: Reply<E>, args: Args<E>) => void;
};

/** A write with its toast on failure. */
export const useAdminWrite = <E extends Endpoint>(endpoint: E, { invalidates, onSuccess }: Options<E>) => {
  const queryClient = useQueryClient();
  return useMutation<Reply<E>, ApiError, Args<E>>({
    mutationFn: async (args) => {
      const reply = await sendAsAdmin(queryClient, endpoint, args);
      await invalidate(queryClient, ...invalidates);
      return reply;
    },
    onSuccess,
    onError: tellError,
  });
};
