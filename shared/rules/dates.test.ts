import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  day,
  financialYearOf,
  formatSydneyDate,
  nextMonthlyAnniversary,
  plus,
  plusMonths,
  sydneyDate,
  zoneOf,
} from './dates.ts';

const at = (text: string) => new Date(text);

describe('plusMonths keeps the day, or takes the last of a shorter month', () => {
  it.each([
    ['2026-01-15T10:00:00Z', 1, '2026-02-15T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 2, '2026-03-31T10:00:00Z'],
    ['2026-03-31T23:59:59Z', 1, '2026-04-30T23:59:59Z'],
    ['2026-11-30T00:00:00Z', 3, '2027-02-28T00:00:00Z'],
    ['2026-12-31T00:00:00Z', 12, '2027-12-31T00:00:00Z'],
    ['2026-05-05T05:05:05Z', 0, '2026-05-05T05:05:05Z'],
  ])('%s + %i', (from, months, to) => expect(plusMonths(at(from), months)).toEqual(at(to)));

  it.each([
    ['2026-02-28T10:00:00Z', 1, 31, '2026-03-31T10:00:00Z'],
    ['2026-02-28T10:00:00Z', 2, 31, '2026-04-30T10:00:00Z'],
    ['2026-02-28T10:00:00Z', 1, 29, '2026-03-29T10:00:00Z'],
    ['2026-04-30T10:00:00Z', 10, 30, '2027-02-28T10:00:00Z'],
    ['2026-02-28T10:00:00Z', -1, 31, '2026-01-31T10:00:00Z'],
    ['2026-02-28T10:00:00Z', 1, 28, '2026-03-28T10:00:00Z'],
    ['2026-02-28T10:00:00Z', 1, null, '2026-03-28T10:00:00Z'],
  ])('%s + %i, billed on day %s', (from, months, billingDay, to) =>
    expect(plusMonths(at(from), months, billingDay)).toEqual(at(to)),
  );
});

describe('nextMonthlyAnniversary', () => {
  it.each([
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00Z', '2026-02-15T10:00:00Z'],
    ['2026-01-15T10:00:00Z', '2026-02-15T09:59:59Z', '2026-02-15T10:00:00Z'],
    ['2026-01-15T10:00:00Z', '2026-02-15T10:00:00Z', '2026-03-15T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-03-01T00:00:00Z', '2026-03-31T10:00:00Z'],
    ['2025-12-20T00:00:00Z', '2026-11-21T00:00:00Z', '2026-12-20T00:00:00Z'],
  ])('from %s at %s', (start, now, next) => expect(nextMonthlyAnniversary(at(start), at(now))).toEqual(at(next)));

  it('is after now and at most a month away, and never skips one', () =>
    fc.assert(
      fc.property(
        fc.date({ min: at('2020-01-01'), max: at('2030-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 2000 * day }),
        (start, later) => {
          const now = plus(start, later);
          const next = nextMonthlyAnniversary(start, now);
          expect(next.getTime()).toBeGreaterThan(now.getTime());
          expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(31 * day);
        },
      ),
    ));
});

it('calendar days are those of Sydney, in summer and in winter', () => {
  expect(sydneyDate(at('2026-01-01T12:59:59Z'))).toBe('2026-01-01');
  expect(sydneyDate(at('2026-01-01T13:00:00Z'))).toBe('2026-01-02');
  expect(sydneyDate(at('2026-07-01T13:59:59Z'))).toBe('2026-07-01');
  expect(sydneyDate(at('2026-07-01T14:00:00Z'))).toBe('2026-07-02');
  expect(formatSydneyDate(at('2026-11-20T20:00:00Z'))).toBe('21 Nov 2026');
});

it.each([
  ['NSW', 'Australia/Sydney'],
  ['VIC', 'Australia/Melbourne'],
  ['TAS', 'Australia/Hobart'],
  ['ACT', 'Australia/Sydney'],
  ['QLD', 'Australia/Brisbane'],
  ['SA', 'Australia/Adelaide'],
  ['NT', 'Australia/Darwin'],
  ['WA', 'Australia/Perth'],
  [null, 'Australia/Sydney'],
])('%s looks at the calendar of %s', (state, zone) => expect(zoneOf(state)).toBe(zone));

it.each([
  ['2026-06-30T13:59:59Z', 2026],
  ['2026-06-30T14:00:00Z', 2027],
  ['2027-06-30T13:59:59Z', 2027],
  ['2026-12-31T20:00:00Z', 2027],
])('%s is in the financial year that ends in %i, by Sydney’s calendar', (at, year) => {
  expect(financialYearOf(sydneyDate(new Date(at)))).toBe(year);
});
