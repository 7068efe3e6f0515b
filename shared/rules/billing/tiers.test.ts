import { describe, expect, it } from 'vitest';
import { type Tier, tiersAt, tiersChangeAt } from './pricing.ts';
import { largerOf, makesDearer, tiersFault, tiersText } from './tiers.ts';

const of = (...pairs: [number, number][]): Tier[] =>
  pairs.map(([toolCount, discountPercent]) => ({ toolCount, discountPercent }));
const seeded = of([2, 5], [3, 10], [4, 15], [6, 20]);
const on = (date: string) => new Date(`${date}T00:00:00Z`);

describe('a change of volume discounts', () => {
  it.each([
    ['the same', seeded, seeded, false],
    ['more off', seeded, of([2, 5], [3, 12], [4, 15], [6, 20]), false],
    ['another for more tools', seeded, of([2, 5], [3, 10], [4, 15], [6, 20], [8, 25]), false],
    ['from fewer tools', seeded, of([2, 10], [4, 15], [6, 20]), false],
    ['less off', seeded, of([2, 5], [3, 8], [4, 15], [6, 20]), true],
    ['from more tools', seeded, of([2, 5], [3, 10], [5, 15], [6, 20]), true],
    ['one ended', seeded, of([2, 5], [3, 10], [4, 15]), true],
    ['one added that takes less off than fewer tools do', seeded, of([2, 5], [3, 10], [4, 15], [5, 12], [6, 20]), true],
    ['none before', [], seeded, false],
    ['none afterwards', seeded, [], true],
  ])('makes some number of tools dearer, or none: %s', (_name, before, after, dearer) =>
    expect(makesDearer(before, after)).toBe(dearer),
  );
});

it.each([
  ['less for everybody', of([2, 1], [3, 8]), seeded],
  ['none afterwards', [], seeded],
  ['more for two, less for four', of([2, 9], [3, 10], [4, 11], [6, 20]), of([2, 9], [3, 10], [4, 15], [6, 20])],
  ['as much for two as for three', of([2, 10], [6, 12]), of([2, 10], [4, 15], [6, 20])],
  ['more for everybody', of([2, 12], [3, 21]), of([2, 12], [3, 21])],
])('of a change, what makes nobody dearer: %s', (_name, after, larger) =>
  expect(largerOf(seeded, after)).toEqual(larger),
);

describe('a change of volume discounts from a date', () => {
  const startsAt = on('2027-01-05');
  const tiers = [...seeded.map((tier) => ({ ...tier, until: startsAt })), { ...of([3, 10])[0]!, from: startsAt }];

  it.each([
    ['2026-11-23', seeded],
    ['2027-01-04', seeded],
    ['2027-01-05', of([3, 10])],
    ['2028-01-01', of([3, 10])],
  ])('counts for an invoice of %s', (date, expected) => expect(tiersAt(tiers, on(date))).toEqual(expected));

  it('is known until it begins', () => {
    expect(tiersChangeAt(tiers, on('2027-01-04'))).toEqual(startsAt);
    expect(tiersChangeAt(tiers, on('2027-01-05'))).toBeNull();
    expect(tiersChangeAt(seeded, on('2026-11-23'))).toBeNull();
  });
});

describe('the form for volume discounts', () => {
  it.each([
    [seeded, null],
    [[], null],
    [of([2, 5], [2, 10]), 'There are two discounts for 2 tools'],
    [of([4, 10], [2, 10]), '4 tools must take more off than 2 tools'],
    [of([2, 20], [3, 10]), '3 tools must take more off than 2 tools'],
  ])('takes %j or names the fault: %s', (tiers, fault) => expect(tiersFault(tiers)).toBe(fault));

  it('lists them in order', () => {
    expect(tiersText(of([4, 12.5], [2, 5]))).toBe('2 tools 5%, 4 tools 12.5%');
    expect(tiersText([])).toBe('none');
  });
});
