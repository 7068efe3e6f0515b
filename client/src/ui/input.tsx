import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { useFieldWiring } from '#client/ui/field.tsx';

export const controlStyle =
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
