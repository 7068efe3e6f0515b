import { expect, it } from 'vitest';
import { brandName } from '#shared/rules/billing/money.ts';
import { cardExpiry, expiryText } from './card-expiry.ts';

it.each([
  ['2026-11-21', 12, 2031, 'valid'],
  ['2026-11-21', 1, 2027, 'valid'],
  ['2026-11-21', 12, 2026, 'valid'],
  ['2026-12-02', 12, 2026, 'soon'],
  ['2026-12-31T23:00:00Z', 12, 2026, 'soon'],
  ['2027-01-01', 12, 2026, 'expired'],
  ['2026-11-21', 10, 2026, 'expired'],
  ['2026-11-21', 12, 2020, 'expired'],
] as const)('on %s a card until %i/%i is %s', (now, expMonth, expYear, expected) => {
  expect(cardExpiry({ expMonth, expYear }, new Date(now))).toBe(expected);
});

it('a card is named by its brand, and its expiry is written with two digits and the year', () => {
  expect(expiryText({ expMonth: 4, expYear: 2031 })).toBe('04/2031');
  expect([brandName('mastercard'), brandName('unheard_of')]).toEqual(['Mastercard', 'Card']);
});
