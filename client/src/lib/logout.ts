import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '#client/lib/api.ts';
import { paths } from '#client/lib/paths.ts';
import { clearSession, logoutKey } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';

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
