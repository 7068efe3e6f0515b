import type { Bill, BillLine, BillPart } from './bill-types.ts';
import { formatCalendarDay, formatDays, sydneyDate } from '../dates.ts';
import { formatCents, smallestChargeCents } from './money.ts';

/** One row of a bill as people read it: what for, why this much, how much. */
export type TableRow = { label: string; note: string | null; cents: number };

type Charged = { lines: readonly BillLine[]; parts: readonly Part[] };
type Part = Pick<BillPart, 'toolName' | 'person' | 'from' | 'to' | 'cause' | 'cents'>;
type Shown = Charged & Partial<Pick<Bill, 'creditCents' | 'carriedCents'>>;

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

/** `Hugh Lang, 1 to 9 Feb 2027`, with the tools that these days are for, or for a tool by itself why. */
function partRow(parts: readonly Part[]): TableRow {
  const [{ toolName, person, from, to, cause }] = parts as [Part];
  const tools = parts.map(({ toolName: name, cents }) => (parts.length > 1 ? `${name} ${formatCents(cents)}` : name));
  const note = [...(person === null ? [] : tools), causes[cause]].filter((text) => text !== undefined);
  return {
    label: `${person ?? toolName}, ${formatDays(from, to)}`,
    note: note.join(', ') || null,
    cents: parts.reduce((sum, { cents }) => sum + cents, 0),
  };
}

const byTool = (a: { toolName: string }, b: { toolName: string }) => a.toolName.localeCompare(b.toolName, 'en-AU');

/** One row for a person's days with all their tools. A tool that comes twice is of somebody else with that name. */
function partRows(parts: readonly Part[]): TableRow[] {
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
  return groups.map((group) => partRow(group.toSorted(byTool)));
}

type Cents = readonly { cents: number }[];

/** What stands between the lines of a stored bill and its total: a credit, or too little to charge. */
export function restOf({ lines, parts, totalCents }: { lines: Cents; parts: Cents; totalCents: number | null }) {
  const sum = [...lines, ...parts].reduce((total, { cents }) => total + cents, 0);
  const rest = totalCents === null ? 0 : sum - totalCents;
  const isCarried = totalCents === 0 && rest > 0 && rest < smallestChargeCents;
  return isCarried ? { creditCents: 0, carriedCents: rest } : { creditCents: rest, carriedCents: 0 };
}

/** A bill as a table, for pages and mails: each tool, each part of a month, and what credits make of their sum. */
export function billTable({ lines, parts, creditCents = 0, carriedCents = 0 }: Shown): TableRow[] {
  const others = [
    { label: creditCents > 0 ? 'Credit' : 'Owed from before', note: null, cents: 0 - creditCents },
    { label: 'Too little to charge', note: 'it goes on the next bill', cents: 0 - carriedCents },
  ];
  const rows = [...lines.toSorted(byTool).map(lineRow), ...partRows(parts.filter(({ cents }) => cents !== 0))];
  return [...rows, ...others.filter(({ cents }) => cents !== 0)];
}

/** From which day a month costs another amount, and what the bill of that day comes to where it has parts of months too. */
export function monthFrom(
  day: string,
  { monthCents, parts = [] }: { monthCents: number; parts?: readonly Part[] | undefined },
  bill: string,
): string {
  const month = `${formatCents(monthCents)} a month`;
  const extra = billTable({ lines: [], parts });
  const total = extra.reduce((sum, { cents }) => sum + cents, monthCents);
  if (extra.length === 0) return `from ${day} ${bill} is ${month}`;
  const added = extra.map(({ label, cents }) => `${formatCents(cents)} for ${label}`).join(' and ');
  return `on ${day} ${bill} is ${formatCents(total)}, with ${added}, then ${month}`;
}
