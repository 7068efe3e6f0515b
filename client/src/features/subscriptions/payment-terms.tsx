import type { ReactNode } from 'react';
import type { Charge, Confirmation } from '#shared/api/subscriptions.ts';
import { brand } from '#shared/brand.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';
import { paths } from '#client/lib/paths.ts';
import { TextLink } from '#client/ui/text-link.tsx';

/** A price for some months only, and the price after them. */
export type OfferTerms = { months: number; thenCents: number };

export type Terms = {
  /** The price, as the server has it. */
  cents: number;
  /** What is charged today: the price, less the payer's credit. */
  dueCents: number;
  offer?: OfferTerms | undefined;
  /** The charge after today's, where its date is known. */
  next?: { at: Date; cents: number } | null | undefined;
};

/** What the server answers when a payment is opened. */
export type Opened = Pick<Confirmation, 'clientSecret' | 'amountCents' | 'creditCents'> & {
  includesLostMoney?: boolean;
};

export type PaymentRequest = {
  toolId: string;
  terms: Terms;
  /** Opens the payment at the server; with `charge` the card on file pays it. */
  open: (charge?: Charge) => Promise<Opened>;
  /** For a failure without a sentence of the server's. */
  failure: string;
};

const afterwards = ({ cents, offer, next }: Terms): string => {
  if (offer) {
    const times = offer.months > 1 ? ` and each month, ${offer.months} times in all` : '';
    return `${times}, then ${formatCents(offer.thenCents)} each month`;
  }
  if (!next) return ' and each month';
  return next.cents === cents
    ? `, on ${formatDay(next.at)} and then each month`
    : `, ${formatCents(next.cents)} on ${formatDay(next.at)} and then each month`;
};

/** Why less is due today than the price. */
export const creditSentence = ({ cents, dueCents }: Pick<Terms, 'cents' | 'dueCents'>): string | null =>
  dueCents < cents ? `${formatCents(cents)}, less your credit of ${formatCents(cents - dueCents)}` : null;

/** What the button beside it starts: the amount, when it comes again, and until when. */
export const PaymentTerms = ({ terms, card }: { terms: Terms; card: ReactNode }) => (
  <p className="figures text-xs text-muted">
    By subscribing you agree to these terms: {brand.sellerName} charges {formatCents(terms.dueCents)} to {card} today
    {creditSentence(terms) && ` (${creditSentence(terms)})`}
    {afterwards(terms)} until you cancel. Prices are in Australian dollars and include GST. How we handle your
    information is in our <TextLink href={paths.privacy}>Privacy Policy</TextLink>.
  </p>
);
