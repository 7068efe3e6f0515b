import { describe, expect, it } from 'vitest';
import { billsThen, chargeTerms, dueToday, offerTerms, type Terms } from './charge-terms.ts';

const on = (date: string) => new Date(`${date}T01:00:00Z`);
const part = (from: string, to: string, cents: number) =>
  ({ from, to, cents, toolId: 'x', toolName: 'X', person: null, cause: 'purchase', days: 18, gstCents: 0 }) as const;
const later: Terms = {
  cents: 2850,
  dueTodayCents: 1710,
  part: part('2026-12-08', '2026-12-25', 1710),
  carriedCents: 0,
  until: on('2026-12-26'),
  nextBill: { at: on('2026-12-26'), totalCents: 7600 },
  wholeMonth: { at: on('2026-12-26'), monthCents: 7600, priceCents: 2850 },
};
const first: Terms = { ...later, cents: 3000, dueTodayCents: 3000, part: null, until: on('2027-01-08') };

describe('due today', () => {
  it.each<[string, Terms, string]>([
    ['another tool', later, 'Due today $17.10, for 8 to 25 December.'],
    ['the first tool', first, 'Due today $30.00, for the month to 7 January.'],
    [
      'days of two months',
      { ...later, part: part('2026-12-28', '2027-01-25', 1710) },
      'Due today $17.10, for 28 December to 25 January.',
    ],
    ['one day', { ...later, part: part('2026-12-25', '2026-12-25', 1710) }, 'Due today $17.10, for 25 December.'],
    [
      'less credit',
      { ...later, dueTodayCents: 710 },
      'Due today $7.10 ($17.10, less your credit of $10.00), for 8 to 25 December.',
    ],
    ['credit pays it', { ...later, dueTodayCents: 0 }, 'Nothing is due today: your credit pays the $17.10.'],
    [
      'too little',
      { ...later, part: part('2026-12-25', '2026-12-25', 30), dueTodayCents: 0, carriedCents: 30 },
      'Nothing is due today: $0.30 is too little to charge; your next bill has it.',
    ],
  ])('the page says what is due today, and for which days: %s', (_name, terms, text) =>
    expect(dueToday(terms)).toBe(text),
  );
});

describe('the bills after a purchase', () => {
  it.each<[string, Partial<Terms>, string | null]>([
    ['a month', {}, 'From 26 December your bill is $76.00 a month.'],
    [
      'with parts of months on the first one',
      { nextBill: { at: on('2026-12-26'), totalCents: 8100 } },
      'Your bill of 26 December is $81.00, and after it $76.00 a month.',
    ],
    [
      'bought on the billing day',
      { wholeMonth: { at: on('2027-01-26'), monthCents: 7600, priceCents: 2850 } },
      'Your bill of 26 December is $76.00; from 26 January it is $76.00 a month.',
    ],
    ['free', { nextBill: null, wholeMonth: null }, null],
  ])('the page says what they come to: %s', (_name, more, text) => expect(billsThen({ ...later, ...more })).toBe(text));
});

it('the page says what an offer costs, and what follows it', () => {
  expect(offerTerms(later)).toBeNull();
  expect(offerTerms({ ...later, cents: 2100, offer: { months: 3, thenCents: 3000 } })).toBe(
    'It costs $21.00 a month for 3 months, then $30.00.',
  );
  expect(offerTerms({ ...later, cents: 2100, offer: { months: 1, thenCents: 3000 } })).toBe(
    'It costs $21.00 a month for one month, then $30.00.',
  );
});

it('the page says what somebody agrees to', () => {
  expect(chargeTerms(later).join('Visa')).toMatch(
    /^You authorise .+ to charge \$17\.10 to Visa today, and then your bill each month, until you cancel\.$/,
  );
  expect(chargeTerms({ dueTodayCents: 0 }).join('Visa')).toMatch(/each month to Visa until you cancel\. Nothing is/);
});
