import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Forecast } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { nextPayment } from '#client/lib/money/bill-words.ts';
import { BillsAfter, CardName, PaymentLine } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { Panel } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type Props = { query: UseQueryResult<Forecast>; name: string; description?: ReactNode };

/** What a payer will be charged, line by line, as their own pages and mails show it. */
export const PayerBill = ({ query, name, description }: Props) => (
  <Panel title="Next bill" description={description}>
    <QueryView
      query={query}
      failedTitle="The next bill could not be loaded"
      loading={<Loading label="Loading the next bill" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
    >
      {(forecast) => <Shown forecast={forecast} name={name} />}
    </QueryView>
  </Panel>
);

const Shown = ({ forecast, name }: { forecast: Forecast; name: string }) => {
  const { bill, owed, card, charging } = forecast;
  const payment = nextPayment({ ...forecast, charging: null }, name);
  return (
    <div className="figures space-y-3 text-sm">
      {charging && (
        <p className="flex flex-wrap justify-between gap-x-4 rounded bg-surface-subtle p-3">
          <span className="font-medium">{`Today’s bill, being charged: ${formatCents(charging.totalCents)}`}</span>
          {card && <CardName card={card} />}
        </p>
      )}
      <p className="font-medium break-words">
        <PaymentLine payment={payment} card={card} />
      </p>
      {payment.notes.map((note) => (
        <p key={note} className="text-muted">
          {note}
        </p>
      ))}
      {owed && (
        <p className={owed.tried ? 'text-danger' : 'text-warning'}>
          {owed.tried
            ? `${formatCents(owed.dueCents)} is not paid yet, and can be paid until ${billDay(owed.until)}. They read: “${owed.reason}”`
            : `Free access has ended. The tools go on if they pay ${formatCents(owed.dueCents)} by ${billDay(owed.until)}; otherwise they end, and nothing is owed.`}
        </p>
      )}
      {bill && bill.lines.length + bill.parts.length > 0 && <BillTable label="Next bill" {...bill} />}
      <BillsAfter rows={payment.rows} />
    </div>
  );
};
