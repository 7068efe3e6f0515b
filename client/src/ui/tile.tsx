import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { AppLink, Card } from '#client/ui/elements.tsx';
import { Skeleton } from '#client/ui/query-view.tsx';

type Props = {
  label: ReactNode;
  value: ReactNode;
  /** A unit or remark below the figure. */
  note?: ReactNode;
  icon?: ReactNode;
  /** What the figure counts; the whole tile leads there. */
  href?: string;
  loading?: boolean;
};

export const Tile = ({ label, value, note, icon, href, loading = false }: Props) => (
  <Card
    className={clsx('flex items-start justify-between gap-3 p-4 sm:p-5', href && 'relative hover:bg-surface-subtle')}
  >
    <div className="min-w-0">
      <p className="text-sm text-muted">
        {href ? (
          <AppLink href={href} className="rounded-sm after:absolute after:inset-0">
            {label}
          </AppLink>
        ) : (
          label
        )}
      </p>
      {loading ? (
        <Skeleton className="mt-1 h-8 w-16" />
      ) : (
        <p className="figures mt-1 text-xl font-semibold tracking-tight">{value}</p>
      )}
      {note && <p className="mt-0.5 text-xs text-muted">{note}</p>}
    </div>
    {icon && (
      <span aria-hidden className="rounded bg-primary-subtle p-2 text-primary max-sm:hidden [&_svg]:size-5">
        {icon}
      </span>
    )}
  </Card>
);
