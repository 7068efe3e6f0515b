import { useQueryClient } from '@tanstack/react-query';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/index.ts';
import { formatAbn, formatPhone, states } from '#shared/rules/australia.ts';
import type { ProfileInput } from '#client/features/accounts/profile-form.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { setUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';

const { shape } = contract.accounts.updateProfile.body;

const personal = z.strictObject({
  firstName: shape.firstName.unwrap(),
  lastName: shape.lastName.unwrap(),
  mobile: shape.mobile.unwrap(),
});
const business = z.object({
  businessName: shape.businessName.unwrap(),
  businessAddress: shape.businessAddress.unwrap(),
  businessCity: shape.businessCity.unwrap(),
  businessState: shape.businessState.unwrap(),
  businessPostcode: shape.businessPostcode.unwrap(),
  afslNumber: shape.afslNumber.unwrap(),
  dealerGroup: shape.dealerGroup.unwrap(),
  abn: shape.abn.unwrap(),
});
const professional = z.object({
  professionalCredentials: shape.professionalCredentials.unwrap(),
  specializationAreas: shape.specializationAreas.unwrap(),
});

/** The groups of fields are those of the completion form, of which each tab checks and sends a part. */
const completion = z.custom<ProfileInput>();
const businessPart = completion
  .transform(({ afslNumber = '', abn = '', ...values }): z.input<typeof business> => ({ ...values, afslNumber, abn }))
  .pipe(business);
const professionalPart = completion
  .transform(({ professionalCredentials = [], specializationAreas }): z.input<typeof professional> => ({
    professionalCredentials,
    specializationAreas,
  }))
  .pipe(professional);

const personalOf = (user: User) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  mobile: formatPhone(user.mobile ?? ''),
});
const businessOf = (user: User) => ({
  businessName: user.businessName ?? '',
  businessAddress: user.businessAddress ?? '',
  businessCity: user.businessCity ?? '',
  businessState: states.find((state) => state === user.businessState),
  businessPostcode: user.businessPostcode ?? '',
  afslNumber: user.afslNumber ?? '',
  dealerGroup: user.dealerGroup ?? '',
  abn: formatAbn(user.abn ?? ''),
});
const professionalOf = (user: User) => ({
  professionalCredentials: user.professionalCredentials,
  specializationAreas: user.specializationAreas,
});

type Change = z.input<typeof contract.accounts.updateProfile.body>;
type Tab<Input extends FieldValues, Output> = {
  user: User;
  schema: z.ZodType<Output, Input>;
  valuesOf: (user: User) => DefaultValues<Input>;
  /** What A §8 calls the success. */
  done: string;
};

/** One tab: sends its own fields only, and stands at what was saved afterwards. */
const useTabForm = <Input extends FieldValues, Output extends Change>(tab: Tab<Input, Output>) => {
  const { user, schema, valuesOf, done } = tab;
  const queryClient = useQueryClient();
  const { reset, ...form } = useApiForm({
    schema,
    defaultValues: valuesOf(user),
    send: (body) => api.accounts.updateProfile({ body }),
    onDone: (saved) => {
      setUser(queryClient, saved);
      reset(valuesOf(saved));
      toast({ title: done, description: 'Your changes were saved.' });
    },
    onFailure: (error) =>
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Failed to update profile. Please try again.'),
        variant: 'destructive',
      }),
  });
  return form;
};

export const usePersonalForm = (user: User) =>
  useTabForm({ user, schema: personal, valuesOf: personalOf, done: 'Personal Information Updated' });

export const useBusinessForm = (user: User) =>
  useTabForm({ user, schema: businessPart, valuesOf: businessOf, done: 'Business Information Updated' });

export const useProfessionalForm = (user: User) =>
  useTabForm({ user, schema: professionalPart, valuesOf: professionalOf, done: 'Professional Information Updated' });
