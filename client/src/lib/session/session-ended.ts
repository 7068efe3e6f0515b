import type { QueryClient } from '@tanstack/react-query';
import { forgetDrafts, sealDraftsWith } from '#client/lib/forms/draft-storage.ts';
import { emptyTab } from '#client/lib/session/brought.ts';
import { leaveFor } from '#client/lib/session/leaving.ts';
import { paths, serverLogin } from '#client/lib/pages/paths.ts';
import { makeRequestsFor, onOtherAccount, onUnauthorized } from '#client/lib/calls/request.ts';
import { cachedUser, otherTabs, signedOutNote, signingOut } from '#client/lib/session/session.ts';
import { createStore } from '#client/lib/session/store.ts';
import { lastToast } from '#client/lib/words/toast.ts';

const redirectDelayMs = 500;

const ended = createStore(false);

/** True once the session has ended under an open page, until the browser is at the login. */
export const useSessionEnded = ended.use;

/** However many calls fail, shows one toast, then leaves: to the login and back here, or home if somebody else has signed in. */
export const watchSession = (queryClient: QueryClient) => {
  const leave = (sentence: string, title: string, to: string) => {
    if (ended.get() || !cachedUser(queryClient) || signingOut(queryClient)) return;
    ended.set(true);
    lastToast({ title, description: sentence, variant: 'destructive' });
    setTimeout(() => leaveFor(to), redirectDelayMs);
  };
  const here = () => serverLogin(window.location.pathname + window.location.search);
  onUnauthorized(() => {
    if (cachedUser(queryClient)) signedOutNote.keep('expired');
    leave('You are logged out. Logging in again...', 'Unauthorized', here());
  });
  const changed = () =>
    leave('This browser is now signed in to another account. This tab follows.', 'Another account', paths.home);
  onOtherAccount(changed);
  otherTabs?.addEventListener('message', ({ data }) => {
    if (data === cachedUser(queryClient)?.id) return;
    // They signed out, though in another tab: nothing of theirs stays here.
    if (data === null) {
      forgetDrafts();
      emptyTab(window.location.pathname);
      makeRequestsFor(undefined);
      sealDraftsWith(null);
      leave('You were signed out in another tab.', 'Logged Out', here());
    } else changed();
  });
  // Back may restore this page from the browser's memory, still waiting for the login.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && ended.get()) window.location.reload();
  });
};
