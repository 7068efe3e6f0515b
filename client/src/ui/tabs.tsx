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
  /** For tabs within a tab. */
  segmented?: boolean;
  className?: string;
  /** A TabPanel for each tab. */
  children: Parts;
};

/** Radix focuses a pressed tab by script, and for that the browser would draw the keyboard's focus ring. */
const focusUnseen = (event: MouseEvent<HTMLElement>) => event.currentTarget.focus({ focusVisible: false });

const scrollTo = (tab: HTMLElement | null) => {
  const list = tab?.parentElement;
  if (list) list.scrollLeft = tab.offsetLeft - list.clientWidth / 3;
};

/** The page controls it, and so can keep its tab in the address. On a narrow screen the list scrolls, with the open tab in sight. */
export const Tabs = <T extends string>(props: Props<T>) => {
  const { label, tabs, value, onValueChange, fill, segmented = false, className, children } = props;
  // Seven fit a phone of 390 pixels to a hair; narrower ones scroll.
  const isMany = tabs.length > 5;
  return (
    <Radix.Root value={value} onValueChange={(next) => onValueChange(next as T)} className={className}>
      <div className={segmented ? 'flex' : 'border-b'}>
        <Radix.List
          aria-label={label}
          className={clsx(
            'relative flex [scrollbar-width:none] overflow-x-auto overflow-y-hidden',
            segmented ? 'gap-1 rounded bg-border/60 p-1 dark:bg-surface-subtle' : '-mb-px sm:gap-x-1',
            !segmented && !isMany && 'max-[389px]:flex-wrap',
            !segmented && !fill && 'max-sm:mask-r-from-[calc(100%-1.25rem)] max-sm:pr-4',
            isMany && 'min-[390px]:mask-none! min-[390px]:pr-0!',
          )}
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              ref={tab.value === value ? scrollTo : undefined}
              value={tab.value}
              onMouseDown={focusUnseen}
              className={clsx(
                'flex min-w-11 shrink-0 items-center justify-center gap-2 text-sm font-medium text-muted transition-colors',
                'hover:text-text focus-visible:-outline-offset-2 active:opacity-80 max-sm:h-11 max-sm:text-xs [&_svg]:size-4 max-sm:[&_svg]:hidden',
                segmented
                  ? 'h-8 rounded-sm px-3 data-[state=active]:bg-surface data-[state=active]:text-text data-[state=active]:shadow-faint dark:data-[state=active]:bg-border'
                  : 'h-10 rounded-t-sm border-b-2 border-transparent px-1.5 data-[state=active]:border-primary data-[state=active]:text-primary sm:px-3',
                fill && 'flex-1',
                isMany && 'max-sm:px-1!',
              )}
            >
              {tab.icon}
              <Text>{tab.label}</Text>
            </Radix.Trigger>
          ))}
        </Radix.List>
      </div>
      {children}
    </Radix.Root>
  );
};

export const TabPanel = ({ className, ...rest }: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content {...rest} className={clsx('rounded-sm pt-6', className)} />
);
