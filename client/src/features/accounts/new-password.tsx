import { clsx } from 'clsx';
import { Circle, CircleCheck } from 'lucide-react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import * as z from 'zod';
import type { User } from '#shared/api/accounts.ts';
import { currentPassword, isGuessableFor, newPassword } from '#shared/api/fields.ts';
import { passwordGuessable, passwordRules } from '#shared/rules/accounts.ts';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

const mismatch = "Passwords don't match";
/** The confirmation never leaves the browser. */
const confirmPassword = z.string({ error: mismatch });
const onConfirmation = { error: mismatch, path: ['confirmPassword'] };

type Person = Partial<Pick<User, 'email' | 'firstName' | 'lastName'>>;

/** Two equal passwords that keep the rules, under the name the call gives the new one. */
export const resetForm = z
  .strictObject({ password: newPassword, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, onConfirmation)
  .refine((form) => !isGuessableFor(form.password, {}), { error: passwordGuessable, path: ['password'] });
export const changeForm = (person: Person) =>
  z
    .strictObject({ currentPassword, newPassword, confirmPassword })
    .refine((form) => form.newPassword === form.confirmPassword, onConfirmation)
    .refine((form) => !isGuessableFor(form.newPassword, person), { error: passwordGuessable, path: ['newPassword'] });

const rulesFor = (person: Person) => [
  ...passwordRules,
  {
    label: 'More than your name, email or a common word',
    test: (password: string) => password !== '' && !isGuessableFor(password, person),
  },
];

/** The rules, each ticked as soon as what is typed follows it. */
const Checklist = ({ password, person }: { password: string; person: Person }) => (
  <ul aria-label="Password rules" className="grid gap-x-4 gap-y-1 text-xs sm:grid-cols-2">
    {rulesFor(person).map(({ label, test }) => {
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
  /** Whose it is, where that is known. */
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
        <Checklist password={watch(name)} person={person} />
      </div>
      <Field label="Confirm new password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  );
};
