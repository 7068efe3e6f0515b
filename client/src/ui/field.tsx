import { clsx } from 'clsx';
import { createContext, type ReactNode, useContext, useId } from 'react';

type Wiring = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean;
};
const FieldContext = createContext<Wiring | null>(null);

/** The attributes a control inside a Field needs; outside one, the control must label itself. */
export const useFieldWiring = () => {
  const wiring = useContext(FieldContext);
  if (!wiring) return {};
  const { required, ...attributes } = wiring;
  return { ...attributes, 'aria-required': required || undefined };
};

type Props = {
  label: ReactNode;
  /** Below the control, and read out with it. */
  help?: ReactNode;
  /** Below the control; read out when it appears. */
  error?: string | undefined;
  /** Says "(optional)" after the label. */
  optional?: boolean;
  /** At the right of the label, such as "Forgot password?". */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/**
 * Label above, one control, help or error below, linked for assistive technology. The line below is always there: if an
 * error pushed the page down on blur, the button about to be clicked would move away.
 */
export const Field = ({ label, help, error, optional = false, aside, className, children }: Props) => {
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
