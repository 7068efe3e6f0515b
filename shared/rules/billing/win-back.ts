import { day, plus } from '../dates.ts';

export const winBackOfferIds = ['comeback_special', 'monthly_restart', 'annual_savings'] as const;
export type WinBackOfferId = (typeof winBackOfferIds)[number];

export const winBackNames: Record<WinBackOfferId, string> = {
  comeback_special: 'Comeback special',
  monthly_restart: 'Monthly restart',
  annual_savings: 'Annual savings',
};

/** How many percent an offer takes off until this many days since expiry. */
type Step = { days: number; percent: number };
/** `months` are discounted monthly payments. */
type Terms = { months: number; steps: readonly Step[] };

const offers: Record<WinBackOfferId, Terms> = {
  comeback_special: {
    months: 3,
    steps: [
      { days: 7, percent: 30 },
      { days: 30, percent: 25 },
      { days: 60, percent: 20 },
      { days: Infinity, percent: 15 },
    ],
  },
  monthly_restart: { months: 1, steps: [{ days: Infinity, percent: 15 }] },
  annual_savings: { months: 12, steps: [{ days: Infinity, percent: 40 }] },
};

/** Whole days since the subscription became expired. */
export const daysSince = (expiredAt: Date, now: Date) => Math.floor((now.getTime() - expiredAt.getTime()) / day);

/** Of several offers the one with the lowest price a month. */
export const cheapest = <T extends { monthlyCents: number }>(offers: readonly T[]): T | undefined =>
  offers.toSorted((a, b) => a.monthlyCents - b.monthlyCents)[0];

export type WinBackOffer = { offerId: WinBackOfferId; percent: number; months: number; mostPopular: boolean };

/** What is offered so many days since expiry, in the order in which it is shown. */
export const winBackOffers = (days: number): WinBackOffer[] =>
  winBackOfferIds.map((offerId) => {
    const { months, steps } = offers[offerId];
    const { percent } = steps.find((step) => days <= step.days)!;
    return { offerId, percent, months, mostPopular: offerId === 'comeback_special' };
  });

/** When the comeback special next changes, and its percentage then; null once it stays the same. */
export function comebackChange(expiredAt: Date, now: Date): { at: Date; percent: number } | null {
  const { steps } = offers.comeback_special;
  const index = steps.findIndex((step) => daysSince(expiredAt, now) <= step.days);
  const next = steps[index + 1];
  return next ? { at: plus(expiredAt, (steps[index]!.days + 1) * day), percent: next.percent } : null;
}

export const offerExpiresInDays = (days: number) => Math.max(7 - days, 1);
