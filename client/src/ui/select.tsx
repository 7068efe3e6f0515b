import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useFieldWiring } from '#client/ui/field.tsx';
import { controlStyle } from '#client/ui/input.tsx';

type Option = string | { value: string; label: string };
type Props = ComponentProps<'select'> & {
  options: readonly Option[];
  /** The empty first option, such as "Choose a state". */
  placeholder?: string;
};

/** A native select: the best list on phones and with assistive technology. */
export const Select = ({ options, placeholder, className, ...rest }: Props) => (
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
