import type { Forecast, ShownBill } from '#shared/api/billing.ts';
import type { Charge } from '#shared/api/charge.ts';
import { billTable, laterTable, type TableRow } from '#shared/rules/billing/bill-table.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { billDay } from '#client/lib/words/format.ts';

/** `Risk Profile AI, Fact Find AI and File Note AI`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** So that no line ends within a day: `26 Jan`. */
export const keepDays = (text: string) => text.replaceAll(/(?<=\d) (?=[A-Z])|(?<=[a-z]) (?=\d{4})/g, '\u00a0');

/** What somebody pays next: in one line, and what there is to say of it. */
export type NextPayment = {
  title: string;
  /** The line goes on with the card's name. */
  withCard: boolean;
  /** The bills after it, each with what it comes to, and what it has beside whole months. */
  rows: { label: string; amount: string; note?: string | null }[];
  notes: string[];
};

type Said = Pick<Forecast, 'bill' | 'later' | 'endings' | 'charging' | 'card'> & {
  owed: { tried: boolean; dueCents: number } | null;
};

/** `who` is the team that pays; null for the adviser. */
export function nextPayment({ bill, later, endings, owed, charging, card }: Said, who: string | null): NextPayment {
  const notes = [
    ...(owed?.tried && bill ? [`The unpaid ${formatCents(owed.dueCents)} comes first.`] : []),
    ...(bill ? billNotes(bill, card !== null) : []),
    ...endings.map(endingSentence),
  ];
  const rows = rowsAfter({ bill, later, charging });
  // Free access has ended, and a press begins the bill.
  if (!bill && owed && !owed.tried)
    return { title: 'Nothing is charged until you start paying', withCard: false, rows, notes };
  if (!charging) return { ...coming(bill, card !== null, who), rows, notes };
  const title = `${who === null ? 'You pay' : `${who} pays`} ${formatCents(charging.totalCents)} today`;
  return { title, withCard: card !== null, rows, notes };
}

/** More would not be read at a glance; the bill itself has them all. */
const mostNamed = 2;

/** `with Share Advice AI, 23 to 28 Dec 2026` */
const besides = (rows: readonly TableRow[]) =>
  rows.length > 0 && rows.length <= mostNamed ? `with ${listed(rows.map(({ label }) => label))}` : null;

/** A later bill that has parts of months, and the month after it; null where it costs what its month does. */
export function laterRows(at: Date, later: Parameters<typeof laterTable>[0]): NextPayment['rows'] | null {
  const table = laterTable(later);
  return (
    table && [
      { label: `Bill of ${billDay(at)}`, amount: formatCents(table.totalCents), note: besides(table.rows.slice(1)) },
      { label: 'Then each month', amount: formatCents(later.monthCents) },
    ]
  );
}

function rowsAfter({ bill, later, charging }: Pick<Said, 'bill' | 'later' | 'charging'>): NextPayment['rows'] {
  if (!bill) return [];
  const monthCents = bill.lines.reduce((sum, { cents }) => sum + cents, 0);
  const rest = billTable({ ...bill, lines: [] });
  const next =
    charging && bill.totalCents > 0
      ? [{ label: `Next bill, ${billDay(bill.at)}`, amount: formatCents(bill.totalCents), note: besides(rest) }]
      : [];
  if (!later) {
    // A credit that is left pays for more than this bill.
    const isUsedUp = bill.totalCents > 0 && bill.leftCents + bill.balanceLeftCents === 0;
    const differs = rest.length > 0 && monthCents > 0 && isUsedUp;
    return [...next, ...(differs ? [{ label: 'Then each month', amount: formatCents(monthCents) }] : [])];
  }
  const withParts = laterRows(later.at, later);
  return [
    ...next,
    ...(withParts ?? [{ label: `From ${billDay(later.at)}, each month`, amount: formatCents(later.monthCents) }]),
  ];
}

export const endingSentence = ({ toolName, at, reason, monthlyCents }: Forecast['endings'][number]) =>
  reason === 'trial_without_card'
    ? `The free trial of ${toolName} ends on ${billDay(at)}; with a card it goes on, for ${formatCents(monthlyCents)} a month.`
    : `${toolName} ends on ${billDay(at)}.`;

function coming(bill: ShownBill | null, hasCard: boolean, who: string | null): Omit<NextPayment, 'rows' | 'notes'> {
  if (!bill) return { title: 'Nothing is due', withCard: false };
  const [total, day] = [formatCents(bill.totalCents), billDay(bill.at)];
  const isLast = bill.lines.length === 0;
  if (bill.totalCents === 0)
    return { title: isLast ? 'Nothing more is charged' : `Nothing is charged on ${day}`, withCard: false };
  if (isLast) return { title: `A last ${total} is charged on ${day}`, withCard: hasCard };
  if (!hasCard) return { title: `${total} is due on ${day}`, withCard: false };
  return { title: who === null ? `You pay ${total} on ${day}` : `${who} pays ${total} on ${day}`, withCard: true };
}

function billNotes(bill: ShownBill, hasCard: boolean) {
  const { at, lines, totalCents, creditCents, carriedCents } = bill;
  const isLast = lines.length === 0;
  const leftCents = bill.leftCents + (isLast ? 0 : bill.balanceLeftCents);
  const left = isLast
    ? `Still yours: ${formatCents(leftCents)}. It is refunded on ${billDay(at)}.`
    : `Still yours: ${formatCents(leftCents)}. It comes off the bills after this one.`;
  return [
    ...(totalCents > 0 && !hasCard
      ? ['There is no card on file. Add one before that day to keep everything open.']
      : []),
    ...(totalCents === 0 && creditCents > 0 ? [`Your credit pays ${formatCents(creditCents)} of it.`] : []),
    ...(carriedCents > 0 && !isLast
      ? [`${formatCents(carriedCents)} is too little to charge; the bill after this one has it.`]
      : []),
    ...(leftCents > 0 ? [left] : []),
  ];
}

/** What closing an account or a team charges, as its call has to agree to it. Without a card it charges nothing. */
export const closingCharge = (forecast: Pick<Forecast, 'closing' | 'card'> | undefined): { charge?: Charge } =>
  forecast?.card && forecast.closing.totalCents > 0
    ? { charge: { cents: forecast.closing.totalCents, last4: forecast.card.last4 } }
    : {};

/** The button that closes: where it charges, with the sum and the card. */
export const closingLabel = (label: string, forecast: Pick<Forecast, 'closing' | 'card'> | undefined): string => {
  const { charge } = closingCharge(forecast);
  return charge ? `${label} and pay ${formatCents(charge.cents)} with ${cardName(forecast!.card!)}` : label;
};

/** What closing an account or a team settles at once. */
export function closingSentence({ closing, card }: Pick<Forecast, 'closing' | 'card'>): string {
  const { totalCents, refundCents } = closing;
  if (totalCents > 0)
    return `a last ${formatCents(totalCents)} is charged today${card ? ` to ${cardName(card)}` : ''}, for days that were not paid yet`;
  return refundCents > 0 ? `${formatCents(refundCents)} is refunded` : 'nothing more is charged';
}
