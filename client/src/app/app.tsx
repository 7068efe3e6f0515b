import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { ConnectionBar } from '#client/app/connection-bar.tsx';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { Routes } from '#client/app/routes.tsx';
import { later } from '#client/lib/later.ts';
import { dismissToast, useToasts } from '#client/lib/toast.ts';

const Toasts = later(async () => ({ default: (await import('#client/ui/toast.tsx')).Toasts }));

/** Shows the toasts of lib/toast.ts. Its code loads on the first click or key press: before any toast, after the page. */
const Toaster = () => {
  const [wanted, setWanted] = useState(false);
  const toasts = useToasts();
  useEffect(() => {
    const gestures = ['pointerdown', 'keydown'] as const;
    const want = () => setWanted(true);
    for (const gesture of gestures) window.addEventListener(gesture, want, { once: true, passive: true });
    return () => {
      for (const gesture of gestures) window.removeEventListener(gesture, want);
    };
  }, []);
  return wanted || toasts.length > 0 ? (
    <ErrorBoundary resetKey="toasts">
      <Suspense>
        <Toasts toasts={toasts} onClose={dismissToast} />
      </Suspense>
    </ErrorBoundary>
  ) : null;
};

export const App = ({ queryClient }: { queryClient: QueryClient }) => (
  <QueryClientProvider client={queryClient}>
    <ErrorBoundary resetKey="app">
      <Routes />
    </ErrorBoundary>
    <ConnectionBar />
    <Toaster />
  </QueryClientProvider>
);
