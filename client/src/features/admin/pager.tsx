import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useListAddress } from '#client/features/admin/list-address.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';

type Props = {
  /** Names the list for assistive technology, such as "users". */
  label: string;
  totalPages: number;
};

export const Pager = ({ label, totalPages }: Props) => {
  const { page, openPage } = useListAddress();
  if (totalPages <= 1 && page === 1) return null;
  const last = page >= totalPages;
  return (
    <nav aria-label={`Pages of ${label}`} className="flex items-center justify-between gap-3 border-t px-5 py-3">
      <Button
        variant="secondary"
        size="sm"
        disabled={page <= 1}
        onClick={() => openPage(Math.min(page - 1, Math.max(1, totalPages)))}
      >
        <ChevronLeft aria-hidden />
        Previous
      </Button>
      <p className="figures text-sm text-muted" aria-live="polite">
        Page {page.toLocaleString('en-AU')}
        {page <= totalPages && ` of ${totalPages.toLocaleString('en-AU')}`}
      </p>
      <Button variant="secondary" size="sm" disabled={last} onClick={() => openPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
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
