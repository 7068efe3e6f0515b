import * as Radix from '@radix-ui/react-dropdown-menu';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** A menu of actions or links, open from the start. No portal, so it stays in its landmark. `trigger` is one button. */
export const Menu = ({ trigger, children }: { trigger: ReactNode; children: ReactNode }) => (
  <Radix.Root modal={false} defaultOpen>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Content
      align="end"
      sideOffset={6}
      collisionPadding={8}
      className="z-30 min-w-48 animate-fade-in rounded border bg-surface p-1 shadow-popover focus:outline-none"
    >
      {children}
    </Radix.Content>
  </Radix.Root>
);

const itemStyle =
  'flex min-h-8 max-sm:min-h-11 items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-sm text-text outline-none ' +
  'data-[highlighted]:bg-surface-subtle data-[disabled]:text-muted [&_svg]:size-4 [&_svg]:text-muted';

/** An action, or with `asChild` a link. */
export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Radix.Item>) => (
  <Radix.Item {...rest} className={clsx(itemStyle, className)} />
);

/** One choice of several, after which the menu stays open. */
export const MenuChoice = <T extends string>(props: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string; icon: ReactNode }[];
}) => (
  <Radix.RadioGroup aria-label={props.label} value={props.value}>
    {props.options.map(({ value, label, icon }) => (
      <Radix.RadioItem
        key={value}
        value={value}
        className={clsx(itemStyle, 'data-[state=checked]:text-primary data-[state=checked]:[&_svg]:text-primary')}
        onSelect={(event) => {
          event.preventDefault();
          props.onChange(value);
        }}
      >
        {icon}
        {label}
        <Radix.ItemIndicator className="ml-auto">
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
