import type { Forecast, ShownBill } from '#shared/api/billing.ts';
import type { Charge } from '#shared/api/charge.ts';
import { monthFrom } from '#shared/rules/billing/bill-table.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { billDay, sentenceCase } from '#client/lib/words/format.ts';

/** `Risk Profile AI, Fact Find AI and File Note AI`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** So that no line ends within a day: `26 Jan`. */
export const keepDays = (text: string) => text.replaceAll(/(\d) ([A-Z])/g, '$1\u00a0$2');

/** What somebody pays next: in one line, and what there is to say of it. */
export type NextPayment = {
  title: string;
  /** The line goes on with the card's name. */
  withCard: boolean;
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
    ...(bill && later ? [`${sentenceCase(monthFrom(billDay(later.at), later, 'the bill'))}.`] : []),
    ...endings.map(endingSentence),
  ];
  if (!charging) return { ...coming(bill, card !== null, who), notes };
  const then = bill && bill.totalCents > 0 ? [`Next, ${formatCents(bill.totalCents)} on ${billDay(bill.at)}.`] : [];
  const title = `${who === null ? 'You pay' : `${who} pays`} ${formatCents(charging.totalCents)} today`;
  return { title, withCard: card !== null, notes: [...then, ...notes] };
}

export const endingSentence = ({ toolName, at, reason, monthlyCents }: Forecast['endings'][number]) =>
  reason === 'trial_without_card'
    ? `The free trial of ${toolName} ends on ${billDay(at)}; with a card it goes on, for ${formatCents(monthlyCents)} a month.`
    : `${toolName} ends on ${billDay(at)}.`;

function coming(bill: ShownBill | null, hasCard: boolean, who: string | null): Omit<NextPayment, 'notes'> {
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
