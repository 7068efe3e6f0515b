import { expect, it } from 'vitest';
import { afterToday, creditSentence } from './charge-terms.ts';

const at = new Date('2026-12-22T13:00:00Z');
const offer = { months: 3, thenCents: 2500 };

it.each([
  [{ cents: 2500, dueCents: 2500 }, ' and each month'],
  [{ cents: 2500, dueCents: 2500, next: { at, cents: 2500 } }, ', on 23 Dec 2026 and then each month'],
  [{ cents: 2500, dueCents: 2500, next: { at, cents: 2375 } }, ', $23.75 on 23 Dec 2026 and then each month'],
  [{ cents: 1750, dueCents: 1750, offer }, ' and each month, 3 times in all, then $25.00 each month'],
  [{ cents: 2125, dueCents: 2125, offer: { ...offer, months: 1 } }, ', then $25.00 each month'],
  // With credit.
  [{ cents: 2500, dueCents: 1250 }, ', $25.00 each month from then on'],
  [{ cents: 2500, dueCents: 1250, next: { at, cents: 2500 } }, ', $25.00 on 23 Dec 2026 and then each month'],
  [{ cents: 2500, dueCents: 0, next: { at, cents: 2500 } }, ', $25.00 on 23 Dec 2026 and then each month'],
  [{ cents: 2500, dueCents: 0, next: { at, cents: 800 } }, ', $8.00 on 23 Dec 2026 and then $25.00 each month'],
  [{ cents: 2500, dueCents: 0, next: { at, cents: 0 } }, ', on 23 Dec 2026 and then $25.00 each month'],
  [{ cents: 1750, dueCents: 500, offer }, ', $17.50 each month, 2 more times, then $25.00 each month'],
])('what comes after the charge of today: %j', (terms, text) => expect(afterToday(terms)).toBe(text));

it('says why less is due than the price', () => {
  expect(creditSentence({ cents: 2500, dueCents: 2500 })).toBe(null);
  expect(creditSentence({ cents: 2500, dueCents: 1250 })).toBe('$25.00, less your credit of $12.50');
});
