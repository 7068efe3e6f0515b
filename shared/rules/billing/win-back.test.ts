import { describe, expect, it } from 'vitest';
import { comebackChange, daysSince, offerExpiresInDays, winBackOffers } from './win-back.ts';

const comebackPercent = (days: number) => winBackOffers(days)[0]!.percent;

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
  ])('%i days since expiry: %i%%', (days, percent) => expect(comebackPercent(days)).toBe(percent));

  it('has three offers: 3 months, dynamic, most popular; 15% for 1 month; 40% for 12 months', () => {
    expect(winBackOffers(10)).toEqual([
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
    expect(comebackChange(expiredAt, on(days))).toEqual({ at: on(change), percent });
    expect(comebackPercent(daysSince(expiredAt, on(change)))).toBe(percent);
    expect(comebackChange(expiredAt, on(61))).toBeNull();
  });

  it.each([
    ['2026-11-21T00:00:00Z', '2026-11-21T23:59:59Z', 0],
    ['2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z', 1],
    ['2026-11-21T12:00:00Z', '2026-11-22T11:59:59Z', 0],
  ])('counts whole days: from %s to %s are %i', (from, to, days) =>
    expect(daysSince(new Date(from), new Date(to))).toBe(days),
  );
});
