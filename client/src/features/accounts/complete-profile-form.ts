import { useQueryClient } from '@tanstack/react-query';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { laterFields } from '#shared/rules/profile.ts';
import { overProfile, shownOf } from '#client/features/accounts/profile-form.ts';
import { api } from '#client/lib/api.ts';
import { useApiForm } from '#client/lib/form.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';

const schema = overProfile(contract.accounts.completeProfile.body);

/** The toast is seen before the page changes. */
const redirectDelayMs = 100;

/** What was typed survives a reload; success opens the rest of the product. */
export const useCompletionForm = (user: User) => {
  const queryClient = useQueryClient();
  return useApiForm({
    schema,
    defaultValues: shownOf(user, laterFields),
    draft: 'complete-profile',
    send: (body) => api.accounts.completeProfile({ body }),
    onDone: async (completed) => {
      toast({ title: 'Profile Completed', description: 'Welcome to your dashboard.' });
      await new Promise((done) => setTimeout(done, redirectDelayMs));
      // With a complete profile the routes lead on: to what was asked for, else home.
      setUser(queryClient, completed);
    },
    failure: 'Failed to complete profile. Please try again.',
  });
};
