import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Loading } from '#client/ui/skeleton.tsx';

type Props = {
  /** Read out by assistive technology. */
  caption: string;
  /** The rows fade while the next page loads. */
  stale?: boolean;
  head: ReactNode;
  children: ReactNode;
};

/** A dense table. On narrow screens its other columns hide (`max-md:hidden`) and the first cell repeats what they hold. */
export const Table = ({ caption, stale = false, head, children }: Props) => (
  <table
    aria-busy={stale || undefined}
    className={clsx('w-full border-collapse text-sm transition-opacity', stale && 'opacity-60')}
  >
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-y bg-surface-subtle text-left text-xs text-muted">{head}</tr>
    </thead>
    <tbody className="divide-y">{children}</tbody>
  </table>
);

const edges = 'first:pl-5 last:pr-5';

export const Head = ({ className, ...rest }: ComponentProps<'th'>) => (
  <th scope="col" {...rest} className={clsx('px-2 py-2 font-medium', edges, className)} />
);

export const Cell = ({ className, ...rest }: ComponentProps<'td'>) => (
  <td {...rest} className={clsx('px-2 py-2 align-middle', edges, className)} />
);

export const TableSkeleton = ({ label, rows = 8 }: { label: string; rows?: number }) => (
  <Loading label={label} className="space-y-2 px-5 pb-5" skeletons={['h-8', ...Array<string>(rows).fill('h-11')]} />
);
