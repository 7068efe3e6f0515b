import * as z from 'zod';
import { credentials, membershipTypes, specializations } from '#shared/rules/accounts.ts';
import { parseAbn, parsePhone, states } from '#shared/rules/australia.ts';
import type { users } from '#shared/schema/accounts.ts';
import { defineApi } from './endpoint.ts';
import { currentPassword, date, email, line, message, newPassword, requiredLine, token } from './fields.ts';

type UserRow = typeof users.$inferSelect;

/** The user as sent: an allow-list tied to the table; lists are arrays on the wire (decisions §3). */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  mobile: z.string().nullable(),
  businessName: z.string().nullable(),
  businessAddress: z.string().nullable(),
  businessCity: z.string().nullable(),
  businessState: z.string().nullable(),
  businessPostcode: z.string().nullable(),
  afslNumber: z.string().nullable(),
  dealerGroup: z.string().nullable(),
  abn: z.string().nullable(),
  professionalCredentials: z.array(z.string()),
  specializationAreas: z.array(z.string()),
  emailVerified: z.boolean(),
  profileCompleted: z.boolean(),
  isAdmin: z.boolean(),
  freeAccessGranted: z.boolean(),
  membershipType: z.enum(membershipTypes),
  createdAt: date,
  updatedAt: date,
}) satisfies z.ZodType<
  Omit<
    UserRow,
    | 'password'
    | 'stripeCustomerId'
    | 'stripeSubscriptionId'
    | 'cardBrand'
    | 'cardLast4'
    | 'cardExpMonth'
    | 'cardExpYear'
    | 'authEpoch'
    | 'seq'
    | 'closedAt'
    | 'professionalCredentials'
    | 'specializationAreas'
  > & { professionalCredentials: string[]; specializationAreas: string[] }
>;
export type User = z.output<typeof user>;

/** An array, or a JSON-encoded array, of values of an option list (decisions §3). */
const optionList = <const T extends readonly [string, ...string[]]>(options: T) =>
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
    z.array(z.enum(options, { error: 'Invalid input' }), { error: 'Invalid input' }).max(50),
  );

const blankIsNull = (text: string | null | undefined) => text || null;

/** A field that may be emptied: null or blank is stored as null. Absent is for its form to decide. */
const clearableLine = (max: number) => line(max).nullable().transform(blankIsNull);

const profileFields = {
  mobile: (required: string) =>
    requiredLine(40, required).transform((text, context) => {
      const phone = parsePhone(text);
      if (phone) return phone;
      context.issues.push({ code: 'custom', message: 'Please enter a phone number', input: text });
      return z.NEVER;
    }),
  businessName: requiredLine(200, 'Business name is required'),
  businessAddress: requiredLine(200, 'Business address is required'),
  businessCity: requiredLine(100, 'City is required'),
  businessState: z.enum(states, { error: 'State is required' }),
  businessPostcode: requiredLine(10, 'Postcode is required').regex(/^\d{4}$/, { error: 'Postcode must be 4 digits' }),
  afslNumber: clearableLine(40),
  dealerGroup: (required: string) => requiredLine(200, required),
  abn: clearableLine(40).transform((text, context) => {
    if (text === null) return null;
    const abn = parseAbn(text);
    if (abn) return abn;
    context.issues.push({ code: 'custom', message: 'Please enter a valid ABN (11 digits)', input: text });
    return z.NEVER;
  }),
  professionalCredentials: optionList(credentials),
  specializationAreas: (required: string) =>
    optionList(specializations).refine((areas) => areas.length > 0, { error: required }),
};

const names = {
  firstName: requiredLine(100, 'First name is required'),
  lastName: requiredLine(100, 'Last name is required'),
};
const { mobile, dealerGroup, specializationAreas, ...plainFields } = profileFields;

const registration = { email, password: newPassword, ...names };

/** What My Profile and the dashboard's dialog may change (A §5, B §5); an absent field stays as it is. */
const profileChange = z
  .strictObject({
    ...names,
    mobile: mobile('Mobile number is required'),
    ...plainFields,
    dealerGroup: dealerGroup('Dealer group is required'),
    specializationAreas: specializationAreas('Please select at least one specialization area'),
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'There is nothing to change',
  });

/** The sign-up form: the confirmation never leaves the browser. */
export const registerForm = z
  .strictObject({ ...registration, confirmPassword: z.string({ error: "Passwords don't match" }) })
  .refine((form) => form.password === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
  });

export const accountsApi = defineApi({
  user: { method: 'GET', path: '/api/user', access: 'signedIn', summary: 'The signed-in user', response: user },
  authUser: {
    method: 'GET',
    path: '/api/auth/user',
    access: 'signedIn',
    summary: 'The signed-in user',
    response: user,
  },
  register: {
    method: 'POST',
    path: '/api/register',
    access: 'public',
    summary: 'Create an account and sign in',
    status: 201,
    body: z.strictObject(registration),
    response: user,
  },
  login: {
    method: 'POST',
    path: '/api/login',
    access: 'public',
    summary: 'Sign in',
    body: z.strictObject({ email, password: currentPassword }),
    response: user,
  },
  logout: { method: 'POST', path: '/api/logout', access: 'public', summary: 'Sign out', response: message },
  completeProfile: {
    method: 'POST',
    path: '/api/user/complete-profile',
    access: 'signedIn',
    summary: 'Complete the profile',
    body: z.strictObject({
      mobile: mobile('Business phone number is required'),
      ...plainFields,
      afslNumber: plainFields.afslNumber.default(null),
      dealerGroup: dealerGroup('Dealer group/firm affiliation is required'),
      abn: plainFields.abn.default(null),
      professionalCredentials: plainFields.professionalCredentials.default([]),
      specializationAreas: specializationAreas('Please select at least one area of specialization'),
    }),
    response: user,
  },
  updateProfile: {
    method: 'PATCH',
    path: '/api/user/profile',
    access: 'member',
    summary: 'Change parts of the profile',
    body: profileChange,
    response: user,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/verify-email',
    access: 'public',
    summary: 'Consume the mailed verification token',
    body: z.strictObject({ token: token('Verification token is required') }),
    response: user,
  },
  resendVerification: {
    method: 'POST',
    path: '/api/resend-verification',
    access: 'signedIn',
    summary: 'Mail a new verification link',
    response: message,
  },
});
