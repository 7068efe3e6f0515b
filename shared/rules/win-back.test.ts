import { describe, expect, it } from 'vitest';
import {
  daysSince,
  offerExpiresInDays,
  offerOf,
  releasedWinBack,
  stepsFault,
  winBackChange,
  winBackOffers,
  winBackPercent,
  type WinBackSettings,
} from './win-back.ts';

const comeback = releasedWinBack.comeback_special;

describe('Win-back', () => {
  it.each([
    [0, 30],
    [7, 30],
    [8, 25],
    [30, 25],
    [31, 20],
    [60, 20],
    [61, 15],
    [400, 15],
  ])('%i days since expiry: %i%%', (days, percent) => expect(winBackPercent(comeback, days)).toBe(percent));

  it('has three offers: 3 months, dynamic, most popular; 15% for 1 month; 40% for 12 months', () => {
    expect(winBackOffers(releasedWinBack, 10)).toEqual([
      { offerId: 'comeback_special', percent: 25, months: 3, mostPopular: true },
      { offerId: 'monthly_restart', percent: 15, months: 1, mostPopular: false },
      { offerId: 'annual_savings', percent: 40, months: 12, mostPopular: false },
    ]);
  });

  it.each([
    [0, 7],
    [1, 6],
    [6, 1],
    [7, 1],
    [90, 1],
  ])('%i days since expiry: the offer ends in %i days', (days, left) => expect(offerExpiresInDays(days)).toBe(left));

  it.each([
    [0, 8, 25],
    [7, 8, 25],
    [8, 31, 20],
    [31, 61, 15],
  ])('%i days since expiry: the comeback special changes on day %i, to %i%%', (days, change, percent) => {
    const expiredAt = new Date('2026-11-21T00:00:00Z');
    const on = (count: number) => new Date(expiredAt.getTime() + count * 24 * 3600_000);
    expect(winBackChange(comeback, expiredAt, on(days))).toEqual({ at: on(change), percent });
    expect(winBackPercent(comeback, daysSince(expiredAt, on(change)))).toBe(percent);
    expect(winBackChange(comeback, expiredAt, on(61))).toBeNull();
  });

  it.each([
    ['2026-11-21T00:00:00Z', '2026-11-21T23:59:59Z', 0],
    ['2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z', 1],
    ['2026-11-21T12:00:00Z', '2026-11-22T11:59:59Z', 0],
  ])('from %s to %s are %i whole days', (from, to, days) => expect(daysSince(new Date(from), new Date(to))).toBe(days));
});

describe('What an administrator sets', () => {
  const settings: WinBackSettings = {
    comeback_special: {
      isOn: true,
      months: 2,
      steps: [
        { days: 14, percent: 35 },
        { days: null, percent: 10 },
      ],
    },
    monthly_restart: { isOn: false, months: 1, steps: [{ days: null, percent: 15 }] },
    annual_savings: { isOn: true, months: 6, steps: [{ days: null, percent: 50 }] },
  };

  it('an offer that is off is not made', () =>
    expect(winBackOffers(settings, 15)).toEqual([
      { offerId: 'comeback_special', percent: 10, months: 2, mostPopular: true },
      { offerId: 'annual_savings', percent: 50, months: 6, mostPopular: false },
    ]));

  it.each([
    [35, 2, 'comeback_special'],
    [40, 2, 'comeback_special'],
    [50, 6, 'annual_savings'],
    [15, 1, 'monthly_restart'],
    [30, 3, 'comeback_special'],
  ])('a coupon of %i%% for %i months is of %s', (percent, months, offerId) =>
    expect(offerOf(settings, percent, months)).toBe(offerId),
  );

  it.each([
    [[{ days: null, percent: 10 }], null],
    [settings.comeback_special.steps, null],
    [[], 'The last percentage holds however long ago it was'],
    [[{ days: 7, percent: 10 }], 'The last percentage holds however long ago it was'],
    [
      [
        { days: 7, percent: 30 },
        { days: 7, percent: 20 },
        { days: null, percent: 10 },
      ],
      'Each step needs more days than the one before it',
    ],
    [
      [
        { days: null, percent: 30 },
        { days: null, percent: 10 },
      ],
      'Each step needs more days than the one before it',
    ],
  ])('the steps %j: %s', (steps, fault) => expect(stepsFault(steps)).toBe(fault));
});
