import { brand } from '#shared/brand.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';

export type Terms = {
  /** The price, as the server has it. */
  cents: number;
  /** What is charged today: the price, less the payer's credit. */
  dueCents: number;
  /** The price holds for `months` only; `thenCents` is the price after that. */
  offer?: { months: number; thenCents: number } | undefined;
  /** The charge after today's, if its date is known. */
  next?: { at: Date; cents: number } | null | undefined;
};

/** Why less than the price is due today; null if it is not. */
export const creditSentence = ({ cents, dueCents }: Pick<Terms, 'cents' | 'dueCents'>): string | null =>
  dueCents < cents ? `${formatCents(cents)}, less your credit of ${formatCents(cents - dueCents)}` : null;

/** What follows today's charge, as the rest of its sentence. */
function afterToday({ cents, dueCents, offer, next }: Terms): string {
  const price = dueCents === cents ? '' : `, ${formatCents(cents)}`;
  if (offer) {
    const more = offer.months - 1;
    const months =
      price === '' ? ` and each month, ${offer.months} times in all` : `${price} each month, ${more} more times`;
    return `${more > 0 ? months : ''}, then ${formatCents(offer.thenCents)} each month`;
  }
  if (!next) return price === '' ? ' and each month' : `${price} each month from then on`;
  return `,${next.cents === dueCents ? '' : ` ${formatCents(next.cents)}`} on ${formatDay(next.at)} and then each month`;
}

/** What is charged, when it recurs, and until when: the text before and after the name of the card. */
export function chargeTerms(terms: Terms): [string, string] {
  const { cents, dueCents, offer, next } = terms;
  const price = formatCents(cents);
  const { sellerName } = brand;
  if (dueCents > 0 || cents === 0) {
    const credit = creditSentence(terms);
    return [
      `${sellerName} charges ${formatCents(dueCents)} to `,
      ` today${credit ? ` (${credit})` : ''}${afterToday(terms)} until you cancel.`,
    ];
  }
  const today = `your credit pays today’s ${price}`;
  if (offer || !next) {
    const more =
      offer && offer.months > 1
        ? `${price} for ${offer.months - 1} more ${offer.months > 2 ? 'months' : 'month'}, then `
        : '';
    const monthly = `${more}${formatCents(offer?.thenCents ?? cents)} a month`;
    return [
      `${today}. After that it costs ${monthly}: ${sellerName} charges it to `,
      ' each month, less any credit you have left, until you cancel.',
    ];
  }
  const on = formatDay(next.at);
  // Credit left over from today makes the next charge smaller too.
  if (next.cents === 0)
    return [
      `${today}, and the next month on ${on}. Once it is used up, ${sellerName} charges ${price} to `,
      ' each month until you cancel.',
    ];
  const then = next.cents === cents ? '' : ` ${price}`;
  return [
    `${today}. ${sellerName} charges ${formatCents(next.cents)} to `,
    ` on ${on}, then${then} each month until you cancel.`,
  ];
}
