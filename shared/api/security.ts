import * as z from 'zod';
import { passwordMaxLength, passwordTooLong, setupPasswordLength } from '#shared/rules/people/accounts.ts';
import { accountExport } from './account-export.ts';
import { user } from './accounts.ts';
import { charge } from './charge.ts';
import { defineApi } from './endpoint.ts';
import { currentPassword, date, email, nameLine, newPassword, requiredLine, token } from './fields.ts';

const session = z.object({
  id: z.string(),
  current: z.boolean(),
  /** Browser and system, such as `Firefox on Windows`. */
  device: z.string(),
  createdAt: date,
  lastSeenAt: date,
});
export type Session = z.output<typeof session>;

const signIn = z.object({
  id: z.string(),
  createdAt: date,
  what: z.enum(['signed_in', 'sign_in_failed', 'sign_in_throttled', 'sign_in_refused', 'signed_out']),
  sentence: z.string(),
  device: z.string().nullable(),
  ip: z.string().nullable(),
});
export type SignIn = z.output<typeof signIn>;

const apiKey = z.object({
  id: z.string(),
  /** All but the last four characters hidden. */
  token: z.string(),
  toolName: z.string(),
  createdAt: date,
  expiresAt: date,
  lastUsedAt: date.nullable(),
});
export type OwnApiKey = z.output<typeof apiKey>;

const allFields = 'Please fill in all fields';

/** Only the length counts, 12 instead of 8; the server also refuses common ones. */
const setupPassword = z
  .string({ error: allFields })
  .min(1, { error: allFields })
  .min(setupPasswordLength, { error: `Password must be at least ${setupPasswordLength} characters long` })
  .max(passwordMaxLength, { error: passwordTooLong })
  .refine((text) => !text.includes('\0'), { error: 'Password must not contain NUL characters' });

/** The second half of the accounts noun: passwords, sessions, export, closing, and the first administrator. */
export const securityApi = defineApi('signedIn', {
  forgotPassword: {
    route: 'POST /api/forgot-password',
    access: 'public',
    summary: 'Mail a link that resets the password, if the account exists',
    body: z.strictObject({ email }),
  },
  resetPassword: {
    route: 'POST /api/reset-password',
    access: 'public',
    summary: 'Set a new password with the mailed token',
    body: z.strictObject({ token: token('Reset token is required'), password: newPassword }),
  },
  changePassword: {
    route: 'POST /api/user/change-password',
    summary: 'Change the password and sign out every other session',
    proof: 'factor',
    body: z.strictObject({ currentPassword, newPassword }),
  },
  emailChange: {
    route: 'GET /api/user/email-change',
    summary: 'The change of address that waits for its confirmation',
    response: z.object({ email: z.string(), expiresAt: date }).nullable(),
  },
  changeEmail: {
    route: 'POST /api/user/email-change',
    proof: 'always',
    summary: 'Mail a link to a new address; it replaces an earlier one',
    body: z.strictObject({ email }),
  },
  cancelEmailChange: {
    route: 'DELETE /api/user/email-change',
    summary: 'Keep the address: the mailed link ends',
  },
  confirmEmailChange: {
    route: 'POST /api/confirm-email-change',
    access: 'public',
    summary: 'Change the address, with the link mailed to the new one, in a session of the account',
    body: z.strictObject({ token: token('The link is incomplete') }),
    response: user,
  },
  undoEmailChange: {
    route: 'POST /api/undo-email-change',
    access: 'public',
    summary:
      'Restore the old address, with the link mailed to it; every session ends, and `token` sets the new password that is needed',
    body: z.strictObject({ token: token('The link is incomplete') }),
    response: z.object({ message: z.string(), token: z.string() }),
  },
  sessions: {
    route: 'GET /api/user/sessions',
    summary: 'Where the account is signed in',
    response: z.array(session),
  },
  signIns: {
    route: 'GET /api/user/sign-ins',
    summary: 'The newest sign-ins to the account, and what was tried',
    response: z.array(signIn),
  },
  endSession: {
    route: 'DELETE /api/user/sessions/:id',
    summary: 'Sign out one session',
    proof: 'always',
  },
  apiKeys: {
    route: 'GET /api/user/api-keys',
    summary: 'The API keys with which tools act for oneself',
    response: z.array(apiKey),
  },
  revokeApiKey: {
    route: 'DELETE /api/user/api-keys/:id',
    summary: 'Revoke an API key that acts for oneself',
  },
  exportAccount: {
    route: 'GET /api/user/export',
    summary: 'Everything held about oneself, as a download',
    response: accountExport,
  },
  closeAccount: {
    route: 'POST /api/user/close-account',
    summary: 'Close the account: end its subscriptions, charge a last bill as agreed, and erase the identity',
    proof: 'factor',
    body: z.strictObject({ password: currentPassword, charge: charge.optional() }),
  },
  setupState: {
    route: 'GET /api/setup-admin',
    access: 'public',
    summary: 'Whether the first administrator can still be created',
    response: z.object({ open: z.boolean() }),
  },
  setupAdmin: {
    route: 'POST /api/setup-admin',
    access: 'public',
    summary: 'Create the first administrator, once',
    status: 201,
    body: z.strictObject({
      email: requiredLine(254, allFields).pipe(email),
      password: setupPassword,
      firstName: nameLine(100, allFields),
      lastName: nameLine(100, allFields),
      /** `SETUP_TOKEN`, where the server has one. */
      setupToken: z.string().max(1000).optional(),
    }),
    response: z.object({ message: z.string(), email: z.string(), password: z.string(), note: z.string() }),
  },
});
