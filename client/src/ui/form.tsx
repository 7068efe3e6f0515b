import { clsx } from 'clsx';
import { ChevronDown, Eye, EyeOff } from 'lucide-react';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useState,
} from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Alert, FormError } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';

type Wiring = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean;
};
const FieldContext = createContext<Wiring | null>(null);

/** The attributes a control inside a Field needs; outside one, the control must label itself. */
const useFieldWiring = () => {
  const wiring = useContext(FieldContext);
  if (!wiring) return {};
  const { required, ...attributes } = wiring;
  return { ...attributes, 'aria-required': required || undefined };
};

type FieldProps = {
  label: ReactNode;
  /** Below the control, and read out with it. */
  help?: ReactNode;
  /** Below the control; read out when it appears. */
  error?: string | undefined;
  /** Says "(optional)" after the label. */
  optional?: boolean | undefined;
  /** At the right of the label, such as "Forgot password?". */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/**
 * Label above, one control, help or error below, linked for assistive technology. The line below is always there: if an
 * error pushed the page down on blur, the button about to be clicked would move away.
 */
export const Field = ({ label, help, error, optional = false, aside, className, children }: FieldProps) => {
  const id = useId();
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside}
      </div>
      <FieldContext
        value={{ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined, required: !optional }}
      >
        {children}
      </FieldContext>
      <div className={clsx('min-h-4', help && 'pb-3')}>
        {help && (
          <div id={`${id}-help`} className={clsx('text-xs text-muted', error && 'sr-only')}>
            {help}
          </div>
        )}
        <FieldError id={`${id}-error`} error={error} />
      </div>
    </div>
  );
};

/** The live region is always present, so that text put into it is read out. */
export const FieldError = ({ id, error }: { id?: string; error: string | undefined }) => (
  <div aria-live="polite">
    {error && (
      <p id={id} className="text-xs font-medium text-danger">
        {error}
      </p>
    )}
  </div>
);

const controlStyle =
  'w-full min-w-0 rounded border border-control bg-surface px-3 text-base sm:text-sm text-text transition-colors ' +
  'focus-visible:outline-offset-0 aria-invalid:border-danger ' +
  'disabled:bg-surface-subtle disabled:text-muted [&[readonly]]:bg-surface-subtle [&[readonly]]:text-muted';

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...useFieldWiring()} {...rest} className={clsx('h-9', controlStyle, className)} />
);

/** Grows with its text where the browser supports it. */
export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    {...useFieldWiring()}
    {...rest}
    className={clsx('field-sizing-content min-h-24 resize-y py-2', controlStyle, className)}
  />
);

export const PasswordInput = ({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) => {
  const [shown, setShown] = useState(false);
  const label = shown ? 'Hide password' : 'Show password';
  return (
    <div className="relative">
      <Input {...rest} type={shown ? 'text' : 'password'} spellCheck={false} className={clsx('pr-10', className)} />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded text-muted hover:text-text"
      >
        {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
      </button>
    </div>
  );
};

type SelectProps = ComponentProps<'select'> & {
  options: readonly (string | { value: string; label: string })[];
  /** The empty first option, such as "Choose a state". */
  placeholder?: string | undefined;
};

/** A native select: the best list on phones and with assistive technology. */
export const Select = ({ options, placeholder, className, ...rest }: SelectProps) => (
  <div className="relative">
    <select {...useFieldWiring()} {...rest} className={clsx('h-9 appearance-none pr-9', controlStyle, className)}>
      {placeholder && <option value="">{placeholder}</option>}
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </select>
    <ChevronDown aria-hidden className="pointer-events-none absolute top-2.5 right-3 size-4 text-muted" />
  </div>
);

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
const bound =
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
export const PasswordField = bound(PasswordInput);

type FormProps = ComponentProps<'form'> & {
  /** From `useApiForm`. */
  form: {
    onSubmit: (event: React.SyntheticEvent) => void;
    formError: string | undefined;
    pending: boolean;
    restored: boolean;
    startOver: () => void;
  };
  /** Names the form for assistive technology. */
  label: string;
  errorTitle?: string;
  errorAction?: ReactNode;
};

/** A form; above its fields, what is wrong with it as a whole. While it is being sent, the dialog around it cannot be closed. */
export const Form = ({ form, label, errorTitle, errorAction, children, ...rest }: FormProps) => {
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
