import { describe, expect, it } from 'vitest';
import { basQuarterOf, leftOf, monthsBetween, monthsUntil, plusMonthsOf, retainedPercent } from './business.ts';

describe('months', () => {
  it.each([
    ['2026-11', 1, '2026-12'],
    ['2026-11', 2, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-03', -15, '2024-12'],
    ['2026-06', 0, '2026-06'],
  ])('are counted across years: %s plus %i is %s', (month, count, expected) => {
    expect(plusMonthsOf(month, count)).toBe(expected);
    expect(monthsBetween(month, expected)).toBe(count);
  });

  it('are listed up to the last', () => expect(monthsUntil('2026-02', 3)).toEqual(['2025-12', '2026-01', '2026-02']));
});

describe('the quarter of an activity statement', () => {
  it.each([
    ['2026-07', '2027-Q1', '2026-07', '2026-09'],
    ['2026-09', '2027-Q1', '2026-07', '2026-09'],
    ['2026-10', '2027-Q2', '2026-10', '2026-12'],
    ['2026-12', '2027-Q2', '2026-10', '2026-12'],
    ['2027-01', '2027-Q3', '2027-01', '2027-03'],
    ['2027-03', '2027-Q3', '2027-01', '2027-03'],
    ['2027-04', '2027-Q4', '2027-04', '2027-06'],
    ['2027-06', '2027-Q4', '2027-04', '2027-06'],
  ])('%s is in %s, from %s to %s', (month, id, first, last) => {
    expect(basQuarterOf(month)).toMatchObject({ id, first, last });
  });
});

describe('a cohort', () => {
  it.each([
    ['nobody leaves', { '2026-09': 3 }, [3, 3, 3]],
    ['one leaves each month', { '2026-09': 3, '2026-10': -1, '2026-11': -1 }, [3, 2, 1]],
    ['one leaves and comes back', { '2026-09': 2, '2026-10': -2, '2026-11': 1 }, [2, 0, 1]],
  ])('keeps those who have not left: %s', (_name, changes, left) => {
    expect(leftOf(new Map(Object.entries(changes)), '2026-09', '2026-11')).toEqual(left);
  });

  it.each([
    [3, 4, 75],
    [1, 3, 33],
    [0, 3, 0],
    [0, 0, null],
  ])('keeps, with %i of %i, %s percent', (left, begun, percent) => expect(retainedPercent(left, begun)).toBe(percent));
});
