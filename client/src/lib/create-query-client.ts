import { QueryClient } from '@tanstack/react-query';

/**
 * Data is never stale by itself, not refetched on focus, not polled, and nothing is retried (A §7). Apart from
 * query-client.ts, whose mutations a visitor's page does without.
 */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        retry: false,
        // A failed query is asked again by "Try again" only: a second reader that appears must not start it over.
        retryOnMount: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
