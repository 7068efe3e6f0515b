import type { Bill, BillLine, BillPart } from './bill-types.ts';
import { day, formatCalendarDay, formatDays, plusDays, sydneyDate } from '../dates.ts';
import { formatCents, smallestChargeCents, sumCents } from './money.ts';
import { partOf } from './part-month.ts';

/** One row of a bill as people read it: what for, why this much, how much. */
export type TableRow = { label: string; note: string | null; cents: number };

type Charged = { lines: readonly BillLine[]; parts: readonly Part[] };
type Part = Pick<BillPart, 'toolId' | 'toolName' | 'person' | 'from' | 'to' | 'days' | 'cause' | 'cents'>;
type Months = readonly Pick<BillLine, 'toolId' | 'cents'>[];
/** `months`: whole months of these tools, where they are not its own lines. */
type Shown = Charged & Partial<Pick<Bill, 'creditCents' | 'carriedCents'>> & { months?: Months | undefined };

const causes: Partial<Record<Part['cause'], string>> = {
  left: 'credit',
  correction: 'correction',
  trial_end: 'after the free trial',
  below_minimum: 'too little to charge at once',
  join_one_bill: 'until your first bill for all tools',
};

const lineRow = ({ toolName, quantity, unitCents, baseCents, discounts, cents }: BillLine): TableRow => {
  const base = quantity > 1 ? `${quantity} members × ${formatCents(unitCents)}` : formatCents(baseCents);
  const less = discounts.map(({ label, cents: off, endsAt }) => {
    const until = endsAt ? ` until ${formatCalendarDay(sydneyDate(new Date(endsAt)))}` : '';
    return `${label}${until} ${formatCents(-off)}`;
  });
  return { label: toolName, note: quantity > 1 || less.length > 0 ? [base, ...less].join(', ') : null, cents };
};

/** `8 of 31 days at $22.50`, where that is what they come to: a price may have changed in that month. */
function daysOfMonth({ toolId, to, days, cents }: Part, months: Months): string[] {
  const end = new Date(`${plusDays(to, 1)}T00:00:00Z`);
  const start = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, end.getUTCDate());
  const monthDays = Math.round((end.getTime() - start) / day);
  return months
    .filter((month) => month.toolId === toolId && days > 0 && partOf(month.cents, days, monthDays) === cents)
    .map((month) => `${days} of ${monthDays} days at ${formatCents(month.cents)}`);
}

/** `Hugh Lang, 1 to 9 Feb 2027`, with the tools that these days are for, or for a tool by itself why. */
function partRow(parts: readonly Part[], months: Months): TableRow {
  const [part] = parts as [Part];
  const { toolName, person, from, to, cause } = part;
  const tools = parts.map(({ toolName: name, cents }) => (parts.length > 1 ? `${name} ${formatCents(cents)}` : name));
  const note = [...(person === null ? daysOfMonth(part, months) : tools), causes[cause]].filter(
    (text) => text !== undefined,
  );
  return {
    label: `${person ?? toolName}, ${formatDays(from, to)}`,
    note: note.join(', ') || null,
    cents: sumCents(parts),
  };
}

const byTool = (a: { toolName: string }, b: { toolName: string }) => a.toolName.localeCompare(b.toolName, 'en-AU');

/** One row for a person's days with all their tools. A tool that comes twice is of somebody else with that name. */
function partRows(parts: readonly Part[], months: Months): TableRow[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.find(
      (others) =>
        part.person !== null &&
        others.every(({ toolName }) => toolName !== part.toolName) &&
        (['person', 'from', 'to', 'cause'] as const).every((key) => others[0]![key] === part[key]),
    );
    if (group) group.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => partRow(group.toSorted(byTool), months));
}

type Cents = readonly { cents: number }[];

/** What stands between the lines of a stored bill and its total: a credit, or too little to charge. */
export function restOf({ lines, parts, totalCents }: { lines: Cents; parts: Cents; totalCents: number | null }) {
  const sum = sumCents([...lines, ...parts]);
  const rest = totalCents === null ? 0 : sum - totalCents;
  const isCarried = totalCents === 0 && rest > 0 && rest < smallestChargeCents;
  return isCarried ? { creditCents: 0, carriedCents: rest } : { creditCents: rest, carriedCents: 0 };
}

/** A bill as a table, for pages and mails: each tool, each part of a month, and what credits make of their sum. */
export function billTable({ lines, parts, creditCents = 0, carriedCents = 0, months = lines }: Shown): TableRow[] {
  const others = [
    { label: creditCents > 0 ? 'Credit' : 'Owed from before', note: null, cents: 0 - creditCents },
    { label: 'Too little to charge', note: 'it goes on the next bill', cents: 0 - carriedCents },
  ];
  const rows = [
    ...lines.toSorted(byTool).map(lineRow),
    ...partRows(
      parts.filter(({ cents }) => cents !== 0),
      months,
    ),
  ];
  return [...rows, ...others.filter(({ cents }) => cents !== 0)];
}

/** With its `lines`, parts of a month say what they are a part of. */
type Later = { monthCents: number; parts?: readonly Part[] | undefined; lines?: readonly BillLine[] };

/** `from 28 Jan 2027 the bill is $119.00 a month` */
export const monthFrom = (day: string, { monthCents }: Later, bill: string) =>
  `from ${day} ${bill} is ${formatCents(monthCents)} a month`;

/** The rows of a later bill that has parts of months, too, and what they come to; null where it costs what its month does. */
export function laterTable({
  monthCents,
  parts = [],
  lines = [],
}: Later): { rows: TableRow[]; totalCents: number } | null {
  const extra = billTable({ lines: [], parts, months: lines });
  if (extra.length === 0) return null;
  const rows = [{ label: 'Tools for the month', note: null, cents: monthCents }, ...extra];
  return { rows, totalCents: sumCents(rows) };
}
