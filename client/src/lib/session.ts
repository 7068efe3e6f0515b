import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/api.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { paths } from '#client/lib/paths.ts';
import { keyOf } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

/** The server's word, with each page, on whether this browser holds a session cookie (which scripts cannot see). */
const hint = 'session-hint=1';
const mayHoldSession = () => document.cookie.split('; ').includes(hint);

/** The signed-in user; null means signed out, undefined not known yet. */
const userQuery = queryOptions<User | null>({
  queryKey: keyOf(contract.accounts.user),
  queryFn: async ({ signal }) => {
    if (!mayHoldSession()) return null;
    try {
      return await api.accounts.user(undefined, { signal });
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

const logoutKey = [contract.accounts.logout.path];
export const signingOut = (queryClient: QueryClient) => queryClient.isMutating({ mutationKey: logoutKey }) > 0;

/** Forgets everything known of the last user; `user` stays, as null, so that the page knows it is signed out. */
export const clearSession = (queryClient: QueryClient) => {
  const userKey = userQuery.queryKey[0];
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey });
  setUser(queryClient, null);
};

export const useLogout = () => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { mutate, isPending } = useMutation({
    mutationKey: logoutKey,
    mutationFn: () => api.accounts.logout(),
    onSuccess: () => {
      clearSession(queryClient);
      navigate(paths.auth);
      toast({ title: 'Logged Out', description: 'You have been successfully logged out.' });
    },
    onError: () =>
      toast({ title: 'Logout Failed', description: 'Failed to log out. Please try again.', variant: 'destructive' }),
  });
  return { signOut: () => mutate(), pending: isPending };
};
