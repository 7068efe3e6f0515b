import type { UseFormRegisterReturn } from 'react-hook-form';
import { clsx } from 'clsx';
import { Circle, CircleCheck } from 'lucide-react';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import { passwordRules } from '#shared/rules/people/accounts.ts';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { Field } from '#client/ui/field.tsx';

type Person = Parameters<typeof isGuessableFor>[1];

type ChecklistProps = { password: string; person: Person; error: string | undefined };

/** What the browser sees; the server knows more passwords, and an error left when the other rules are met is about this one. */
const rulesFor = ({ person, error }: Omit<ChecklistProps, 'password'>) => [
  ...passwordRules,
  {
    label: 'Hard to guess',
    test: (password: string) =>
      password !== '' &&
      !isGuessableFor(password, person) &&
      !(error && passwordRules.every(({ test }) => test(password))),
  },
];

/** The rules, each ticked as soon as the password meets it. In sight once something is typed. */
const PasswordChecklist = ({ password, ...rest }: ChecklistProps) => (
  <ul
    aria-label="Password rules"
    className={
      password === '' ? 'sr-only' : clsx('flex flex-wrap gap-x-4 gap-y-1 pb-3 text-xs', rest.error ? 'mt-1.5' : '-mt-3')
    }
  >
    {rulesFor(rest).map(({ label, test }) => {
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
  /** The call's name for the new password, so that the server's error lands on its field. */
  name: N;
  label?: string;
  /** Whose password it is, if known. */
  person?: Person;
  onFocus?: () => void;
};

/** A new password with its live checklist, and its confirmation, compared again when the password changes. */
export const NewPasswordFields = <N extends Name>({
  form,
  name,
  label = 'New password',
  person = {},
  onFocus,
}: Props<N>) => {
  const { register, errorOf, watch, trigger, getFieldState } = form;
  const recheckConfirmation = () => {
    if (getFieldState('confirmPassword').isTouched) void trigger('confirmPassword');
  };
  return (
    <>
      <Field
        className={watch(name) === '' ? 'pb-2' : undefined}
        label={label}
        help={watch(name) === '' && '8+ characters with uppercase, lowercase and a number'}
        error={errorOf(name)}
      >
        <PasswordInput
          onFocus={onFocus}
          autoComplete="new-password"
          {...register(name, { onChange: recheckConfirmation })}
        />
      </Field>
      <PasswordChecklist password={watch(name)} person={person} error={errorOf(name)} />
      <Field label={`Confirm ${label.toLowerCase()}`} error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  );
};
