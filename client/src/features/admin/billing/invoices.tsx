import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import * as z from 'zod';
import { type AdministeredInvoice, reason } from '#shared/api/operators/acts.ts';
import { formatCents, typedCents } from '#shared/rules/billing/money.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { useFreshQuery, write } from '#client/lib/calls/use-api.ts';
import { sentenceCase } from '#client/lib/words/format.ts';
import { Badge, Button, Panel, type Tone } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Row, ScrollList } from '#client/ui/list.tsx';
import { ActForm, closeAndTell, Preview } from '#client/features/admin/act-form.tsx';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Deadline } from '#client/features/admin/incidents/incidents.tsx';
import { OpenedInvoiceDialog } from '#client/features/admin/billing/opened-invoice.tsx';
import { TextField } from '#client/ui/form.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

const tones: Record<string, Tone> = { paid: 'success', open: 'warning' };
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

type RowProps = { invoice: AdministeredInvoice; onChoose: () => void; onOpen: () => void };

const InvoiceRow = ({ invoice, onChoose, onOpen }: RowProps) => {
  const open = invoice.status === 'open';
  return (
    <Row
      basis="basis-40"
      className="items-center first:pt-0 last:pb-0"
      title={
        <span className="figures flex flex-wrap items-center gap-2">
          {formatCents(invoice.totalCents)}
          <Badge tone={tones[invoice.status] ?? 'neutral'}>{sentenceCase(invoice.status)}</Badge>
          {invoice.dispute && <Badge tone="danger">Disputed</Badge>}
          {invoice.dispute?.answerBy && <Deadline at={invoice.dispute.answerBy} />}
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
        {invoice.description} · {invoice.number ?? 'no number'} · {formatSydneyDate(invoice.issuedAt)}
      </p>
      <Button variant="link" size="sm" aria-label={`Why invoice ${invoice.number ?? ''}?`} onClick={onOpen}>
        Why this much?
      </Button>
    </Row>
  );
};

/** A payer's newest invoices, each with what may be done about it. */
export const Invoices = ({
  query,
  title = 'Invoices',
}: {
  query: UseQueryResult<AdministeredInvoice[]>;
  title?: string;
}) => {
  const [chosen, setChosen] = useState<AdministeredInvoice>();
  const [opened, setOpened] = useState<AdministeredInvoice>();
  return (
    <Panel title={title} description="The newest 50">
      <QueryView
        query={query}
        failedTitle="The invoices could not be loaded"
        loading={<Loading label="Loading the invoices" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
        empty={<p className="text-sm text-muted">No invoice was issued yet.</p>}
      >
        {(invoices) => (
          <ScrollList label="List of invoices" className="scroll-shadows-y sm:max-h-[420px]">
            {invoices.map((invoice) => (
              <InvoiceRow
                key={invoice.id}
                invoice={invoice}
                onChoose={() => setChosen(invoice)}
                onOpen={() => setOpened(invoice)}
              />
            ))}
          </ScrollList>
        )}
      </QueryView>
      {opened && <OpenedInvoiceDialog invoice={opened} onClose={() => setOpened(undefined)} />}
      {chosen && <InvoiceDialog invoice={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};

type Outlook = Reply<typeof contract.acts.invoiceOutlook>;
type Props = { invoice: AdministeredInvoice; onClose: () => void };

const readByUser = 'The user reads it in our email.';

const refundSchema = (leftCents: number) =>
  z.object({
    amount: z.string().refine(
      (text) => {
        const cents = typedCents(text);
        return cents !== null && cents > 0 && cents <= leftCents;
      },
      `Please enter an amount up to ${formatCents(leftCents)}`,
    ),
    reason,
  });

const RefundForm = ({ invoice, outlook, onClose }: Props & { outlook: Outlook }) => {
  const { leftCents } = outlook;
  const form = useApiForm({
    schema: refundSchema(leftCents),
    defaultValues: { amount: (leftCents / 100).toFixed(2), reason: '' },
    send: (values) =>
      write(contract.acts.refund, {
        params: { id: invoice.id },
        body: { cents: typedCents(values.amount) ?? 0, leftCents, reason: values.reason },
      }),
    onDone: closeAndTell(onClose),
  });
  const cents = typedCents(form.watch('amount'));
  return (
    <ActForm
      form={form}
      label="Refund"
      help={`${readByUser} It’s printed on the adjustment note.`}
      variant="danger"
      pendingLabel="Refunding…"
      button={cents === null ? 'Refund' : `Refund ${formatCents(cents)}`}
      onClose={onClose}
    >
      <Preview sentences={outlook.refund} />
      <TextField form={form} name="amount" label="Amount" help="In dollars, GST included." inputMode="decimal" />
    </ActForm>
  );
};

const OpenForm = ({ invoice, open, onClose }: Props & { open: NonNullable<Outlook['open']> }) => {
  const [action, setAction] = useState<'retry' | 'void'>(open.last4 === null ? 'void' : 'retry');
  const amount = formatCents(open.dueCents);
  const form = useApiForm({
    schema: z.object({ reason }),
    defaultValues: { reason: '' },
    send: (values) => {
      const params = { id: invoice.id };
      return action === 'retry'
        ? write(contract.acts.retryCharge, {
            params,
            body: { ...values, charge: { cents: open.dueCents, last4: open.last4 } },
          })
        : write(contract.acts.voidInvoice, { params, body: { ...values, dueCents: open.dueCents } });
    },
    onDone: closeAndTell(onClose),
  });
  const choices = [
    { value: 'retry' as const, label: `Charge ${amount} to the card on file` },
    { value: 'void' as const, label: 'Withdraw the invoice' },
  ].filter(({ value }) => value === 'void' || open.last4 !== null);
  return (
    <ActForm
      form={form}
      label="Open invoice"
      help={readByUser}
      variant={action === 'void' ? 'danger' : 'primary'}
      pendingLabel={action === 'void' ? 'Withdrawing…' : 'Charging…'}
      button={action === 'void' ? `Withdraw ${amount}` : `Charge ${amount}`}
      onClose={onClose}
    >
      <RadioGroup legend="What to do" framed options={choices} value={action} onChange={setAction} />
      <Preview sentences={open[action]} />
    </ActForm>
  );
};

/** Refunds a paid invoice, in part or in full; charges or withdraws an open one. */
const InvoiceDialog = ({ invoice, onClose }: Props) => {
  const query = useFreshQuery(contract.acts.invoiceOutlook, { params: { id: invoice.id } });
  return (
    <Dialog
      onClose={onClose}
      title={`Invoice ${invoice.number ?? ''}`}
      description={`${invoice.description} · ${formatCents(invoice.totalCents)}`}
    >
      <QueryView
        query={query}
        failedTitle="Stripe’s figures for this invoice could not be loaded"
        loading={<Loading label="Asking Stripe" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-10']} />}
      >
        {(outlook) =>
          outlook.open ? (
            <OpenForm invoice={invoice} open={outlook.open} onClose={onClose} />
          ) : outlook.leftCents > 0 ? (
            // When the refundable amount changes, the form starts afresh.
            <RefundForm key={outlook.leftCents} invoice={invoice} outlook={outlook} onClose={onClose} />
          ) : (
            <Preview sentences={outlook.refund} />
          )
        }
      </QueryView>
    </Dialog>
  );
};
