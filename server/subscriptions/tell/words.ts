import type { Bill, BillLine } from '#shared/rules/billing/bill-types.ts';
import { billTable, type TableRow } from '#shared/rules/billing/bill-table.ts';
import { formatCalendarDay, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import type { MailRow, MailTable } from '#server/platform/mail-content.ts';

/** `26 Dec 2026`, the day in Sydney, wherever it is read. */
export const on = (at: Date | string | null) =>
  at === null ? '' : formatCalendarDay(typeof at === 'string' ? at.slice(0, 10) : sydneyDate(at));

export const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `Hugh Lang, Ben Cole and Cara Diaz` */
export const listed = (names: readonly string[]): string => new Intl.ListFormat('en-AU').format(names);

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
export const numberText = (count: number) => numbers[count] ?? String(count);

type Charged = Pick<Bill, 'lines' | 'parts' | 'creditCents' | 'totalCents' | 'gstCents'>;

/** The tool's name, or `three tools`. */
export function toolsText({ lines, parts }: Pick<Bill, 'lines' | 'parts'>): string {
  const names = new Set([...lines, ...parts].map(({ toolName }) => toolName));
  return names.size === 1 ? [...names][0]! : `${numberText(names.size)} tools`;
}

export const rowsOf = (rows: readonly TableRow[]): MailRow[] =>
  rows.map(({ label, note, cents }) => ({ label, amount: formatCents(cents), ...(note !== null && { note }) }));

/** Such as `Share Advice AI, 23 to 28 Dec, 6 days: $5.95.`; the first row is the month. */
export const partsNote = (rows: readonly TableRow[]) =>
  rowsOf(rows.slice(1))
    .map(({ label, amount }) => `${label}: ${amount}.`)
    .join(' ');

/**
 * A bill as a table: each tool with base, seats and discounts, parts of months, credit, and what they come to. `paidTools`: how many
 * its volume discount counts, which may be more than it has lines. `months`: whole months of tools of which it has a part.
 */
export function tableOf(
  bill: Charged,
  { paidTools, months }: { paidTools?: number; months?: BillLine[] } = {},
): MailTable {
  const due = sumCents([...bill.lines, ...bill.parts]);
  const carriedCents = due - bill.creditCents - bill.totalCents;
  const bulk = bill.lines.flatMap(({ discounts }) => discounts).find(({ kind }) => kind === 'bulk');
  const trials = paidTools !== undefined && paidTools > bill.lines.length ? ', free trials included' : '';
  const why = bulk && paidTools !== undefined ? `${bulk.percent}% off: ${paidTools} paid tools${trials}. ` : '';
  return {
    rows: rowsOf(billTable({ ...bill, carriedCents, ...(months && { months }) })),
    total: {
      label: 'Total',
      note: `${why}GST included: ${formatCents(bill.gstCents)}`,
      amount: formatCents(bill.totalCents),
    },
  };
}

/** The practice that doesn't allow a tool, and why. */
export type Refusal = NonNullable<ReturnType<typeof toolRefusal>>;
export type Refusals = (toolId: string) => Refusal | null;

export const refused = (toolName: string, { teamName, reason }: Refusal) =>
  `${teamName} doesn’t allow ${toolName}${reason === null ? '' : ` (“${reason}”)`}`;

/** What they can do about it, by a day. */
export const askFirst = ({ teamName }: Refusal, day: string) =>
  `If it should stay, ${teamName} has to allow it before ${day}.`;

/** What is said of those of the tools that a practice doesn't allow. */
export const ofRefused = (
  tools: readonly { toolId: string; toolName: string }[],
  refusals: Refusals,
  say: (toolName: string, refusal: Refusal) => string,
): string[] =>
  tools.flatMap(({ toolId, toolName }) => {
    const refusal = refusals(toolId);
    return refusal ? [say(toolName, refusal)] : [];
  });

/** What is said where a tool that the practice doesn't allow stops a payment: cancel it first. Empty where it can be paid. */
export function cannotPay(
  tools: readonly { toolId: string; toolName: string }[],
  refusals: Refusals,
  { toolsTab, until }: { toolsTab: string; until: string },
): string[] {
  const names = tools.filter(({ toolId }) => refusals(toolId)).map(({ toolName }) => toolName);
  if (names.length === 0) return [];
  if (names.length === tools.length)
    return ofRefused(
      tools,
      refusals,
      (tool, refusal) =>
        `${refused(tool, refusal)}, so it can’t be paid for now: it ends on ${until}, and nothing more is charged. ${askFirst(refusal, until)}`,
    );
  const off = names.length === 1 ? 'it comes' : 'they come';
  return [
    ...ofRefused(tools, refusals, (tool, refusal) => `${refused(tool, refusal)}.`),
    `Cancel ${listed(names)} under ${toolsTab}, and ${off} off the amount; then you can pay the rest by ${until}. Otherwise access ends, and you owe nothing.`,
  ];
}
