import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

type Props = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; help?: ReactNode };

export const Checkbox = ({ label, help, className, ...rest }: Props) => {
  const id = useId();
  return (
    <label className={clsx('flex items-start gap-2.5 py-1 text-sm', className)}>
      <input
        aria-describedby={help ? `${id}-help` : undefined}
        {...rest}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 rounded-sm"
      />
      <span className="min-w-0">
        {label}
        {help && (
          <span id={`${id}-help`} className="block text-xs text-muted">
            {help}
          </span>
        )}
      </span>
    </label>
  );
};
