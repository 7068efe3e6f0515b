import { expect, it } from 'vitest';
import { daysOf, expiryOf, maskedKey } from './admin.ts';

it.each([
  ['30', 30],
  [' 7 ', 7],
  ['400', 400],
  ['', 365],
  ['abc', 365],
  ['1.5', 365],
  ['-1', 365],
  ['NaN', 365],
])('the form takes %j for %i days, and what is no number for 365', (typed, days) => {
  expect(daysOf(typed)).toBe(days);
});

it('the list shows a key by its last four characters alone', () => {
  expect(maskedKey('a1-_')).toBe('ak_••••••••a1-_');
  expect(maskedKey(null)).toBe('ak_••••••••••••');
});

it('an expiry counts days of 24 hours', () => {
  expect(expiryOf(new Date('2026-10-03T12:00:00Z'), 1)).toEqual(new Date('2026-10-04T12:00:00Z'));
});
