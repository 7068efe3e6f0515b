import { clsx } from 'clsx';
import { createContext, type KeyboardEvent, type ReactNode, use, useId } from 'react';
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

const Open = createContext({ id: '', value: '' });

const idOf = (part: 'tab' | 'panel', id: string, value: string) => `${id}-${part}-${value}`;

/** Which tab a key leads to, by the ARIA Authoring Practices: the last one's neighbour is the first. */
const destinations: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * The page controls it, and so can keep its tab in the address. On a narrow screen the list wraps: every tab stays in sight. They are
 * no library's: Radix's would be 8 kB of the 120 that /auth may load.
 */
export const Tabs = <T extends string>(props: Props<T>) => {
  const { label, tabs, value, onValueChange, fill, className, children } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[destinations[event.key]?.(at, tabs.length) ?? -1];
    if (!next || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    document.getElementById(idOf('tab', id, next.value))?.focus();
    onValueChange(next.value);
  };
  return (
    <Open value={{ id, value }}>
      <div className={className}>
        <div role="tablist" aria-label={label} className="flex flex-wrap border-b sm:gap-x-1">
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={idOf('tab', id, tab.value)}
              aria-selected={tab.value === value}
              aria-controls={idOf('panel', id, tab.value)}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onValueChange(tab.value)}
              onKeyDown={onKeyDown}
              className={clsx(
                '-mb-px flex h-10 shrink-0 items-center justify-center gap-2 border-b-2 border-transparent px-2 text-sm font-medium sm:px-3',
                'rounded-t-sm text-muted transition-colors focus-visible:-outline-offset-2 hover:text-text max-sm:text-xs [&_svg]:size-4 max-sm:[&_svg]:hidden',
                'aria-selected:border-primary aria-selected:text-primary',
                fill && 'flex-1',
              )}
            >
              {tab.icon}
              <Text>{tab.label}</Text>
            </button>
          ))}
        </div>
        {children}
      </div>
    </Open>
  );
};

type PanelProps = {
  value: string;
  /** Keeps what it shows mounted while its tab is closed. */
  keep?: boolean;
  className?: string;
  children: ReactNode;
};

/** While its tab is closed it is empty, but there: the tab names it. */
export const TabPanel = ({ value, keep = false, className, children }: PanelProps) => {
  const open = use(Open);
  const shown = open.value === value;
  return (
    <div
      role="tabpanel"
      id={idOf('panel', open.id, value)}
      aria-labelledby={idOf('tab', open.id, value)}
      hidden={!shown}
      className={shown ? clsx('rounded-sm pt-6', className) : undefined}
      tabIndex={0}
    >
      {(shown || keep) && children}
    </div>
  );
};
