import type { ComponentProps } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Input } from '#client/ui/form.tsx';

type NameProps = {
  /** The form itself registers them, because errors get the focus in the order of registration. */
  firstName: UseFormRegisterReturn;
  lastName: UseFormRegisterReturn;
  errorOf: (name: 'firstName' | 'lastName') => string | undefined;
};

export const NameFields = ({ firstName, lastName, errorOf }: NameProps) => (
  <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
    <Field label="First name" error={errorOf('firstName')}>
      <Input autoComplete="given-name" {...firstName} />
    </Field>
    <Field label="Last name" error={errorOf('lastName')}>
      <Input autoComplete="family-name" {...lastName} />
    </Field>
  </div>
);

type EmailProps = ComponentProps<'input'> & { label?: string; error: string | undefined };

export const EmailField = ({ label = 'Email', error, ...rest }: EmailProps) => (
  <Field label={label} error={error}>
    <Input type="email" placeholder="you@practice.com.au" {...rest} />
  </Field>
);

type Props = ComponentProps<'input'> & { app: boolean; error: string | undefined; help?: string };

/** A code from an authenticator app, or a recovery code in its place. */
export const CodeField = ({ app, error, help = 'Six digits from your app, or a recovery code', ...rest }: Props) => (
  <Field label={app ? 'Code' : 'Recovery code'} error={error} help={app ? help : undefined}>
    <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} {...rest} />
  </Field>
);
