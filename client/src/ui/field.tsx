import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ClipboardEvent, type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { type Part, Text } from '#client/ui/elements.tsx';

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

export type FieldProps = {
  label: ReactNode;
  /** Below the control, and read out with it. */
  help?: ReactNode;
  /** Below the control; read out when it appears. */
  error?: string | undefined;
  /** Says "(optional)" after the label. */
  optional?: boolean | undefined;
  /** Off for a filter, which may stay empty without saying so. */
  required?: boolean;
  /** At the right of the label, such as "Forgot password?". */
  aside?: Part;
  className?: string | undefined;
  children: ReactNode;
};

/**
 * Label above, one control, help or error below, linked for assistive technology. The line below is always there: if an
 * error pushed the page down on blur, the button about to be clicked would move away.
 */
export const Field = (props: FieldProps) => {
  const { label, help, error, optional = false, required = !optional, aside, className, children } = props;
  const id = useId();
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          <Text>{label}</Text>
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside}
      </div>
      <FieldContext value={{ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined, required }}>
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

/** Where a field takes so many characters, blanks and invisible ones around what is pasted go before the browser cuts it. */
const pasteWhole = (event: ClipboardEvent<HTMLInputElement>) => {
  const { currentTarget: input, clipboardData } = event;
  const { maxLength, value, selectionStart: start, selectionEnd: end } = input;
  if (maxLength < 0 || start === null || end === null) return;
  event.preventDefault();
  const pasted = clipboardData.getData('text').replace(/^[\p{Z}\p{C}]+|[\p{Z}\p{C}]+$/gu, '');
  input.setRangeText(pasted.slice(0, Math.max(0, maxLength - value.length + end - start)), start, end, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
};

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input
    onPaste={pasteWhole}
    {...useFieldWiring()}
    {...rest}
    className={clsx('h-9 max-sm:h-11', controlStyle, className)}
  />
);

/** Grows with its text where the browser supports it. */
export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    {...useFieldWiring()}
    {...rest}
    className={clsx('field-sizing-content min-h-24 resize-y py-2', controlStyle, className)}
  />
);

type SelectProps = ComponentProps<'select'> & {
  options: readonly (string | { value: string; label: string })[];
  /** The empty first option, such as "Choose a state". */
  placeholder?: string | undefined;
};

/** A native select: the best list on phones and with assistive technology. */
export const Select = ({ options, placeholder, className, ...rest }: SelectProps) => (
  <div className="relative">
    <select
      {...useFieldWiring()}
      {...rest}
      className={clsx('h-9 appearance-none pr-9 max-sm:h-11', controlStyle, className)}
    >
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
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-2.5 right-3 size-4 max-sm:top-3.5 text-muted"
    />
  </div>
);
