import type { AdministeredInvoice, OpenedInvoice } from '#shared/api/operators/acts.ts';
import { addressOf } from '#shared/api/address.ts';
import { contract } from '#shared/api/index.ts';
import { restOf } from '#shared/rules/billing/bill-table.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { ToldList } from '#client/features/billing/told-list.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { ButtonLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const pdfOf = (id: string) => addressOf(contract.acts.invoicePdf, { params: { id } });

const Answer = ({
  id,
  opened: { bill, toldBefore, notes, number, totalCents },
}: {
  id: string;
  opened: OpenedInvoice;
}) => (
  <div className="grid gap-4 text-sm">
    {bill ? (
      <>
        <p className="figures">{bill.difference[0]}</p>
        {bill.difference.length > 1 && (
          <div>
            <h3 className="font-medium">Why, in the words of our emails</h3>
            <ul aria-label="Why it differs from the bill before" className="mt-1 grid gap-1">
              {bill.difference.slice(1).map((sentence) => (
                <li key={sentence} className="figures">
                  {sentence}
                </li>
              ))}
            </ul>
          </div>
        )}
        <BillTable label={`Invoice ${number ?? ''}`} {...bill} {...restOf(bill)} />
      </>
    ) : (
      <p>{formatCents(totalCents)}. An older version billed this. Its lines are in the PDF.</p>
    )}
    {notes.length > 0 && (
      <ul aria-label="Adjustment notes" className="grid gap-1">
        {notes.map((note) => (
          <li key={note.id} className="figures">
            {formatCents(note.totalCents)} {note.isRefund ? 'refunded' : 'taken off'} on{' '}
            {formatSydneyDate(note.issuedAt)},{' '}
            <a className="underline" href={pdfOf(note.id)} download>
              {note.number}
            </a>
          </li>
        ))}
      </ul>
    )}
    {toldBefore && (
      <div>
        <h3 className="font-medium">What they were told before</h3>
        <ToldList bills={[toldBefore]} label="What they were told before" />
      </div>
    )}
    <ButtonLink href={pdfOf(id)} download variant="secondary" size="sm" className="justify-self-start">
      Download the PDF
    </ButtonLink>
  </div>
);

/** Answers why somebody was charged this: its lines, the difference to the bill before, and what was told. */
export const OpenedInvoiceDialog = ({ invoice, onClose }: { invoice: AdministeredInvoice; onClose: () => void }) => (
  <Dialog
    onClose={onClose}
    size="lg"
    title={`Invoice ${invoice.number ?? ''}`}
    description={`${invoice.description} · ${formatSydneyDate(invoice.issuedAt)}`}
  >
    <QueryView
      query={useFreshQuery(contract.acts.invoice, { params: { id: invoice.id } })}
      failedTitle="The invoice could not be loaded"
      loading={<Loading label="Loading the invoice" className="grid gap-2" skeletons={['h-5', 'h-24', 'h-5']} />}
    >
      {(opened) => <Answer id={invoice.id} opened={opened} />}
    </QueryView>
  </Dialog>
);
