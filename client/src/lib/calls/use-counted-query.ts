import { useQuery } from '@tanstack/react-query';
import type { Endpoint, Reply } from '#shared/api/endpoint.ts';
import { request } from '#client/lib/calls/request.ts';
import { keyOf } from '#client/lib/calls/use-api.ts';

type Page = Record<string, unknown> & { next: string | null };

/** The last page, with these counts of the pages before added to its own. */
export const pagesAdded = async <R extends Page>(ask: (after: string | null) => Promise<R>, counts: (keyof R)[]) => {
  let sum = await ask(null);
  while (sum.next !== null) {
    const page = await ask(sum.next);
    const added = counts.map((count) => [count, Number(page[count]) + Number(sum[count])]);
    sum = { ...page, ...Object.fromEntries(added) };
  }
  return sum;
};

/** For counts that the server gives in pages, each of which says after whom the next begins: asks for all of them, and adds these up. */
export const useCountedQuery = <E extends Endpoint>(
  endpoint: E & { response: { _output: Page } },
  args: { query: object; params?: object },
  counts: (keyof Reply<E>)[],
) =>
  useQuery<Reply<E>>({
    queryKey: [...keyOf(endpoint, args), 'counted'],
    refetchOnMount: 'always',
    queryFn: ({ signal }) =>
      pagesAdded<Reply<E> & Page>(
        (after) =>
          request(endpoint, { ...args, query: { ...args.query, after } }, { signal }) as Promise<Reply<E> & Page>,
        counts,
      ),
  });
