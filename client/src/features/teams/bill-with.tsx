import { formatCents } from '#shared/rules/billing/money.ts';
import { day } from '#shared/rules/dates.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { billDay } from '#client/lib/words/format.ts';
import { usePriceChanges } from '#client/lib/money/price-changes.tsx';
type Props = { teamId: string; change: Change };
type Change = { joins: 'true' } | { leaves: string } | { choose: string; users?: string };

const signed = (cents: number) => `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`;

/** "28 Nov to 29 Nov": from a day to the one before the bill's. */
const daysText = (from: Date, bill: Date) => {
  const [first, last] = [billDay(from), billDay(new Date(bill.getTime() - day))];
  return first === last ? first : `${first} to ${last}`;
};

/** What the team's bill becomes once somebody joins or leaves, or others use a tool, for the owner, who pays. No line where it stays, or isn't known yet. */
export const useBillWith = ({ teamId, change }: Props) => {
  const { data, isError } = usePriceChanges({ teamId, ...change });
  if (!data) return { lines: [], changes: [], isError, isPending: !isError };
  const { changes, moreCents, seatCents, bill } = data;
  const now = businessNow();
  const lines = !bill
    ? [moreCents !== 0 && `${signed(moreCents)} a month, if the tools are kept after their trials`]
    : [
        moreCents !== 0 && `${signed(moreCents)} a month from ${billDay(bill.at)}`,
        seatCents > 0 && `${signed(seatCents)} for ${daysText(now, bill.at)}`,
        seatCents < 0 && `${signed(seatCents)} for ${daysText(new Date(now.getTime() + day), bill.at)}`,
        seatCents < 0 && bill.leftCents > 0 && `${formatCents(bill.leftCents)} of it is left for the bill after`,
        (moreCents !== 0 || seatCents !== 0) && `Next bill: ${formatCents(bill.totalCents)} on ${billDay(bill.at)}`,
      ];
  return { lines: lines.filter((line) => line !== false), changes, isError, isPending: false };
};

export const BillLines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <span key={line} className="figures block">
      {line}
    </span>
  ));
