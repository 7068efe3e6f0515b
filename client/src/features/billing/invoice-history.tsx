import { ReceiptText } from 'lucide-react';
import type { Invoice } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { amountOf, DownloadPdf, InvoiceDate, InvoiceStatus } from '#client/features/billing/invoice-parts.tsx';
import { invoicesPath } from '#client/features/billing/invoices-path.ts';
import { type Payer, payerArgs, useWhose } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

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

export const InvoiceHistory = ({ teamId }: Payer) => {
  const history = useApiQuery(contract.billing.invoices, {
    query: { page: 1, ...payerArgs({ teamId }) },
  });
  return (
    <Panel
      title="Invoice History"
      description={`Tax invoices for ${useWhose({ teamId })} tools, newest first`}
      action={
        history.data &&
        history.data.invoices.length > 0 && (
          <ButtonLink href={invoicesPath({ teamId })} target="_blank" rel="noopener" variant="secondary" size="sm">
            View all invoices<span className="sr-only"> (opens a new window)</span>
          </ButtonLink>
        )
      }
      bodyClassName="pt-2"
    >
      <QueryView
        query={history}
        failedTitle="Your invoices could not be loaded"
        loading={
          <Loading label="Loading your invoices" className="grid gap-3 pt-3" skeletons={['h-10', 'h-10', 'h-10']} />
        }
        isEmpty={({ invoices }) => invoices.length === 0}
        empty={
          <EmptyState
            icon={<ReceiptText />}
            title="No invoices yet"
            description="Your first one appears here with the first payment."
          />
        }
      >
        {({ invoices }) => (
          <ul className="divide-y">
            {invoices.slice(0, latest).map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};
