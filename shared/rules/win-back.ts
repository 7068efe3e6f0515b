import { day, monthsText, plus } from './dates.ts';

export const winBackOfferIds = ['comeback_special', 'monthly_restart', 'annual_savings'] as const;
export type WinBackOfferId = (typeof winBackOfferIds)[number];

export const winBackNames: Record<WinBackOfferId, string> = {
  comeback_special: 'Comeback special',
  monthly_restart: 'Monthly restart',
  annual_savings: 'Annual savings',
};

/** How many percent the offer takes off until this many days since expiry; the last step, without days, holds however long ago. */
export type WinBackStep = { days: number | null; percent: number };
/** `months` are discounted monthly payments. */
export type WinBackTerms = { isOn: boolean; months: number; steps: WinBackStep[] };
/** What administrators set, whole. */
export type WinBackSettings = Record<WinBackOfferId, WinBackTerms>;

/** Until an administrator sets others. */
export const releasedWinBack: WinBackSettings = {
  comeback_special: {
    isOn: true,
    months: 3,
    steps: [
      { days: 7, percent: 30 },
      { days: 30, percent: 25 },
      { days: 60, percent: 20 },
      { days: null, percent: 15 },
    ],
  },
  monthly_restart: { isOn: true, months: 1, steps: [{ days: null, percent: 15 }] },
  annual_savings: { isOn: true, months: 12, steps: [{ days: null, percent: 40 }] },
};

export const mostWinBackMonths = 24;
export const mostWinBackSteps = 6;

/** Why these can't be the steps of an offer; null where they can. */
export function stepsFault(steps: readonly WinBackStep[]): string | null {
  const last = steps.at(-1);
  if (!last || last.days !== null) return 'The last percentage holds however long ago it was';
  const before = steps.slice(0, -1).map(({ days }) => days);
  const isAscending = before.every((days, index) => days !== null && days > (before[index - 1] ?? -1));
  return isAscending ? null : 'Each step needs more days than the one before it';
}

const stepAt = ({ steps }: WinBackTerms, days: number) => steps.findIndex((step) => days <= (step.days ?? Infinity));

/** In percent, by days since expiry. */
export const winBackPercent = (terms: WinBackTerms, days: number): number =>
  terms.steps[stepAt(terms, days)]?.percent ?? 0;

/** Whole days since the subscription became expired. */
export const daysSince = (expiredAt: Date, now: Date) => Math.floor((now.getTime() - expiredAt.getTime()) / day);

/** When the offer next changes, and its percentage then; null once it stays the same. */
export function winBackChange(terms: WinBackTerms, expiredAt: Date, now: Date): { at: Date; percent: number } | null {
  const step = stepAt(terms, daysSince(expiredAt, now));
  const next = terms.steps[step + 1];
  return next ? { at: plus(expiredAt, ((terms.steps[step]?.days ?? 0) + 1) * day), percent: next.percent } : null;
}

export type WinBackOffer = { offerId: WinBackOfferId; percent: number; months: number; mostPopular: boolean };

/** Those that are on, in the order they are shown. */
export const winBackOffers = (settings: WinBackSettings, days: number): WinBackOffer[] =>
  winBackOfferIds
    .filter((offerId) => settings[offerId].isOn)
    .map((offerId) => ({
      offerId,
      percent: winBackPercent(settings[offerId], days),
      months: settings[offerId].months,
      mostPopular: offerId === 'comeback_special',
    }));

/** The offer that a coupon of this percentage and this many months belongs to, for a row that is rebuilt from Stripe. */
export const offerOf = (settings: WinBackSettings, percent: number, months: number): WinBackOfferId => {
  const among = winBackOfferIds.filter((offerId) => settings[offerId].months === months);
  const exactly = among.find((offerId) => settings[offerId].steps.some((step) => step.percent === percent));
  return exactly ?? among[0] ?? 'comeback_special';
};

export const offerExpiresInDays = (days: number) => Math.max(7 - days, 1);

/** `30% until day 7, 25% until day 30, then 15%, for 3 months` */
export function termsText({ isOn, months, steps }: WinBackTerms): string {
  const parts = steps.map(({ days, percent }) =>
    days === null ? `${steps.length > 1 ? 'then ' : ''}${percent}%` : `${percent}% until day ${days}`,
  );
  return `${isOn ? '' : 'off: '}${parts.join(', ')}, for ${monthsText(months)}`;
}
