import * as Radix from '@radix-ui/react-dropdown-menu';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

type Props = { trigger: ReactNode; align?: 'start' | 'end'; children: ReactNode };

/** A menu of actions or links, within its landmark (no portal). `trigger` is one button. */
export const Menu = ({ trigger, align = 'end', children }: Props) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Content
      align={align}
      sideOffset={6}
      collisionPadding={8}
      className="z-30 min-w-48 animate-fade-in rounded border bg-surface p-1 shadow-popover focus:outline-none"
    >
      {children}
    </Radix.Content>
  </Radix.Root>
);

const itemStyle =
  'flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-sm text-text outline-none ' +
  'data-[highlighted]:bg-surface-subtle data-[disabled]:text-muted [&_svg]:size-4 [&_svg]:text-muted';

/** An action, or with `asChild` a link. */
export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Radix.Item>) => (
  <Radix.Item {...rest} className={clsx(itemStyle, className)} />
);

type RadioProps<T extends string> = {
  label: string;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
};

/** One of a few; the chosen one carries a tick. */
export const MenuRadio = <T extends string>({ label, options, value, onChange }: RadioProps<T>) => (
  <Radix.RadioGroup aria-label={label} value={value} onValueChange={(next) => onChange(next as T)}>
    {options.map((option) => (
      <Radix.RadioItem key={option.value} value={option.value} className={itemStyle}>
        {option.icon}
        <span className="flex-1">{option.label}</span>
        <Radix.ItemIndicator>
          <Check aria-hidden />
        </Radix.ItemIndicator>
      </Radix.RadioItem>
    ))}
  </Radix.RadioGroup>
);

export const MenuLabel = ({ className, ...rest }: ComponentProps<typeof Radix.Label>) => (
  <Radix.Label {...rest} className={clsx('px-2.5 py-1.5 text-sm', className)} />
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 border-t" />;
