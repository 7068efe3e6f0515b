import type { ComponentProps, ComponentType } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Alert, Button, FormError, type Part, type Parts } from '#client/ui/elements.tsx';
import { Field, type FieldProps, Input, Textarea } from '#client/ui/field.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';

/** `form` is from `useApiForm`. */
type BoundProps<Name extends string> = Omit<FieldProps, 'error' | 'children'> & {
  form: {
    register(name: Name, options?: object): UseFormRegisterReturn;
    errorOf: (name: Name) => string | undefined;
  };
  name: Name;
  /** How the form reads what was typed. */
  registering?: { valueAsNumber: true } | { setValueAs: (typed: string) => unknown };
};

/** A control in its Field, bound to a form's value of that name. */
export const bound =
  <P extends object>(Control: ComponentType<P>) =>
  <Name extends string>(props: BoundProps<Name> & Omit<P, 'form' | 'name' | 'className'>) => {
    const { form, name, registering, label, help, optional, aside, className, ...control } = props;
    const field = { label, help, optional, aside, className };
    return (
      <Field {...field} error={form.errorOf(name)}>
        <Control {...(control as unknown as P)} {...form.register(name, registering)} />
      </Field>
    );
  };

export const TextField = bound(Input);
export const LongTextField = bound(Textarea);

type FormProps = Omit<ComponentProps<'form'>, 'children'> & {
  /** From `useApiForm` or `useKeptForm`. */
  form: {
    onSubmit: (event: React.SyntheticEvent) => void;
    formError: string | undefined;
    pending: boolean;
    restored?: boolean;
    startOver?: () => void;
  };
  /** Names the form for assistive technology. */
  label: string;
  errorTitle?: string;
  errorAction?: Part;
  children: Parts;
};

/** A form; above its fields, what is wrong with it as a whole. While it is being sent, the dialog around it cannot be closed. */
export const Form = ({ form, label, errorTitle, errorAction, children, ...rest }: FormProps) => {
  useDialogLock(form.pending);
  return (
    <form noValidate aria-label={label} onSubmit={form.onSubmit} {...rest}>
      <FormError title={errorTitle} action={errorAction} className="mb-4">
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
          We saved your draft.
        </Alert>
      )}
      {children}
    </form>
  );
};

type FooterProps = Omit<ComponentProps<typeof Button>, 'type' | 'pending' | 'form'> & {
  form: { pending: boolean; settle?: () => void };
  pendingLabel: string;
  /** Without it, the form is part of a page. */
  onCancel?: (() => void) | undefined;
  cancelLabel?: string;
};

/** The end of a form, mostly in a dialog: Cancel, disabled while the form is being sent, which keeps no draft, and the button that sends it. */
export const FormFooter = ({ form, onCancel, cancelLabel = 'Cancel', ...submit }: FooterProps) => {
  const cancel = () => {
    form.settle?.();
    onCancel?.();
  };
  return (
    <DialogFooter>
      {onCancel && (
        <Button variant="secondary" disabled={form.pending} onClick={cancel}>
          {cancelLabel}
        </Button>
      )}
      <Button {...submit} type="submit" pending={form.pending} />
    </DialogFooter>
  );
};
