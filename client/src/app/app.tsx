import { QueryClientProvider } from '@tanstack/react-query';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { LazyToaster } from '#client/app/lazy-toaster.tsx';
import { watchNavigation } from '#client/app/navigation.ts';
import { Routes } from '#client/app/routes.tsx';
import { createQueryClient } from '#client/lib/query-client.ts';
import { cachedUser } from '#client/lib/session.ts';
import { watchSession } from '#client/lib/session-ended.ts';
import { startTheme } from '#client/lib/theme.ts';

const queryClient = createQueryClient();

startTheme();
watchSession(queryClient);
watchNavigation(() => {
  const user = cachedUser(queryClient);
  if (!user) return 'signed-out';
  return user.profileCompleted ? 'complete' : 'incomplete';
});

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <ErrorBoundary resetKey="app">
      <Routes />
    </ErrorBoundary>
    <LazyToaster />
  </QueryClientProvider>
);
