import { clsx } from 'clsx';
import type { Forecast } from '#shared/api/billing.ts';
import { billTable } from '#shared/rules/billing/bill-table.ts';
import { formatCents } from '#shared/rules/billing/money.ts';

type Bill = NonNullable<Forecast['bill']>;
type Props = Pick<Bill, 'lines' | 'parts'> &
  Partial<Pick<Bill, 'creditCents' | 'carriedCents'>> & {
    /** Names the table for assistive technology. */
    label: string;
    totalCents: number | null;
    totalLabel?: string;
  };

/** An earlier credit pays a bill, but doesn't make its GST less. */
const gstText = ({ lines, parts }: Pick<Bill, 'lines' | 'parts'>) => {
  const sum = (of: 'cents' | 'gstCents') => [...lines, ...parts].reduce((all, line) => all + line[of], 0);
  const isEleventh = sum('gstCents') === Math.round(sum('cents') / 11);
  return `GST included${isEleventh ? '' : ', rounded on each line'}: ${formatCents(sum('gstCents'))}`;
};

/** A bill line by line, as its payer's mails have it. */
export const BillTable = ({ label, totalCents, totalLabel = 'Total', ...bill }: Props) => (
  <table aria-label={label} className="figures w-full text-left">
    <thead className="sr-only">
      <tr>
        <th scope="col">What for</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody className="divide-y">
      {billTable(bill).map(({ label: what, note, cents }, index) => (
        <tr key={index}>
          <td className="py-2 pr-4">
            <span className="break-words">{what}</span>
            {note !== null && <span className="block text-xs text-muted">{note}</span>}
          </td>
          <td className={clsx('py-2 text-right align-top whitespace-nowrap', cents < 0 && 'text-success')}>
            {formatCents(cents)}
          </td>
        </tr>
      ))}
    </tbody>
    {totalCents !== null && (
      <tfoot className="border-t">
        <tr className="font-semibold">
          <td className="pt-2 pr-4">
            {totalLabel}
            <span className="block text-xs font-normal text-muted">{gstText(bill)}</span>
          </td>
          <td className="pt-2 text-right align-top whitespace-nowrap">{formatCents(totalCents)}</td>
        </tr>
      </tfoot>
    )}
  </table>
);
