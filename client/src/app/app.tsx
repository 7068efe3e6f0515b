import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { LazyToaster } from '#client/app/lazy-toaster.tsx';
import { Routes } from '#client/app/routes.tsx';

/** The whole product, in the browser and where visitors' pages are rendered. */
export const App = ({ queryClient }: { queryClient: QueryClient }) => (
  <QueryClientProvider client={queryClient}>
    <ErrorBoundary resetKey="app">
      <Routes />
    </ErrorBoundary>
    <LazyToaster />
  </QueryClientProvider>
);
