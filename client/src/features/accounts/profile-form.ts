import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import type { contract } from '#shared/api/members.ts';
import { profileForm } from '#shared/api/profile.ts';
import {
  byField,
  factsOf,
  fieldsOn,
  type ProfileField,
  type ProfileList,
  type ProfileTab,
  type ProfileText,
} from '#shared/rules/people/profile.ts';
import type { useApiForm } from '#client/lib/forms/form.ts';

/** The values of a profile form while it is filled in, whichever part of the profile it shows. */
export type ProfileValues = Partial<Record<ProfileText, string | null> & Record<ProfileList, unknown>>;

export type ProfileForm = Pick<
  ReturnType<typeof useApiForm<ProfileValues, unknown, unknown>>,
  'register' | 'errorOf' | 'setValue' | 'control'
>;

type Change = z.input<typeof contract.accounts.updateProfile.body>;

export const overProfile = <Output>(schema: z.ZodType<Output, ProfileValues>) => z.custom<ProfileValues>().pipe(schema);

const tabSchema = (tab: ProfileTab): z.ZodType<Change, ProfileValues> =>
  overProfile(profileForm.pick(byField(fieldsOn(tab), () => true as const)));

/** Each tab takes its own fields and refuses any other, so that none is dropped silently. */
export const tabSchemas: Record<ProfileTab, z.ZodType<Change, ProfileValues>> = {
  personal: tabSchema('personal'),
  business: tabSchema('business'),
  professional: tabSchema('professional'),
};

/** What a form shows of the user: text as people write it, a choice only if it is still an option, lists as they are. */
export const shownOf = (user: User, names: readonly ProfileField[]): ProfileValues =>
  byField(names, (name) => {
    const { oneOf, tidy } = factsOf(name);
    const value = user[name];
    if (Array.isArray(value)) return value;
    if (oneOf) return oneOf.find((option) => option === value);
    return tidy ? tidy.format(value ?? '') : (value ?? '');
  }) as ProfileValues;
