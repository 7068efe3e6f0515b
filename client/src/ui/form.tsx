import type { ComponentProps, ReactNode } from 'react';
import { FormError } from '#client/ui/alert.tsx';
import { useDialogLock } from '#client/ui/dialog-lock.ts';

type Props = ComponentProps<'form'> & {
  /** From `useApiForm`. */
  form: { onSubmit: (event: React.SyntheticEvent) => void; formError: string | undefined; pending: boolean };
  /** Names the form for assistive technology. */
  label: string;
  errorTitle?: string;
  errorAction?: ReactNode;
};

/** A form, above its fields what is wrong with it as a whole. While it is sent, the dialog around it cannot be closed. */
export const Form = ({ form, label, errorTitle, errorAction, children, ...rest }: Props) => {
  useDialogLock(form.pending);
  return (
    <form noValidate aria-label={label} onSubmit={form.onSubmit} {...rest}>
      <FormError title={errorTitle} action={errorAction}>
        {form.formError}
      </FormError>
      {children}
    </form>
  );
};
