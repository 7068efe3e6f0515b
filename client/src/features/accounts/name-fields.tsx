import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

type Props = {
  /** Registered by the form itself: the order of registration is the order in which errors get the focus. */
  firstName: UseFormRegisterReturn;
  lastName: UseFormRegisterReturn;
  errorOf: (name: 'firstName' | 'lastName') => string | undefined;
};

/** First and last name, for a grid of two columns. */
export const NameFields = ({ firstName, lastName, errorOf }: Props) => (
  <>
    <Field label="First name" error={errorOf('firstName')}>
      <Input autoComplete="given-name" {...firstName} />
    </Field>
    <Field label="Last name" error={errorOf('lastName')}>
      <Input autoComplete="family-name" {...lastName} />
    </Field>
  </>
);
