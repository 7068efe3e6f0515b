import { ReceiptText } from 'lucide-react';
import { useId } from 'react';
import type { Invoice } from '#shared/api/billing.ts';
import { contract } from '#shared/api/index.ts';
import { amountOf, DownloadPdf, InvoiceDate, InvoiceStatus } from '#client/features/billing/invoice-parts.tsx';
import { invoicesPath } from '#client/features/billing/invoices-path.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

/** The latest ones; all of them have a page of their own. */
const latest = 5;

const Row = ({ invoice }: { invoice: Invoice }) => (
  <li className="flex items-center gap-3 py-3">
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 font-medium break-words">{invoice.description}</span>
        <InvoiceStatus status={invoice.status} />
      </p>
      <p className="figures text-xs text-muted">
        <InvoiceDate date={invoice.date} />
        {invoice.number && ` · ${invoice.number}`}
      </p>
    </div>
    <span className="figures font-medium">{amountOf(invoice)}</span>
    <DownloadPdf invoice={invoice} />
  </li>
);

/** Invoice History (B §2): the newest invoices and adjustment notes, each with its PDF. */
export const InvoiceHistory = ({ teamId }: PayerProps) => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.billing.invoices, {
    query: { page: 1, ...payerArgs({ teamId }) },
  });
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Invoice History"
        description="Tax invoices, newest first"
        action={
          data &&
          data.invoices.length > 0 && (
            <ButtonLink href={invoicesPath({ teamId })} target="_blank" rel="noopener" variant="secondary" size="sm">
              View all invoices<span className="sr-only"> (opens a new window)</span>
            </ButtonLink>
          )
        }
      />
      <CardBody className="pt-2">
        {data ? (
          data.invoices.length === 0 ? (
            <EmptyState
              icon={<ReceiptText />}
              title="No invoices yet"
              description="Your first one appears here with the first payment."
            />
          ) : (
            <ul className="divide-y">
              {data.invoices.slice(0, latest).map((invoice) => (
                <Row key={invoice.id} invoice={invoice} />
              ))}
            </ul>
          )
        ) : error ? (
          <ErrorState
            title="Your invoices could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        ) : (
          <Loading label="Loading your invoices" className="grid gap-3 pt-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Loading>
        )}
      </CardBody>
    </Card>
  );
};
