import { useSearchParams } from 'wouter';
import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useLayoutEffect, useState } from 'react';
import { ChevronLeft, ChevronRight, Search, SearchX, X } from 'lucide-react';
import { EmptyState, Loading } from '#client/ui/query-view.tsx';
import { Button, Text } from '#client/ui/elements.tsx';
import { Input } from '#client/ui/field.tsx';

/**
 * Page, search and filters of a list live in the address, so that a reload or a shared link shows the same. A new
 * search or filter starts at page one.
 */
export const useListAddress = () => {
  const [params, setParams] = useSearchParams();
  const page = Number(params.get('page'));
  const change = (values: Record<string, string>, replace: boolean) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old);
        changed.delete('page');
        for (const [name, value] of Object.entries(values)) {
          if (value === '') changed.delete(name);
          else changed.set(name, value);
        }
        return changed;
      },
      { replace },
    );
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    get: (name: string) => params.get(name) ?? '',
    openPage: (next: number) => change({ page: next === 1 ? '' : String(next) }, false),
    /** `replace` while somebody types, so that the history gets one entry. */
    set: (values: Record<string, string>, replace = false) => change(values, replace),
  };
};

const edges = 'first:pl-5 last:pr-5';

type TableProps = {
  /** Read out by assistive technology. */
  caption: string;
  /** The rows fade while the next page loads. */
  stale: boolean;
  columns: readonly (readonly [name: string, className?: string])[];
  children: ReactNode;
};

/**
 * A dense table. On narrow screens its other columns hide (`max-md:hidden`) and the first cell repeats what they hold. Where one is left,
 * its heading is for assistive technology alone.
 */
export const Table = ({ caption, stale, columns, children }: TableProps) => (
  <table
    aria-busy={stale || undefined}
    className={clsx('w-full border-collapse text-sm transition-opacity max-md:border-t', stale && 'opacity-60')}
  >
    <caption className="sr-only">{caption}</caption>
    <thead
      className={clsx(
        columns.filter(([, classes]) => !/max-md:hidden|sr-only/.test(classes ?? '')).length === 1 && 'max-md:sr-only',
      )}
    >
      <tr className="border-y bg-surface-subtle text-left text-xs text-muted">
        {columns.map(([name, className]) => (
          <th key={name} scope="col" className={clsx('px-2 py-2 font-medium', edges, className)}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="divide-y">{children}</tbody>
  </table>
);

export const Cell = ({ className, ...rest }: ComponentProps<'td'>) => (
  <td {...rest} className={clsx('px-2 py-2 align-middle max-md:py-3', edges, className)} />
);

export const TableSkeleton = ({ label, rows = 8 }: { label: string; rows?: number }) => (
  <Loading label={label} className="space-y-2 px-5 pb-5" skeletons={['h-8', ...Array<string>(rows).fill('h-11')]} />
);

/** Facts that few readers want, below the one they do. */
export const Folded = ({ summary, lines }: { summary: string; lines: readonly string[] }) => {
  const shown = lines.filter(Boolean);
  if (shown.length === 0) return summary && <p className="figures mt-1 text-xs text-muted">{summary}</p>;
  return (
    <details className="figures mt-1 text-xs text-muted">
      <summary className="max-sm:py-1">
        {summary && <span className="font-normal text-muted">{summary} · </span>}
        <Text>Details</Text>
      </summary>
      <ul className="mt-1 space-y-0.5 [overflow-wrap:anywhere]">
        {shown.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </details>
  );
};

type PagerProps = {
  /** Names the list for assistive technology, such as "users". */
  label: string;
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
  className?: string;
};

export const Pager = ({ label, page, totalPages, onPage, className = 'border-t px-5 py-3' }: PagerProps) =>
  (totalPages > 1 || page > 1) && (
    <nav aria-label={`Pages of ${label}`} className={clsx('flex items-center justify-between gap-3', className)}>
      <Button
        variant="secondary"
        size="sm"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, Math.max(1, totalPages)))}
      >
        <ChevronLeft aria-hidden />
        Previous
      </Button>
      <p className="figures text-sm text-muted" aria-live="polite">
        <Text>
          Page {page.toLocaleString('en-AU')}
          {page <= totalPages && ` of ${totalPages.toLocaleString('en-AU')}`}
        </Text>
      </p>
      <Button variant="secondary" size="sm" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );

/** For a list whose page is in the address. */
export const PagerInAddress = (props: Pick<PagerProps, 'label' | 'totalPages'>) => {
  const { page, openPage } = useListAddress();
  return <Pager {...props} page={page} onPage={openPage} />;
};

/** It stands on a page that has since emptied, or never existed. */
export const PastLastPage = ({ icon, totalPages = 1 }: { icon: ReactNode; totalPages: number | undefined }) => {
  const { openPage } = useListAddress();
  return (
    <EmptyState
      icon={icon}
      title="Nothing on this page"
      action={
        <Button variant="secondary" onClick={() => openPage(Math.max(1, totalPages))}>
          Go to the last page
        </Button>
      }
    />
  );
};

const delayMs = 250;

/** Searches 250 ms after the last keystroke, or at once on Enter. Follows the address when Back is pressed. */
export const SearchBox = ({
  label = 'Search by name or email',
  placeholder = label,
}: {
  label?: string;
  placeholder?: string;
}) => {
  const { get, set } = useListAddress();
  const value = get('search');
  // Further letters of a search replace its entry in the history.
  const onSearch = (search: string) => set({ search }, value !== '' && search !== '');
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    if (value !== text.trim()) setText(value);
  }
  // A layout effect is cleaned up when the page is left; others live on, hidden, until the next page's code arrives.
  useLayoutEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), delayMs);
    return () => clearTimeout(timer);
  });
  return (
    <search className="relative w-full sm:w-72">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
        <Input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="px-9"
        />
        {text !== '' && (
          <button
            type="button"
            aria-label="Clear search"
            title="Clear search"
            onClick={() => {
              setText('');
              onSearch('');
            }}
            className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded text-muted hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </form>
    </search>
  );
};

export const NothingFound = ({ title, description }: { title: string; description: string }) => {
  const { set } = useListAddress();
  return (
    <EmptyState
      icon={<SearchX />}
      title={title}
      description={description}
      action={
        <Button variant="secondary" onClick={() => set({ search: '' })}>
          Clear Search
        </Button>
      }
    />
  );
};
