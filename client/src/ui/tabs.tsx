import * as Radix from '@radix-ui/react-tabs';
import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { type Part, type Parts, Text } from '#client/ui/elements.tsx';

export type Tab<T extends string = string> = { value: T; label: ReactNode; icon?: Part };
type Props<T extends string> = {
  /** Names the list for assistive technology. */
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValueChange: (value: T) => void;
  /** Spreads the tabs over the full width. */
  fill?: boolean;
  className?: string;
  /** A TabPanel for each tab. */
  children: Parts;
};

/** Radix focuses a pressed tab by script, and for that the browser would draw the keyboard's focus ring. */
const focusUnseen = (event: MouseEvent<HTMLElement>) => event.currentTarget.focus({ focusVisible: false });

/** The page controls it, and so can keep its tab in the address. On a narrow screen the list wraps: every tab stays in sight. */
export const Tabs = <T extends string>(props: Props<T>) => {
  const { label, tabs, value, onValueChange, fill, className, children } = props;
  return (
    <Radix.Root value={value} onValueChange={(next) => onValueChange(next as T)} className={className}>
      <Radix.List aria-label={label} className="flex flex-wrap border-b sm:gap-x-1">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            onMouseDown={focusUnseen}
            className={clsx(
              '-mb-px flex h-10 min-w-11 shrink-0 items-center justify-center gap-2 border-b-2 border-transparent px-2 text-sm font-medium sm:px-3',
              'rounded-t-sm text-muted transition-colors focus-visible:-outline-offset-2 hover:text-text active:opacity-80 max-sm:h-11 max-sm:text-xs [&_svg]:size-4 max-sm:[&_svg]:hidden',
              'data-[state=active]:border-primary data-[state=active]:text-primary',
              fill && 'flex-1',
            )}
          >
            {tab.icon}
            <Text>{tab.label}</Text>
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
};

export const TabPanel = ({ className, ...rest }: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content {...rest} className={clsx('rounded-sm pt-6', className)} />
);
