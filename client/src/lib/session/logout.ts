import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '#client/lib/calls/api.ts';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { holdQuestions } from '#client/lib/calls/request.ts';
import { clearSession, logoutKey } from '#client/lib/session/session.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';

/** `leadsTo` is the page to go on to after the next sign-in. */
export const useLogout = (leadsTo?: string) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { mutate, isPending } = useMutation({
    mutationKey: logoutKey,
    // Reads under way could only be answered "signed out".
    onMutate: async () => {
      const letGo = holdQuestions();
      await queryClient.cancelQueries();
      return letGo;
    },
    mutationFn: () => api.accounts.logout(),
    onSuccess: () => {
      clearSession(queryClient, leadsTo);
      navigate(withReturnTo(paths.auth, leadsTo ?? null));
      toast({ title: 'Logged Out', description: 'You have been successfully logged out.' });
    },
    onError: () => {
      toastError('Failed to log out. Please try again.', 'Logout Failed');
      void queryClient.invalidateQueries();
    },
    onSettled: (_answer, _error, _nothing, letGo) => letGo?.(),
  });
  return { signOut: () => mutate(), pending: isPending };
};
