import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import type { Part } from '#client/ui/elements.tsx';

type Option<T extends string> = { value: T; label: ReactNode; help?: ReactNode; badge?: Part };
type Props<T extends string> = {
  legend: string;
  options: readonly Option<T>[];
  value: T | undefined;
  onChange: (value: T) => void;
  /** A frame around each choice, for a few important ones; `beside` each other where there is room. */
  framed?: boolean | 'beside';
  disabled?: boolean;
};

export const RadioGroup = <T extends string>(props: Props<T>) => {
  const { legend, options, value, onChange, framed = false, disabled } = props;
  const id = useId();
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div
        className={clsx(
          'grid',
          framed ? 'gap-2' : 'gap-0.5',
          framed === 'beside' && 'sm:auto-cols-fr sm:grid-flow-col',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              'flex min-w-0 cursor-pointer items-start gap-2.5 text-sm',
              framed
                ? 'rounded border bg-surface p-3 has-checked:border-primary has-checked:bg-primary-subtle'
                : 'py-1 max-sm:py-3',
            )}
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              aria-describedby={option.help ? `${id}-${option.value}` : undefined}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center justify-between gap-x-2">
                <span className={clsx('min-w-0 [overflow-wrap:anywhere]', framed && 'font-medium')}>
                  {option.label}
                </span>
                {option.badge}
              </span>
              {option.help && (
                <span id={`${id}-${option.value}`} className="figures block text-xs text-muted">
                  {option.help}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
