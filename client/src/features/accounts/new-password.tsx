import { clsx } from 'clsx';
import { Circle, CircleCheck } from 'lucide-react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import * as z from 'zod';
import { currentPassword, newPassword } from '#shared/api/fields.ts';
import { passwordRules } from '#shared/rules/accounts.ts';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const mismatch = "Passwords don't match";
/** The confirmation never leaves the browser. */
const confirmPassword = z.string({ error: mismatch });
const onConfirmation = { error: mismatch, path: ['confirmPassword'] };

/** Two equal passwords that keep the rules, under the name the call gives the new one. */
export const resetForm = z
  .strictObject({ password: newPassword, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, onConfirmation);
export const changeForm = z
  .strictObject({ currentPassword, newPassword, confirmPassword })
  .refine((form) => form.newPassword === form.confirmPassword, onConfirmation);

/** The four rules, each ticked as soon as what is typed follows it. */
const Checklist = ({ password }: { password: string }) => (
  <ul aria-label="Password rules" className="grid gap-x-4 gap-y-1 text-xs sm:grid-cols-2">
    {passwordRules.map(({ label, test }) => {
      const met = test(password);
      const Icon = met ? CircleCheck : Circle;
      return (
        <li key={label} className={clsx('flex items-center gap-1.5', met ? 'text-success' : 'text-muted')}>
          <Icon aria-hidden className="size-3.5 shrink-0" />
          {label}
          <span className="sr-only">{met ? ', done' : ', still missing'}</span>
        </li>
      );
    })}
  </ul>
);

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
  /** What the call names the new password, so that the server's word lands on it. */
  name: N;
};

/** A new password with its live checklist, and its confirmation, compared again when the password changes. */
export const NewPasswordFields = <N extends Name>({ form, name }: Props<N>) => {
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
        <Checklist password={watch(name)} />
      </div>
      <Field label="Confirm new password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  );
};
