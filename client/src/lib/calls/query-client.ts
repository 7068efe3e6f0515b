import { QueryClient } from '@tanstack/react-query';

/** Data is never stale by itself, not refetched on focus, not polled, and nothing is retried. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // Once back online, whatever failed is asked for again.
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
        retry: false,
        // Only "Try again" retries a failed query, not a second component that mounts with it.
        retryOnMount: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/** The browser's cache. The server makes a new one for each page it renders. */
export const queryClient = createQueryClient();
