import type { UseFormRegisterReturn } from 'react-hook-form';
import { PasswordChecklist } from '#client/features/accounts/password-checklist.tsx';
import { Field } from '#client/ui/field.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';

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
        <PasswordChecklist password={watch(name)} />
      </div>
      <Field label="Confirm new password" error={errorOf('confirmPassword')}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  );
};
