import * as z from 'zod';
import { currentPassword, newPassword } from '#shared/api/fields.ts';

const mismatch = "Passwords don't match";
/** The confirmation never leaves the browser. */
const confirmPassword = z.string({ error: mismatch });
const onConfirmation = { error: mismatch, path: ['confirmPassword'] };

/** Two equal passwords after A §5, under the name the call gives the new one. */
export const resetForm = z
  .strictObject({ password: newPassword, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, onConfirmation);
export const changeForm = z
  .strictObject({ currentPassword, newPassword, confirmPassword })
  .refine((form) => form.newPassword === form.confirmPassword, onConfirmation);
