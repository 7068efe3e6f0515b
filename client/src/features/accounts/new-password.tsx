import type { UseFormRegisterReturn } from 'react-hook-form';
import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { currentPassword, newPassword } from '#shared/api/fields.ts';
import { passwordGuessable } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import { PasswordChecklist } from '#client/features/accounts/password-checklist.tsx';
import { Field, PasswordField, PasswordInput } from '#client/ui/form.tsx';

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

type Name = 'password' | 'newPassword';
type Form<N extends Name> = {
  register: (name: N | 'confirmPassword', options?: { onChange: () => void }) => UseFormRegisterReturn;
  errorOf: (name: N | 'confirmPassword') => string | undefined;
  watch: (name: N) => string;
  trigger: (name: 'confirmPassword') => Promise<boolean>;
  getFieldState: (name: 'confirmPassword') => { isTouched: boolean };
};
type Props<N extends Name> = {
  form: Form<N>;
  /** The call's name for the new password, so that the server's error lands on its field. */
  name: N;
  /** Whose password it is, if known. */
  person?: Person;
};

/** A new password with its live checklist, and its confirmation, compared again when the password changes. */
export const NewPasswordFields = <N extends Name>({ form, name, person = {} }: Props<N>) => {
  const { register, errorOf, watch, trigger, getFieldState } = form;
  const recheckConfirmation = () => {
    if (getFieldState('confirmPassword').isTouched) void trigger('confirmPassword');
  };
  return (
    <>
      <Field label="New password" error={errorOf(name)}>
        <PasswordInput autoComplete="new-password" {...register(name, { onChange: recheckConfirmation })} />
      </Field>
      <div className="pb-3">
        <PasswordChecklist password={watch(name)} person={person} />
      </div>
      <PasswordField form={form} name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
    </>
  );
};
