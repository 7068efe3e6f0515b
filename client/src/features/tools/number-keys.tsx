import { type RefObject, useEffect } from 'react';
import { createStore } from '#client/lib/session/store.ts';
import { Button } from '#client/ui/elements.tsx';

const storageKey = 'adviserly-number-keys';
const enabled = createStore(true);

const read = () => {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
};

const choose = (on: boolean) => {
  enabled.set(on);
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is closed.
  }
};

/** What takes digits itself, or lies over the list. */
const busy = () =>
  document.activeElement?.matches('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;

/** The buttons that open the listed tools. */
const openers = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])];

const steps = (columns: number): Record<string, number> => ({
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
});

/** The button that an arrow leads to, from the one in focus. */
const neighbour = (all: HTMLElement[], key: string) => {
  const at = all.indexOf(document.activeElement as HTMLElement);
  const top = (element: HTMLElement) => element.getBoundingClientRect().top;
  const columns = all.filter((each) => Math.abs(top(each) - top(all[0]!)) < 8).length;
  const step = at === -1 ? undefined : steps(columns)[key];
  return step === undefined ? undefined : all[at + step];
};

/** The arrows go from one tool of this list to the next; 1 to 9 open them, unless somebody has turned that off. */
export const useToolKeys = (list: RefObject<HTMLElement | null>) => {
  const on = enabled.use();
  useEffect(() => enabled.set(read()), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || busy()) return;
      const all = openers(list.current);
      if (on && /^[1-9]$/.test(event.key)) return all[Number(event.key) - 1]?.click();
      const next = neighbour(all, event.key);
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [list, on]);
  return on;
};

/** "Keys 1 to 7". */
const range = (count: number) => ['1', '1 or 2'][count - 1] ?? `1 to ${Math.min(count, 9)}`;

/** Says what the number keys do, and turns them off: somebody may press one by mistake (WCAG 2.1.4). */
export const NumberKeys = ({ on, count }: { on: boolean; count: number }) => (
  <p className="flex items-center gap-2 text-xs text-muted max-sm:hidden">
    <span>
      {on ? `Number ${count === 1 ? 'key 1 opens' : `keys ${range(count)} open`} a tool.` : 'Number keys are off.'}
    </span>
    <Button
      variant="link"
      className="text-xs!"
      aria-label={`${on ? 'Turn off' : 'Turn on'} number keys`}
      onClick={() => choose(!on)}
    >
      {on ? 'Turn off' : 'Turn on'}
    </Button>
  </p>
);
