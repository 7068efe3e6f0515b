import { day, hour } from './dates.ts';

/** Offers to come back (B §9 Win-back). */
export const winBackOfferIds = ['comeback_special', 'monthly_restart', 'annual_savings'] as const;
export type WinBackOfferId = (typeof winBackOfferIds)[number];

export type WinBackOffer = { offerId: WinBackOfferId; percent: number; months: number; mostPopular: boolean };

/** Whole days since the subscription became expired. */
export const daysSince = (expiredAt: Date, now: Date) => Math.floor((now.getTime() - expiredAt.getTime()) / day);

/** The dynamic discount by days since expiry, in percent (B §9). */
export function comebackPercent(days: number): number {
  if (days <= 7) return 30;
  if (days <= 30) return 25;
  if (days <= 60) return 20;
  return 15;
}

/** The three offers, in the order they are shown; `months` are discounted monthly payments. */
export const winBackOffers = (days: number): WinBackOffer[] => [
  { offerId: 'comeback_special', percent: comebackPercent(days), months: 3, mostPopular: true },
  { offerId: 'monthly_restart', percent: 15, months: 1, mostPopular: false },
  { offerId: 'annual_savings', percent: 40, months: 12, mostPopular: false },
];

/** Countdown of an offer, in days: max(7 − days since expiry, 1) (B §9). */
export const offerExpiresInDays = (days: number) => Math.max(7 - days, 1);

/** The offer as the invoice of that day prices it; null once its months are over. Half a day for clocks that differ. */
export function winBackAt<T extends { percent: number; months: number; endsAt: string | null }>(
  winBack: T | null,
  invoiceAt: Date | null,
): T | null {
  if (!winBack || winBack.endsAt === null || invoiceAt === null) return winBack;
  return new Date(winBack.endsAt).getTime() - invoiceAt.getTime() > 12 * hour ? winBack : null;
}
