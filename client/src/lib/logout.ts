import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '#client/lib/api.ts';
import { paths } from '#client/lib/paths.ts';
import { clearSession, logoutKey } from '#client/lib/session.ts';
import { toast, toastError } from '#client/lib/toast.ts';

/** `to` is the page to open afterwards. */
export const useLogout = (to: string = paths.auth) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { mutate, isPending } = useMutation({
    mutationKey: logoutKey,
    // What is still being asked would only be answered "signed out".
    onMutate: () => queryClient.cancelQueries(),
    mutationFn: () => api.accounts.logout(),
    onSuccess: () => {
      clearSession(queryClient);
      navigate(to);
      toast({ title: 'Logged Out', description: 'You have been successfully logged out.' });
    },
    onError: () => {
      toastError('Failed to log out. Please try again.', 'Logout Failed');
      return queryClient.invalidateQueries();
    },
  });
  return { signOut: () => mutate(), pending: isPending };
};
