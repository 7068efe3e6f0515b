import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#client/ui/button.tsx';

type Props = {
  /** Names the pages for assistive technology, such as "Users". */
  label: string;
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
};

const figure = (value: number) => value.toLocaleString('en-AU');

/** Previous and Next (B §2), with where one is. */
export const Pager = ({ label, page, totalPages, onPage }: Props) => {
  if (totalPages <= 1 && page === 1) return null;
  const last = page >= totalPages;
  return (
    <nav aria-label={`Pages of ${label}`} className="flex items-center justify-between gap-3 border-t px-5 py-3">
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
        Page {figure(page)}
        {page <= totalPages && ` of ${figure(totalPages)}`}
      </p>
      <Button variant="secondary" size="sm" disabled={last} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
};
