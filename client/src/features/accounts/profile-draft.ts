import * as z from 'zod';
import { byField, factsOf, profile, profileLists, profileTexts } from '#shared/rules/profile.ts';
import { tabStorage } from '#client/lib/tab-storage.ts';

/** Whatever was typed, right or wrong; what can't be read any more is left out. */
const draft = z
  .object({
    ...byField(profileTexts, (name) => {
      const { oneOf } = factsOf(name);
      return (oneOf ? z.enum(oneOf) : z.string().max(400)).optional().catch(undefined);
    }),
    ...byField(profileLists, (name) => z.array(z.enum(profile[name].someOf)).optional().catch(undefined)),
  })
  .catch({});

/** Per person, so that nobody finds another's words in their form. */
const storageOf = (userId: string) => tabStorage(`adviserly-profile-draft:${userId}`);

export const readProfileDraft = (userId: string) => {
  try {
    return draft.parse(JSON.parse(storageOf(userId).read() ?? '{}'));
  } catch {
    return {};
  }
};

export const keepProfileDraft = (userId: string, values: unknown) => storageOf(userId).keep(JSON.stringify(values));

export const forgetProfileDraft = (userId: string) => storageOf(userId).forget();
