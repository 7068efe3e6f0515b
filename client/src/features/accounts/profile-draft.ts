import * as z from 'zod';
import { credentials, specializations } from '#shared/rules/accounts.ts';
import { states } from '#shared/rules/australia.ts';

const text = z.string().max(400).optional().catch(undefined);
const chosen = <const T extends readonly [string, ...string[]]>(options: T) =>
  z.array(z.enum(options)).optional().catch(undefined);

/** What was typed, right or wrong; what can't be read any more is left out. */
const draft = z
  .object({
    mobile: text,
    businessName: text,
    businessAddress: text,
    businessCity: text,
    businessState: z.enum(states).optional().catch(undefined),
    businessPostcode: text,
    afslNumber: text,
    dealerGroup: text,
    abn: text,
    professionalCredentials: chosen(credentials),
    specializationAreas: chosen(specializations),
  })
  .catch({});

/** By person, so that nobody finds somebody else's words in their form; gone with the browser's tab. */
const keyOf = (userId: string) => `adviserly-profile-draft:${userId}`;

export const readProfileDraft = (userId: string) => {
  try {
    return draft.parse(JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '{}'));
  } catch {
    return {};
  }
};

export const keepProfileDraft = (userId: string, values: unknown) => {
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(values));
  } catch {
    // Storage can be forbidden or full; the form works without it.
  }
};

export const forgetProfileDraft = (userId: string) => {
  try {
    sessionStorage.removeItem(keyOf(userId));
  } catch {
    // As above.
  }
};
