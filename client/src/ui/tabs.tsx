import { clsx } from 'clsx';
import { type ComponentProps, createContext, type KeyboardEvent, type ReactNode, use, useId } from 'react';

export type Tab<T extends string = string> = { value: T; label: ReactNode; icon?: ReactNode };
type Props<T extends string> = {
  /** Names the list for assistive technology. */
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValueChange: (value: T) => void;
  /** `fill` spreads the tabs over the width. */
  fill?: boolean;
  className?: string;
  /** A TabPanel for each tab. */
  children: ReactNode;
};

const OpenTab = createContext({ id: '', value: '' });

/** Where a key leads in the list, round its ends. */
const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/**
 * Controlled, so that the page can keep its tab in the URL. The keyboard as WAI-ARIA has it: one stop for the Tab key,
 * arrows, Home and End. Our own, because Radix's costs /auth 9 kB.
 */
export const Tabs = <T extends string>(props: Props<T>) => {
  const { label, tabs, value, onValueChange, fill, className, children } = props;
  const id = useId();
  const open = (next: T) => next !== value && onValueChange(next);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const target = moves[event.key]?.(at, tabs.length);
    // Alt with an arrow is the browser's Back and Forward.
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    document.getElementById(`${id}-tab-${tabs[target]!.value}`)?.focus();
    open(tabs[target]!.value);
  };
  return (
    <div className={className}>
      <div
        role="tablist"
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b px-0.5 [scrollbar-width:none]"
      >
        {tabs.map((tab) => {
          const selected = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              aria-selected={selected}
              aria-controls={selected ? `${id}-panel` : undefined}
              tabIndex={selected ? 0 : -1}
              onClick={() => open(tab.value)}
              onKeyDown={onKeyDown}
              className={clsx(
                '-mb-px flex h-10 shrink-0 items-center justify-center gap-2 border-b-2 border-transparent px-3 text-sm font-medium',
                'rounded-t-sm text-muted transition-colors focus-visible:-outline-offset-2 hover:text-text [&_svg]:size-4',
                'aria-selected:border-primary aria-selected:text-primary',
                fill && 'flex-1',
              )}
            >
              {tab.icon}
              {tab.label}
            </button>
          );
        })}
      </div>
      <OpenTab value={{ id, value }}>{children}</OpenTab>
    </div>
  );
};

/** Only the open one is there. */
export const TabPanel = ({ value, className, ...rest }: ComponentProps<'div'> & { value: string }) => {
  const open = use(OpenTab);
  if (value !== open.value) return null;
  return (
    <div
      {...rest}
      role="tabpanel"
      id={`${open.id}-panel`}
      aria-labelledby={`${open.id}-tab-${value}`}
      tabIndex={0}
      className={clsx('rounded-sm pt-6', className)}
    />
  );
};
