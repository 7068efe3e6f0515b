import type { ComponentProps, ReactNode } from 'react';
import { Alert, FormError } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { useDialogLock } from '#client/ui/dialog-lock.ts';

type Kept = { restored: boolean; startOver: () => void };
type Props = ComponentProps<'form'> & {
  /** From `useApiForm`. */
  form: { onSubmit: (event: React.SyntheticEvent) => void; formError: string | undefined; pending: boolean } & Kept;
  /** Names the form for assistive technology. */
  label: string;
  errorTitle?: string;
  errorAction?: ReactNode;
};

/** A form; above its fields, what is wrong with it as a whole. While it is being sent, the dialog around it cannot be closed. */
export const Form = ({ form, label, errorTitle, errorAction, children, ...rest }: Props) => {
  useDialogLock(form.pending);
  return (
    <form noValidate aria-label={label} onSubmit={form.onSubmit} {...rest}>
      <FormError title={errorTitle} action={errorAction}>
        {form.formError}
      </FormError>
      {form.restored && (
        <Alert
          announce
          className="mb-4"
          action={
            <Button variant="link" onClick={form.startOver}>
              Start over
            </Button>
          }
        >
          We kept what you had typed.
        </Alert>
      )}
      {children}
    </form>
  );
};
