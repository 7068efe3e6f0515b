import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { accountsApi, User } from '#shared/api/accounts.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { requestLater } from '#client/lib/request.ts';

/** The server's word, with each page, on whether this browser holds a session cookie (which scripts cannot see). */
const hint = 'session-hint=1';
/** A page rendered on the server is a visitor's. */
export const mayHoldSession = () => typeof document !== 'undefined' && document.cookie.split('; ').includes(hint);

/** As `keyOf` would give them; the contract itself is loaded only for whoever has a session. */
const userKey = ['/api/user' satisfies (typeof accountsApi)['user']['path']];
export const logoutKey = ['/api/logout' satisfies (typeof accountsApi)['logout']['path']];
const loadEndpoint = async () => (await import('#shared/api/index.ts')).contract.accounts.user;

/** The signed-in user; null means signed out, undefined not known yet. */
const userQuery = queryOptions<User | null>({
  queryKey: userKey,
  // A visitor's first page needs no spinner.
  initialData: () => (mayHoldSession() ? undefined : null),
  queryFn: async ({ signal }) => {
    if (!mayHoldSession()) return null;
    try {
      return await requestLater(loadEndpoint, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export const useUser = () => {
  const { data: user, error, isPending, refetch, isFetching } = useQuery(userQuery);
  return { user, error, loading: isPending, refetch, refetching: isFetching };
};

/** For pages that the routes show to signed-in people only. */
export const useSignedInUser = (): User => {
  const { user } = useUser();
  if (!user) throw new Error('This page needs a signed-in user.');
  return user;
};

/** The user after a call that answers with it: sign-in, registration, profile. */
export const setUser = (queryClient: QueryClient, user: User | null) => {
  document.cookie = `${hint}; path=/; samesite=lax${user ? '' : '; max-age=0'}`;
  return queryClient.setQueryData(userQuery.queryKey, user);
};

export const cachedUser = (queryClient: QueryClient) => queryClient.getQueryData(userQuery.queryKey);

export const signingOut = (queryClient: QueryClient) => queryClient.isMutating({ mutationKey: logoutKey }) > 0;

/** Forgets everything known of the last user; `user` stays, as null, so that the page knows it is signed out. */
export const clearSession = (queryClient: QueryClient) => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] });
  setUser(queryClient, null);
};
