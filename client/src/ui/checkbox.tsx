import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type Props = Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & { label: ReactNode };

export const Checkbox = ({ label, ...rest }: Props) => (
  <label className="flex items-start gap-2.5 py-1 text-sm">
    <input {...rest} type="checkbox" className="mt-0.5 size-4 shrink-0 rounded-sm" />
    <span className="min-w-0">{label}</span>
  </label>
);

/** Takes effect at once; a checkbox waits for its form. */
export const Switch = ({ label, ...rest }: Props) => (
  <label className={clsx('inline-flex items-center gap-2 text-xs', rest.disabled && 'opacity-60')}>
    <input
      {...rest}
      type="checkbox"
      role="switch"
      aria-checked={rest.checked}
      className={clsx(
        'relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-control transition-colors',
        'before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-surface before:transition-transform',
        'checked:bg-primary checked:before:translate-x-4 disabled:cursor-default',
      )}
    />
    {label}
  </label>
);
