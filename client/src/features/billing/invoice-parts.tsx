import { formatSydneyDate } from '#shared/rules/dates.ts';
import { FileDown } from 'lucide-react';
import type { Invoice } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { Badge, ButtonLink, type Tone } from '#client/ui/elements.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import type { Payer } from '#client/lib/money/payer.tsx';

const labels: Record<Invoice['status'], readonly [Tone, string]> = {
  paid: ['success', 'Paid'],
  open: ['warning', 'Amount due'],
  void: ['neutral', 'Cancelled'],
  uncollectible: ['danger', 'Written off'],
  refunded: ['info', 'Refunded'],
  issued: ['neutral', 'Adjustment note'],
};

export const InvoiceStatus = ({ status }: { status: Invoice['status'] }) => {
  const [tone, label] = labels[status];
  return <Badge tone={tone}>{label}</Badge>;
};

/** Negative for an adjustment note. */
export const amountOf = ({ kind, amount }: Invoice) => formatCents(kind === 'adjustment_note' ? -amount : amount);

export const InvoiceDate = ({ date: at }: Pick<Invoice, 'date'>) => (
  <time dateTime={at.toISOString()} className="whitespace-nowrap">
    {formatSydneyDate(at)}
  </time>
);

export const DownloadPdf = ({ invoice }: { invoice: Invoice }) => {
  const what = invoice.kind === 'adjustment_note' ? 'adjustment note' : 'tax invoice';
  return (
    <ButtonLink
      href={invoice.invoiceUrl}
      download
      variant="ghost"
      size="sm"
      className="screen-only"
      aria-label={`Download ${what} ${invoice.number ?? invoice.description} as PDF`}
    >
      <FileDown aria-hidden />
      PDF
    </ButtonLink>
  );
};

type Shown = Payer & { page?: number; path?: string; year?: number | undefined };

export const invoicesPath = ({ teamId, page = 1, path = paths.invoices, year }: Shown) => {
  const search = new URLSearchParams();
  if (page > 1) search.set('page', String(page));
  if (teamId) search.set('team', teamId);
  if (year !== undefined) search.set('year', String(year));
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};
