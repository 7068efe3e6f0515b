import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { accountsApi, User } from '#shared/api/accounts.ts';
import { ApiError, cookiesRefused } from '#client/lib/calls/api-error.ts';
import { forgetDrafts, sealDraftsWith } from '#client/lib/forms/draft-storage.ts';
import { emptyTab } from '#client/lib/session/brought.ts';
import { tabStorage } from '#client/lib/session/tab-storage.ts';
import { setReaderState } from '#client/lib/words/time-zone.ts';
import { makeRequestsFor, requestLater } from '#client/lib/calls/request.ts';

/** A second cookie, which scripts can read, that says whether there is a session cookie. */
const secure = typeof location !== 'undefined' && location.protocol === 'https:';
const hint = `${secure ? '__Host-' : ''}session-hint=1`;
/** False on the server: the pages rendered there are visitors'. */
export const mayHoldSession = () => typeof document !== 'undefined' && document.cookie.split('; ').includes(hint);

/** Throws before anything is sent that would end in a session which this browser doesn't keep: sign-in and sign-up would look done. */
export function demandCookies(): void {
  const probe = 'cookie-probe=1';
  document.cookie = `${probe}; path=/; max-age=60; SameSite=Lax`;
  const kept = document.cookie.split('; ').includes(probe);
  document.cookie = `${probe}; path=/; max-age=0; SameSite=Lax`;
  if (!kept) throw cookiesRefused();
}

/** The keys that `keyOf` would give. Written out because the contract is loaded only if there is a session. */
const userKey = ['/api/user' satisfies (typeof accountsApi)['user']['path']];
export const logoutKey = ['/api/logout' satisfies (typeof accountsApi)['logout']['path']];
const loadEndpoint = async () => (await import('#shared/api/members.ts')).contract.accounts.user;

/** The signed-in user; null if signed out, undefined until known. */
const userQuery = queryOptions<User | null>({
  queryKey: userKey,
  // Visitors are known without a request.
  initialData: () => (mayHoldSession() ? undefined : null),
  queryFn: async ({ signal }) => {
    if (!mayHoldSession()) return null;
    try {
      const user = await requestLater(loadEndpoint, { signal });
      makeRequestsFor(user.id);
      sealDraftsWith(user.draftKey);
      setReaderState(user.businessState);
      return user;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** For before the first render, if the page came with its answers. */
export const fetchUser = (queryClient: QueryClient) => queryClient.prefetchQuery(userQuery);

/** A server-rendered page is a visitor's, and is hydrated as such even if somebody has signed in meanwhile. */
export const beginAsVisitor = (queryClient: QueryClient) => queryClient.setQueryData(userQuery.queryKey, null);

/** For once such a page is hydrated. */
export const askWhoSignedIn = (queryClient: QueryClient) => {
  if (mayHoldSession()) void queryClient.invalidateQueries({ queryKey: userKey });
};

export const useUser = () => {
  const { data: user, error, isPending, refetch, isFetching } = useQuery(userQuery);
  return { user, error, loading: isPending, refetch, refetching: isFetching };
};

/** For pages that only signed-in people can open. */
export const useSignedInUser = (): User => {
  const { user } = useUser();
  if (!user) throw new Error('This page needs a signed-in user.');
  return user;
};

/** Tells the browser's other tabs who is signed in now: an id, or null. There is no channel on the server, or in a browser without one. */
export const otherTabs =
  typeof document === 'undefined' || !('BroadcastChannel' in globalThis) ? null : new BroadcastChannel('signed-in');

/** Tells /auth, after a page load, that a session ended without anybody signing out. */
export const signedOutNote = tabStorage('adviserly-signed-out');

/** For calls that answer with the user: sign-in, registration, profile. */
export const setUser = (queryClient: QueryClient, user: User | null) => {
  if (cachedUser(queryClient)?.id !== user?.id) otherTabs?.postMessage(user?.id ?? null);
  makeRequestsFor(user?.id);
  sealDraftsWith(user?.draftKey ?? null);
  setReaderState(user?.businessState ?? null);
  forgetDrafts(user?.id);
  if (user) signedOutNote.forget();
  document.cookie = `${hint}; path=/; samesite=lax${secure ? '; secure' : ''}${user ? '' : '; max-age=0'}`;
  return queryClient.setQueryData(userQuery.queryKey, user);
};

export const cachedUser = (queryClient: QueryClient) => queryClient.getQueryData(userQuery.queryKey);

export const signingOut = (queryClient: QueryClient) => queryClient.isMutating({ mutationKey: logoutKey }) > 0;

/** Forgets all data of the last user but the mailed link that leads on, and sets the user to null. */
export const clearSession = (queryClient: QueryClient, leadsTo?: string) => {
  emptyTab(leadsTo);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] });
  setUser(queryClient, null);
};
