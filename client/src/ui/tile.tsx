import type { ReactNode } from 'react';
import { Card } from '#client/ui/elements.tsx';
import { Skeleton } from '#client/ui/query-view.tsx';

type Props = {
  label: ReactNode;
  value: ReactNode;
  /** A unit or remark below the figure. */
  note?: ReactNode;
  icon?: ReactNode;
  loading?: boolean;
};

export const Tile = ({ label, value, note, icon, loading = false }: Props) => (
  <Card className="flex items-start justify-between gap-3 p-4 sm:p-5">
    <div className="min-w-0">
      <p className="text-sm text-muted">{label}</p>
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
