import * as z from 'zod';
import { membershipTypes, passwordGuessable } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import type { ProfileList } from '#shared/rules/people/profile.ts';
import type { users } from '#shared/schema/accounts.ts';
import { defineApi } from './endpoint.ts';
import { currentPassword, date, email, newPassword, token } from './fields.ts';
import { names, profileChange, profileCompletion, sentProfile } from './profile.ts';

type UserRow = typeof users.$inferSelect;

/** Columns that are never sent. */
type Private =
  | 'password'
  | 'stripeCustomerId'
  | 'stripeSubscriptionId'
  | 'billingAnchor'
  | 'nextBillAt'
  | 'cardBrand'
  | 'cardLast4'
  | 'cardExpMonth'
  | 'cardExpYear'
  | 'creditCents'
  | 'authEpoch'
  | 'emailProvedAt'
  | 'mustChangePassword'
  | 'suspendedAt'
  | 'suspendedFor'
  | 'chargesPaused'
  | 'seq'
  | 'closedAt';

/** The user as sent. Every column is either listed here, or part of the profile, or private. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  ...sentProfile,
  profileImageUrl: z.string().nullable(),
  emailVerified: z.boolean(),
  profileCompleted: z.boolean(),
  hasSecondFactor: z.boolean(),
  isAdmin: z.boolean(),
  freeAccessGranted: z.boolean(),
  membershipType: z.enum(membershipTypes),
  createdAt: date,
  updatedAt: date,
  /** 32 bytes in base64url. The browser seals with it what somebody typed and has not saved, and keeps it in memory only. */
  draftKey: z.string(),
}) satisfies z.ZodType<Omit<UserRow, Private | ProfileList> & Record<ProfileList, string[]>>;
export type User = z.output<typeof user>;

/** The password was right, and one of these is asked for next: the session is not signed in yet. */
export const secondStep = z.object({ secondFactor: z.object({ app: z.boolean(), passkey: z.boolean() }) });
export type SecondStep = z.output<typeof secondStep>['secondFactor'];

/** The password was right, and has to be replaced first: by `POST /api/reset-password` with this token. */
const newPasswordNeeded = z.object({ newPassword: z.object({ token: z.string() }) });
/** What a sign-in answers: the user, or the demand for a new password first. */
export const signedIn = z.union([newPasswordNeeded, user]);
export type SignedIn = z.output<typeof signedIn>;

const registration = { email, password: newPassword, ...names };

/** The sign-up form: the confirmation never leaves the browser. */
export const registerForm = z
  .strictObject({ ...registration, confirmPassword: z.string({ error: "Passwords don't match" }) })
  .refine((form) => form.password === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
  })
  .refine((form) => !isGuessableFor(form.password, form), { error: passwordGuessable, path: ['password'] });

export const accountsApi = defineApi('signedIn', {
  user: { route: 'GET /api/user', summary: 'The signed-in user', response: user },
  authUser: {
    route: 'GET /api/auth/user',
    summary: 'The signed-in user',
    response: user,
  },
  tabKey: {
    route: 'GET /api/tab-key',
    access: 'public',
    summary: 'The key by which this browser’s tabs seal what a link brought; the first call sets its cookie',
    /** 32 bytes in base64url. */
    response: z.object({ key: z.string() }),
  },
  register: {
    route: 'POST /api/register',
    access: 'public',
    summary: 'Create an account and sign in',
    status: 201,
    body: z.strictObject(registration),
    response: user,
  },
  login: {
    route: 'POST /api/login',
    access: 'public',
    summary: 'Sign in; with two-step verification, the first step; where a new password is demanded, what sets it',
    body: z.strictObject({ email, password: currentPassword }),
    response: z.union([secondStep, signedIn]),
  },
  logout: { route: 'POST /api/logout', access: 'public', summary: 'Sign out' },
  completeProfile: {
    route: 'POST /api/user/complete-profile',
    summary: 'Complete the profile',
    body: profileCompletion,
    response: user,
  },
  updateProfile: {
    route: 'PATCH /api/user/profile',
    access: 'member',
    summary: 'Change parts of the profile',
    body: profileChange,
    response: user,
  },
  verifyEmail: {
    route: 'POST /api/verify-email',
    access: 'public',
    summary: 'Consume the mailed verification token',
    body: z.strictObject({ token: token('Verification token is required') }),
    response: user,
  },
  resendVerification: {
    route: 'POST /api/resend-verification',
    summary: 'Mail a new verification link',
  },
});
