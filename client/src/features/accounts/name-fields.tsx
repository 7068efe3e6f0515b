import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

type Name = 'firstName' | 'lastName';
type Props = {
  form: { register: (name: Name) => UseFormRegisterReturn; errorOf: (name: Name) => string | undefined };
};

/** First and last name, for a grid of two columns. */
export const NameFields = ({ form: { register, errorOf } }: Props) => (
  <>
    <Field label="First name" error={errorOf('firstName')}>
      <Input autoComplete="given-name" {...register('firstName')} />
    </Field>
    <Field label="Last name" error={errorOf('lastName')}>
      <Input autoComplete="family-name" {...register('lastName')} />
    </Field>
  </>
);
