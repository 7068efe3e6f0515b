import * as z from 'zod';
import { newPassword } from '#shared/api/fields.ts';

/** Two equal passwords after A §5; the confirmation never leaves the browser. */
export const newPasswordForm = z
  .strictObject({ password: newPassword, confirmPassword: z.string({ error: "Passwords don't match" }) })
  .refine((form) => form.password === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
  });
