import * as Radix from '@radix-ui/react-dropdown-menu';
import { clsx } from 'clsx';
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
  'flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-sm text-text outline-none ' +
  'data-[highlighted]:bg-surface-subtle data-[disabled]:text-muted [&_svg]:size-4 [&_svg]:text-muted';

/** An action, or with `asChild` a link. */
export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Radix.Item>) => (
  <Radix.Item {...rest} className={clsx(itemStyle, className)} />
);

export const MenuLabel = ({ className, ...rest }: ComponentProps<typeof Radix.Label>) => (
  <Radix.Label {...rest} className={clsx('px-2.5 py-1.5 text-sm', className)} />
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 border-t" />;
