import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';

export type Terms = {
  /** The price, as the server has it. */
  cents: number;
  /** What is charged today: the price, less the payer's credit. */
  dueCents: number;
  /** The price holds for some months only, with another one after them. */
  offer?: { months: number; thenCents: number } | undefined;
  /** The charge after today's, where its date is known. */
  next?: { at: Date; cents: number } | null | undefined;
};

/** Why less is due today than the price; null where it is not. */
export const creditSentence = ({ cents, dueCents }: Pick<Terms, 'cents' | 'dueCents'>): string | null =>
  dueCents < cents ? `${formatCents(cents)}, less your credit of ${formatCents(cents - dueCents)}` : null;

/** What comes after the charge of today, to be read on from it. */
export function afterToday({ cents, dueCents, offer, next }: Terms): string {
  const price = dueCents === cents ? '' : `, ${formatCents(cents)}`;
  if (offer) {
    const more = offer.months - 1;
    const months =
      price === '' ? ` and each month, ${offer.months} times in all` : `${price} each month, ${more} more times`;
    return `${more > 0 ? months : ''}, then ${formatCents(offer.thenCents)} each month`;
  }
  if (!next) return price === '' ? ' and each month' : `${price} each month from then on`;
  const on = `,${next.cents === dueCents ? '' : ` ${formatCents(next.cents)}`} on ${formatDay(next.at)}`;
  // Credit that today leaves over makes the next charge smaller too.
  return dueCents === 0 && next.cents < cents
    ? `${on} and then ${formatCents(cents)} each month`
    : `${on} and then each month`;
}
