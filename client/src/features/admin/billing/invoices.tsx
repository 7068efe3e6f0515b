import { useState } from 'react';
import type { AdministeredInvoice } from '#shared/api/acts.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { formatCents } from '#shared/rules/billing/money.ts';
import { InvoiceDialog } from '#client/features/admin/billing/invoice-dialog.tsx';
import { formatDay, sentenceCase } from '#client/lib/words/format.ts';
import { Badge, type Tone } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const tones: Record<string, Tone> = { paid: 'success', open: 'warning' };
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A payer's newest invoices, each with what may be done about it. */
export const Invoices = ({ query }: { query: UseQueryResult<AdministeredInvoice[]> }) => {
  const [chosen, setChosen] = useState<AdministeredInvoice>();
  return (
    <Panel title="Invoices" description="The newest 50">
      <QueryView
        query={query}
        failedTitle="The invoices could not be loaded"
        loading={<Loading label="Loading the invoices" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
        isEmpty={(invoices) => invoices.length === 0}
        empty={<p className="text-sm text-muted">No invoice was issued yet.</p>}
      >
        {(invoices) => (
          // Focusable, so that the keyboard can scroll it.
          <section
            aria-label="List of invoices"
            tabIndex={0}
            className="scroll-shadows-y max-h-[420px] overflow-y-auto rounded-sm"
          >
            <ul className="divide-y text-sm">
              {invoices.map((invoice) => (
                <li key={invoice.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
                  <div className="figures min-w-0 flex-1 basis-40">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      {formatCents(invoice.totalCents)}
                      <Badge tone={tones[invoice.status] ?? 'neutral'}>{sentenceCase(invoice.status)}</Badge>
                      {invoice.refundedCents > 0 && (
                        <Badge tone="warning">{formatCents(invoice.refundedCents)} refunded</Badge>
                      )}
                    </p>
                    <p className="text-muted [overflow-wrap:anywhere]">
                      {invoice.description} · {invoice.number ?? 'no number'} · {formatDay(invoice.issuedAt)}
                    </p>
                  </div>
                  {invoice.status !== 'open' && invoice.whyNoRefund !== null ? (
                    <p className="text-xs text-muted">No refund: {lowerFirst(invoice.whyNoRefund)}</p>
                  ) : (
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`${invoice.status === 'open' ? 'Charge or withdraw' : 'Refund'} invoice ${invoice.number ?? ''}`}
                      onClick={() => setChosen(invoice)}
                    >
                      {invoice.status === 'open' ? 'Charge or withdraw…' : 'Refund…'}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </QueryView>
      {chosen && <InvoiceDialog invoice={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};
