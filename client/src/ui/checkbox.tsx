import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Text } from '#client/ui/elements.tsx';
import { FieldError } from '#client/ui/field.tsx';

type Props = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & { label: ReactNode };

export const Checkbox = ({ label, ...rest }: Props) => (
  <label className="flex items-start gap-2.5 py-1 text-sm max-sm:min-h-11 max-sm:min-w-11 max-sm:py-3">
    <input {...rest} type="checkbox" className="mt-0.5 size-4 shrink-0 rounded-sm" />
    <span className="min-w-0">{label}</span>
  </label>
);

/** Takes effect at once; a checkbox waits for its form. */
export const Switch = ({ label, ...rest }: Props) => (
  <label className={clsx('inline-flex items-center gap-2.5 text-sm max-sm:min-h-11', rest.disabled && 'opacity-60')}>
    <input
      {...rest}
      type="checkbox"
      role="switch"
      aria-checked={rest.checked}
      className={clsx(
        'relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border border-control bg-control transition-colors',
        'before:absolute before:top-px before:left-px before:size-4 before:rounded-full before:bg-surface before:transition-transform',
        'checked:border-primary checked:bg-primary checked:before:translate-x-4 disabled:cursor-default',
      )}
    />
    <Text>{label}</Text>
  </label>
);

type GroupProps<T extends string> = {
  legend: ReactNode;
  options: readonly T[];
  value: readonly T[];
  onChange: (value: T[]) => void;
  error?: string | undefined;
  optional?: boolean;
  className?: string;
};

/** Checkboxes for several of a list, each in a chip. */
export const CheckboxGroup = <T extends string>(props: GroupProps<T>) => {
  const { legend, options, value, onChange, error, optional, className } = props;
  const id = useId();
  const toggle = (option: T, on: boolean) =>
    onChange(options.filter((other) => (other === option ? on : value.includes(other))));
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className={clsx('min-w-0', className)}>
      <legend className="text-sm font-medium">
        <Text>{legend}</Text>
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option}
            className="flex h-8 items-center gap-2 rounded-full border border-control px-3 text-sm max-sm:h-11 has-checked:border-primary has-checked:bg-primary-subtle has-checked:text-primary"
          >
            <input
              type="checkbox"
              className="size-4 shrink-0 rounded-sm"
              checked={value.includes(option)}
              onChange={(event) => toggle(option, event.target.checked)}
            />
            {option}
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
};
