import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { serverLogin } from '#client/lib/paths.ts';
import { onUnauthorized } from '#client/lib/request.ts';
import { cachedUser, signingOut } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';

/** B §9. */
const redirectDelayMs = 500;

let ended = false;
const listeners = new Set<() => void>();

/** True from the moment the session ended under an open page until the browser is at the login. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
    () => false,
  );

/** Once, whatever the number of calls that fail: the toast, then the login and back to this page (B §8). */
export const watchSession = (queryClient: QueryClient) => {
  onUnauthorized(() => {
    if (ended || !cachedUser(queryClient) || signingOut(queryClient)) return;
    ended = true;
    for (const listener of listeners) listener();
    toast({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
    });
    const { pathname, search } = window.location;
    setTimeout(() => window.location.assign(serverLogin(pathname + search)), redirectDelayMs);
  });
  // The browser may bring this very page back from its memory, still waiting for the login.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && ended) window.location.reload();
  });
};
