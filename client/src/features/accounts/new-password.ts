import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { currentPassword, newPassword } from '#shared/api/fields.ts';
import { passwordGuessable } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';

const mismatch = "Passwords don't match";
/** The confirmation never leaves the browser. */
const confirmPassword = z.string({ error: mismatch });
const onConfirmation = { error: mismatch, path: ['confirmPassword'] };

type Person = Partial<Pick<User, 'email' | 'firstName' | 'lastName'>>;

/** Two equal passwords that follow the rules; the new one has the name that its call uses. */
export const resetForm = z
  .strictObject({ password: newPassword, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, onConfirmation)
  .refine((form) => !isGuessableFor(form.password, {}), { error: passwordGuessable, path: ['password'] });
export const changeForm = (person: Person) =>
  z
    .strictObject({ currentPassword, newPassword, confirmPassword })
    .refine((form) => form.newPassword === form.confirmPassword, onConfirmation)
    .refine((form) => !isGuessableFor(form.newPassword, person), { error: passwordGuessable, path: ['newPassword'] });
