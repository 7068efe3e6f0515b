import { expect, it } from 'vitest';
import { brand } from '#shared/brand.ts';
import { chargeTerms, creditSentence } from './charge-terms.ts';

const at = new Date('2026-12-22T13:00:00Z');
const offer = { months: 3, thenCents: 2500 };

it.each([
  [{ cents: 2500, dueCents: 2500 }, 'S charges $25.00 to CARD today and each month'],
  [
    { cents: 2500, dueCents: 2500, next: { at, cents: 2500 } },
    'S charges $25.00 to CARD today, on 23 Dec 2026 and then each month',
  ],
  [
    { cents: 2500, dueCents: 2500, next: { at, cents: 2375 } },
    'S charges $25.00 to CARD today, $23.75 on 23 Dec 2026 and then each month',
  ],
  [
    { cents: 1750, dueCents: 1750, offer },
    'S charges $17.50 to CARD today and each month, 3 times in all, then $25.00 each month',
  ],
  [
    { cents: 2125, dueCents: 2125, offer: { ...offer, months: 1 } },
    'S charges $21.25 to CARD today, then $25.00 each month',
  ],
  // With credit for a part.
  [
    { cents: 2500, dueCents: 1250 },
    'S charges $12.50 to CARD today ($25.00, less your credit of $12.50), $25.00 each month from then on',
  ],
  [
    { cents: 2500, dueCents: 1250, next: { at, cents: 2500 } },
    'S charges $12.50 to CARD today ($25.00, less your credit of $12.50), $25.00 on 23 Dec 2026 and then each month',
  ],
  [
    { cents: 1750, dueCents: 500, offer },
    'S charges $5.00 to CARD today ($17.50, less your credit of $12.50), $17.50 each month, 2 more times, then $25.00 each month',
  ],
  // With credit for all of it.
  [
    { cents: 2500, dueCents: 0, next: { at, cents: 2500 } },
    'your credit pays today’s $25.00. S charges $25.00 to CARD on 23 Dec 2026, then each month',
  ],
  [
    { cents: 2500, dueCents: 0, next: { at, cents: 800 } },
    'your credit pays today’s $25.00. S charges $8.00 to CARD on 23 Dec 2026, then $25.00 each month',
  ],
  [
    { cents: 2500, dueCents: 0, next: { at, cents: 0 } },
    'your credit pays today’s $25.00, and the next month on 23 Dec 2026. Once it is used up, S charges $25.00 to CARD each month',
  ],
  [
    { cents: 2500, dueCents: 0 },
    'your credit pays today’s $25.00. After that it costs $25.00 a month: S charges it to CARD each month, less any credit you have left,',
  ],
  [
    { cents: 1750, dueCents: 0, offer },
    'your credit pays today’s $17.50. After that it costs $17.50 for 2 more months, then $25.00 a month: S charges it to CARD each month, less any credit you have left,',
  ],
])('what is charged today and after it: %j', (terms, text) =>
  expect(chargeTerms(terms).join('CARD').replace(brand.sellerName, 'S')).toBe(`${text} until you cancel.`),
);

it('says why less is due than the price', () => {
  expect(creditSentence({ cents: 2500, dueCents: 2500 })).toBe(null);
  expect(creditSentence({ cents: 2500, dueCents: 1250 })).toBe('$25.00, less your credit of $12.50');
});
