import { type ReactNode, useState } from 'react';
import type { ToldBill } from '#shared/api/billing.ts';
import { restOf } from '#shared/rules/billing/bill-table.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { laterRows } from '#client/lib/money/bill-words.ts';
import { BillsAfter } from '#client/lib/money/payer.tsx';
import { billDay, formatDateTime, formatDay } from '#client/lib/words/format.ts';
import { Button } from '#client/ui/elements.tsx';

const BillAsTold = ({ bill }: { bill: ToldBill }) => {
  const { kind, subject, toldAt, billAt, totalCents, lines, parts, later, paragraphs } = bill;
  const after = later && laterRows(new Date(later.at), later);
  const said = paragraphs.filter((paragraph) => paragraph !== `${subject}.`);
  return (
    <details className="py-3">
      <summary className="max-sm:py-1">
        <span className="break-words">{subject}</span>
        <time
          dateTime={toldAt.toISOString()}
          title={formatDateTime(toldAt)}
          className="figures block pl-4 text-xs font-normal text-muted"
        >
          {kind === 'notice' ? 'In the app' : 'Emailed'} {formatDay(toldAt)}
        </time>
      </summary>
      <div className="mt-3 space-y-3 rounded bg-surface-subtle p-4">
        {said.map((paragraph, index) => (
          <p key={index} className="figures whitespace-pre-line [overflow-wrap:anywhere]">
            {paragraph}
          </p>
        ))}
        {lines.length + parts.length > 0 && (
          <>
            {billAt && <p className="font-medium">The next bill then, of {billDay(billAt)}</p>}
            <BillTable label={subject} lines={lines} parts={parts} {...restOf(bill)} totalCents={totalCents} />
          </>
        )}
        {after && <BillsAfter rows={after} />}
      </div>
    </details>
  );
};

/** How many are shown at first. */
const shown = 3;

type Props = {
  bills: readonly ToldBill[];
  label: string;
  /** Shows all of them at once, as on a later page. */
  all?: boolean;
  /** Turns the pages, below all of them. */
  children?: ReactNode;
};

/** What a payer was told of their bills, each to be unfolded. */
export const ToldList = ({ bills, label, all = false, children }: Props) => {
  const [open, setOpen] = useState(all);
  const isCut = !open && bills.length > shown;
  return (
    <>
      <ul aria-label={label} className="divide-y">
        {(isCut ? bills.slice(0, shown) : bills).map((one) => (
          <li key={one.id}>
            <BillAsTold bill={one} />
          </li>
        ))}
      </ul>
      {isCut ? (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => setOpen(true)}>
          All messages
        </Button>
      ) : (
        children
      )}
    </>
  );
};
