import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AdministeredInvoice } from '#shared/api/acts.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { InvoiceDialog } from '#client/features/admin/billing/invoice-dialog.tsx';
import { formatDay, sentenceCase } from '#client/lib/words/format.ts';
import { Badge, type Tone } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';

const tones: Record<string, Tone> = { paid: 'success', open: 'warning' };
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const InvoiceRow = ({ invoice, onChoose }: { invoice: AdministeredInvoice; onChoose: () => void }) => {
  const open = invoice.status === 'open';
  return (
    <Row
      basis="basis-40"
      className="items-center first:pt-0 last:pb-0"
      title={
        <span className="figures flex flex-wrap items-center gap-2">
          {formatCents(invoice.totalCents)}
          <Badge tone={tones[invoice.status] ?? 'neutral'}>{sentenceCase(invoice.status)}</Badge>
          {invoice.refundedCents > 0 && <Badge tone="warning">{formatCents(invoice.refundedCents)} refunded</Badge>}
        </span>
      }
      action={
        !open && invoice.whyNoRefund !== null ? (
          <p className="text-xs text-muted">No refund: {lowerFirst(invoice.whyNoRefund)}</p>
        ) : (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`${open ? 'Charge or withdraw' : 'Refund'} invoice ${invoice.number ?? ''}`}
            onClick={onChoose}
          >
            {open ? 'Charge or withdraw…' : 'Refund…'}
          </Button>
        )
      }
    >
      <p className="figures text-muted">
        {invoice.description} · {invoice.number ?? 'no number'} · {formatDay(invoice.issuedAt)}
      </p>
    </Row>
  );
};

/** A payer's newest invoices, each with what may be done about it. */
export const Invoices = ({ query }: { query: UseQueryResult<AdministeredInvoice[]> }) => {
  const [chosen, setChosen] = useState<AdministeredInvoice>();
  return (
    <Panel title="Invoices" description="The newest 50">
      <QueryView
        query={query}
        failedTitle="The invoices could not be loaded"
        loading={<Loading label="Loading the invoices" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
        empty={<p className="text-sm text-muted">No invoice was issued yet.</p>}
      >
        {(invoices) => (
          <ScrollList label="List of invoices" className="scroll-shadows-y max-h-[420px]">
            {invoices.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} onChoose={() => setChosen(invoice)} />
            ))}
          </ScrollList>
        )}
      </QueryView>
      {chosen && <InvoiceDialog invoice={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};
