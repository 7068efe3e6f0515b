import type { ToldBill } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { restOf } from '#shared/rules/billing/bill-table.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { billDay, formatDateTime } from '#client/lib/words/format.ts';

const BillAsTold = ({ bill }: { bill: ToldBill }) => {
  const { subject, toldAt, billAt, totalCents, lines, parts, paragraphs } = bill;
  const said = paragraphs.filter((paragraph) => paragraph !== `${subject}.`);
  return (
    <details className="py-3">
      <summary className="cursor-pointer rounded-sm max-sm:py-1">
        <span className="font-medium break-words">{subject}</span>
        <span className="figures block text-xs text-muted">
          <span>{totalCents !== null && billAt && `${formatCents(totalCents)} on ${billDay(billAt)} · `}</span>
          <time dateTime={toldAt.toISOString()}>told {formatDateTime(toldAt)}</time>
        </span>
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
      </div>
    </details>
  );
};

/** What a payer was told of their bills, each to be unfolded. */
export const ToldList = ({ bills, label }: { bills: readonly ToldBill[]; label: string }) => (
  <ul aria-label={label} className="divide-y">
    {bills.map((one) => (
      <li key={one.id}>
        <BillAsTold bill={one} />
      </li>
    ))}
  </ul>
);
