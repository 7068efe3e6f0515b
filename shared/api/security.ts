import * as z from 'zod';
import { defineApi } from './endpoint.ts';
import { email, message, newPassword, token } from './fields.ts';

/** The safety of an account: its password, its sessions, its data. The second half of the accounts noun. */
export const securityApi = defineApi({
  forgotPassword: {
    method: 'POST',
    path: '/api/forgot-password',
    access: 'public',
    summary: 'Mail a link that resets the password, if the account exists',
    body: z.strictObject({ email }),
    response: message,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/reset-password',
    access: 'public',
    summary: 'Set a new password with the mailed token',
    body: z.strictObject({ token: token('Reset token is required'), password: newPassword }),
    response: message,
  },
});
