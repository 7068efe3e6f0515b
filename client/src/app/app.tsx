import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { brand } from '#shared/brand.ts';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { Routes } from '#client/app/routes.tsx';
import { outlivesPage } from '#client/lib/forms/draft-storage.ts';
import { laterPart, type Trouble, tryAgain, useTrouble } from '#client/lib/pages/load-later.ts';
import { reloadPage } from '#client/lib/session/leaving.ts';
import { dismissToast, useToasts } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';

const Toasts = laterPart(async () => ({ default: (await import('#client/ui/toast.tsx')).Toasts }));

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
      <Toasts toasts={toasts} onClose={dismissToast} />
    </ErrorBoundary>
  ) : null;
};

const words: Record<Trouble, readonly [what: string, then: string]> = {
  offline: ['You are offline.', "We'll carry on once you're back. Nothing you typed is lost."],
  released: [`There's a new version of ${brand.name}.`, 'Reload the page to carry on. Nothing you typed is lost.'],
  missing: ["Part of this page hasn't loaded yet.", "We're still trying. Nothing you typed is lost."],
};

/** Says why part of the page is missing. It takes up room below the page, so that nothing stays covered, and lies over dialogs. */
const ConnectionBar = () => {
  const trouble = useTrouble();
  if (!trouble) return null;
  const [what, told] = words[trouble];
  const then = trouble === 'released' && !outlivesPage() ? 'Reload the page to carry on.' : told;
  return createPortal(
    <div
      role="alert"
      aria-live="assertive"
      aria-label="Connection"
      data-over-dialogs
      className="screen-only pointer-events-auto sticky bottom-0 z-50 border-t border-warning/30 bg-warning-subtle text-sm"
    >
      <div className="mx-auto flex max-w-content flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6">
        <p className="min-w-0 flex-1 basis-56">
          <span className="font-medium">{what}</span> {then}
        </p>
        <Button variant="secondary" size="sm" onClick={() => (trouble === 'offline' ? tryAgain() : reloadPage())}>
          {trouble === 'offline' ? 'Try again' : 'Reload'}
        </Button>
      </div>
    </div>,
    // Outside the page, which an open dialog hides from assistive technology.
    document.body,
  );
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
