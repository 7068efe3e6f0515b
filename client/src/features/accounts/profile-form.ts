import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/index.ts';
import { forgetProfileDraft, keepProfileDraft, readProfileDraft } from '#client/features/accounts/profile-draft.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';

/** A §9: the toast is seen before the page changes. */
const redirectDelayMs = 100;

/** The profile's form: what was typed survives a reload, and success opens the rest of the product. */
export const useProfileForm = (user: User) => {
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: contract.accounts.completeProfile.body,
    defaultValues: {
      mobile: user.mobile ?? '',
      businessName: user.businessName ?? '',
      businessAddress: user.businessAddress ?? '',
      businessCity: user.businessCity ?? '',
      businessPostcode: user.businessPostcode ?? '',
      afslNumber: user.afslNumber ?? '',
      dealerGroup: user.dealerGroup ?? '',
      abn: user.abn ?? '',
      professionalCredentials: user.professionalCredentials,
      specializationAreas: user.specializationAreas,
      ...readProfileDraft(user.id),
    },
    send: (body) => api.accounts.completeProfile({ body }),
    onDone: async (completed) => {
      toast({ title: 'Profile Completed', description: 'Welcome to your dashboard.' });
      forgetProfileDraft(user.id);
      await new Promise((done) => setTimeout(done, redirectDelayMs));
      // With a complete profile the routes lead on: to what was asked for, else home.
      setUser(queryClient, completed);
    },
    onFailure: (error) =>
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to complete profile. Please try again.'),
        variant: 'destructive',
      }),
  });

  const { subscribe } = form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => keepProfileDraft(user.id, values) }),
    [subscribe, user.id],
  );
  return form;
};

export type ProfileInput = z.input<typeof contract.accounts.completeProfile.body>;

/** What the groups of fields need of a form, whatever it sends. */
export type ProfileForm = Pick<
  ReturnType<typeof useApiForm<ProfileInput, unknown, unknown>>,
  'register' | 'errorOf' | 'setValue' | 'control'
>;
