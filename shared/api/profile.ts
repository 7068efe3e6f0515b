import * as z from 'zod';
import { credentials, specializations } from '#shared/rules/people/accounts.ts';
import { parseAbn, parsePhone, states } from '#shared/rules/australia.ts';
import {
  byField,
  laterTexts,
  optionalLists,
  optionalTexts,
  profileLists,
  signUpFields,
  type ProfileField,
} from '#shared/rules/people/profile.ts';
import { line, nameLine, postcode, requiredLine } from './fields.ts';

/** An array of the options, or the same as JSON text. */
const optionList = <const T extends readonly [string, ...string[]]>(options: T, missing = 'Invalid input') =>
  z.preprocess(
    (value, context) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.issues.push({ code: 'custom', message: 'Invalid input', input: value });
        return z.NEVER;
      }
    },
    z
      .array(z.enum(options, { error: 'Invalid input' }), {
        error: ({ input }) => (input === undefined ? missing : 'Invalid input'),
      })
      .max(50),
  );

const phone = (required: string) =>
  requiredLine(40, required).transform((text, context) => {
    const number = parsePhone(text);
    if (number) return number;
    context.issues.push({ code: 'custom', message: 'Please enter a phone number', input: text });
    return z.NEVER;
  });

const areas = (required: string) =>
  optionList(specializations, required).refine((chosen) => chosen.length > 0, { error: required });

/** A line that may be emptied: blank becomes null. */
const clearableLine = (max: number) =>
  line(max)
    .nullable()
    .transform((text) => text || null);

const abn = clearableLine(40).transform((text, context) => {
  if (text === null) return null;
  const digits = parseAbn(text);
  if (digits) return digits;
  context.issues.push({ code: 'custom', message: 'That ABN isn’t valid. Please check its 11 digits.', input: text });
  return z.NEVER;
});

/** What each field of the profile accepts. */
const fields = {
  firstName: nameLine(100, 'First name is required'),
  lastName: nameLine(100, 'Last name is required'),
  mobile: phone('Mobile number is required'),
  businessName: requiredLine(200, 'Business name is required'),
  dealerGroup: requiredLine(200, 'Dealer group is required'),
  businessAddress: requiredLine(200, 'Business address is required'),
  businessCity: requiredLine(100, 'City is required'),
  businessState: z.enum(states, { error: 'State is required' }),
  businessPostcode: postcode,
  afslNumber: clearableLine(40),
  adviserNumber: clearableLine(9).refine((text) => text === null || /^\d{6,9}$/.test(text), {
    error: 'Please enter the 6 to 9 digits of the register',
  }),
  abn,
  professionalCredentials: optionList(credentials),
  specializationAreas: areas('Please select at least one specialisation area'),
} satisfies Record<ProfileField, z.ZodType>;

/** The names, as sign-up asks for them. */
export const names = { firstName: fields.firstName, lastName: fields.lastName };

/** The whole profile; a form that shows a part of it picks that part. An unknown field is refused. */
export const profileForm = z.strictObject(fields);

/** An absent field stays as it is. */
export const profileChange = profileForm
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'There is nothing to change',
  });

const orNull = (field: z.ZodType<string | null, string | null>) => field.default(null);

/** Everything but the names; optional fields may be left out, and some sentences are the page's own. */
export const profileCompletion = profileForm
  .extend({
    ...byField(optionalTexts, (name) => orNull(fields[name])),
    ...byField(optionalLists, (name) => fields[name].default([])),
    mobile: phone('Business phone number is required'),
    dealerGroup: requiredLine(200, 'Dealer group/firm affiliation is required'),
    specializationAreas: areas('Please select at least one area of specialisation'),
  })
  .omit(byField(signUpFields, () => true as const));

/** The profile as it is sent: all but the names are null until the profile is completed; lists are never null. */
export const sentProfile = {
  ...byField(signUpFields, () => z.string()),
  ...byField(laterTexts, () => z.string().nullable()),
  ...byField(profileLists, () => z.array(z.string())),
};
