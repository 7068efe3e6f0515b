import { lazy, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from '#client/app/error-boundary.tsx';
import { useToasts } from '#client/lib/toast.ts';

const Toaster = lazy(() => import('#client/app/toaster.tsx'));

/** Fetches the toaster with the visitor's first gesture: before any toast can be due, and not with the page. */
export const LazyToaster = () => {
  const [wanted, setWanted] = useState(false);
  const due = useToasts().length > 0;
  useEffect(() => {
    const gestures = ['pointerdown', 'keydown'] as const;
    const want = () => setWanted(true);
    for (const gesture of gestures) window.addEventListener(gesture, want, { once: true, passive: true });
    return () => {
      for (const gesture of gestures) window.removeEventListener(gesture, want);
    };
  }, []);
  return wanted || due ? (
    <ErrorBoundary resetKey="toasts">
      <Suspense>
        <Toaster />
      </Suspense>
    </ErrorBoundary>
  ) : null;
};
