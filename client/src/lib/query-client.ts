import { QueryClient } from '@tanstack/react-query';

/** Data is never stale by itself, not refetched on focus, not polled, and nothing is retried. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // Back online, what failed is asked again.
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
        retry: false,
        // Only "Try again" retries a failed query, not a second component that mounts with it.
        retryOnMount: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/** The browser's cache. When the server renders a page, it makes one for that page. */
export const queryClient = createQueryClient();
