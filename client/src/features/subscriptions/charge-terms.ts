import { seller } from '#shared/brand.ts';
import type { Due, Quote } from '#shared/api/subscriptions.ts';
import { businessZone, calendarDays, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { billDayInFull } from '#client/lib/words/format.ts';

export type Terms = Due & {
  /** What a month of it costs today. */
  cents: number;
  /** The price holds for `months` only; `thenCents` is the price after that. */
  offer?: Quote['offer'];
};

export const termsOf = (quote: Quote): Terms => ({ ...quote, cents: quote.totalCents });

/** Noon in UTC is the same day in Sydney. */
const noon = (day: string) => new Date(`${day}T01:00:00Z`);

/** `8 to 25 December`, `8 December to 7 January`. */
function daysInFull(from: string, to: string): string {
  const [first, last] = [billDayInFull(noon(from)), billDayInFull(noon(to))];
  if (from === to) return last;
  return from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))} to ${last}` : `${first} to ${last}`;
}

const dayBefore = (at: Date) => new Date(noon(sydneyDate(at)).getTime() - 24 * 3600_000);

/** Why less than the price of its days is due today; null where it is not. */
function whyLess({ cents, part, dueTodayCents, carriedCents }: Terms): string | null {
  const price = part?.cents ?? cents;
  const creditCents = price - dueTodayCents - carriedCents;
  if (carriedCents > 0) return `${formatCents(carriedCents)} is too little to charge; your next bill has it`;
  if (creditCents <= 0) return null;
  return dueTodayCents === 0
    ? `your credit pays the ${formatCents(price)}`
    : `${formatCents(price)}, less your credit of ${formatCents(creditCents)}`;
}

/** What is due today and for which days. `Due today $17.10, for 8 to 25 December.` */
export function dueToday(terms: Terms): string {
  const { dueTodayCents, part, until } = terms;
  const days = part ? daysInFull(part.from, part.to) : `the month to ${billDayInFull(dayBefore(until))}`;
  const less = whyLess(terms);
  if (dueTodayCents === 0) return `Nothing is due today${less ? `: ${less}` : ''}.`;
  return `Due today ${formatCents(dueTodayCents)}${less ? ` (${less})` : ''}, for ${days}.`;
}

const sameDay = (one: Date, other: Date) => calendarDays(one, other, businessZone) === 0;

/** What the payer's bills are then. `From 26 December your bill is $76.00 a month.` */
export function billsThen({ nextBill, wholeMonth }: Due): string | null {
  if (!wholeMonth)
    return nextBill && `Your bill of ${billDayInFull(nextBill.at)} is ${formatCents(nextBill.totalCents)}.`;
  const [month, day] = [formatCents(wholeMonth.monthCents), billDayInFull(wholeMonth.at)];
  if (!nextBill || (sameDay(nextBill.at, wholeMonth.at) && nextBill.totalCents === wholeMonth.monthCents))
    return `From ${day} your bill is ${month} a month.`;
  const next = `Your bill of ${billDayInFull(nextBill.at)} is ${formatCents(nextBill.totalCents)}`;
  return sameDay(nextBill.at, wholeMonth.at)
    ? `${next}, and after it ${month} a month.`
    : `${next}; from ${day} it is ${month} a month.`;
}

/** The price while an offer lasts, and after it. */
export const offerTerms = ({ cents, offer }: Terms): string | null =>
  offer
    ? `It costs ${formatCents(cents)} a month for ${offer.months === 1 ? 'one month' : `${offer.months} months`}, then ${formatCents(offer.thenCents)}.`
    : null;

/** What somebody agrees to: the text before and after the name of the card. */
export function chargeTerms({ dueTodayCents }: Pick<Due, 'dueTodayCents'>): [string, string] {
  const { name } = seller();
  return dueTodayCents > 0
    ? [
        `You authorise ${name} to charge ${formatCents(dueTodayCents)} to `,
        ' today, and then your bill each month, until you cancel.',
      ]
    : [`You authorise ${name} to charge your bill each month to `, ' until you cancel. Nothing is charged today.'];
}
