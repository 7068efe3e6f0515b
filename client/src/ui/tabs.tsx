import * as Radix from '@radix-ui/react-tabs';
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export type Tab<T extends string = string> = { value: T; label: ReactNode; icon?: ReactNode };
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
  children: ReactNode;
};

/** On a narrow screen the list scrolls; the chosen tab must stay visible. `scrollIntoView` would also move where Tab begins. */
function keepInSight(tab: HTMLElement | null) {
  if (!tab?.parentElement) return;
  const list = tab.parentElement.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  tab.parentElement.scrollLeft += Math.min(0, left - list.left) + Math.max(0, right - list.right);
}

/** Controlled, so that a page can keep its tab in the address. */
export const Tabs = <T extends string>(props: Props<T>) => {
  const { label, tabs, value, onValueChange, fill, className, children } = props;
  return (
    <Radix.Root value={value} onValueChange={(next) => onValueChange(next as T)} className={className}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b px-0.5 [scrollbar-width:none]">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            ref={tab.value === value ? keepInSight : undefined}
            className={clsx(
              '-mb-px flex h-10 shrink-0 items-center justify-center gap-2 border-b-2 border-transparent px-3 text-sm font-medium',
              'rounded-t-sm text-muted transition-colors focus-visible:-outline-offset-2 hover:text-text [&_svg]:size-4',
              'data-[state=active]:border-primary data-[state=active]:text-primary',
              fill && 'flex-1',
            )}
          >
            {tab.icon}
            {tab.label}
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
