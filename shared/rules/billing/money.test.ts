import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedCents, afterCredit, centsOf, formatCents, formatCentsShort, percentOf } from './money.ts';

describe('centsOf', () => {
  it.each([
    ['30.00', 3000],
    ['0.00', 0],
    ['12.5', 1250],
    ['7', 700],
    ['0.29', 29],
    ['1.15', 115],
    ['99999999.99', 9_999_999_999],
  ])('%s is %i cents', (decimal, cents) => expect(centsOf(decimal)).toBe(cents));

  it.each(['', '-1.00', '1.005', '1,00', 'abc', '1e3', ' 1.00'])('refuses %j', (text) =>
    expect(() => centsOf(text)).toThrow(RangeError),
  );

  it('never loses a cent', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => {
        expect(centsOf(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)).toBe(cents);
      }),
    ));
});

describe('percentOf rounds half up to the cent', () => {
  it.each([
    [1250, 5, 63], // 0.625
    [3000, 5, 150],
    [2500, 50, 1250],
    [1250, 10, 125],
    [1, 50, 1], // 0.005
    [1, 49, 0],
    [1750, 15, 263], // 2.625
    [1999, 50, 1000], // 9.995
    [3333, 33.33, 1111], // 11.108889
    [10, 5.5, 1], // 0.0055
    [0, 50, 0],
    [2575, 100, 2575],
  ])('%i cents × %d%% is %i', (cents, percent, expected) => expect(percentOf(cents, percent)).toBe(expected));

  it('agrees with exact arithmetic', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 10_000 }), (cents, hundredths) => {
        const exact = (2n * BigInt(cents) * BigInt(hundredths) + 10_000n) / 20_000n;
        expect(percentOf(cents, hundredths / 100)).toBe(Number(exact));
      }),
    ));
});

it.each([
  [2500, 0, { cents: 2500, creditCents: 0 }],
  [2500, 500, { cents: 2000, creditCents: 0 }],
  [2500, 2500, { cents: 0, creditCents: 0 }],
  [2500, 4000, { cents: 0, creditCents: 1500 }],
  [2500, 2450, { cents: 50, creditCents: 0 }],
  [2500, 2451, { cents: 0, creditCents: -49 }], // too little for a card
  [2500, -49, { cents: 2549, creditCents: 0 }],
  [-300, 100, { cents: 0, creditCents: 400 }],
])('credit pays an amount: %i cents with a credit of %i', (total, credit, expected) =>
  expect(afterCredit(total, credit)).toEqual(expected),
);

it('money is written as Australian dollars', () => {
  expect(formatCents(123450)).toBe('$1,234.50');
  expect(formatCents(0)).toBe('$0.00');
  expect(formatCents(-63)).toBe('−$0.63');
  expect(formatCents(-0)).toBe('$0.00');
  expect(formatCentsShort(3000)).toBe('$30');
  expect(formatCentsShort(3050)).toBe('$30.50');
  expect(formatCentsShort(5)).toBe('$0.05');
});

it.each([
  ['15', 1500],
  ['$15.50', 1550],
  [' 1,500.5 ', 150_050],
  ['0', 0],
  ['15.555', null],
  ['1,5', null],
  ['-3', null],
  ['', null],
  ['fifteen', null],
])('the form reads “%s” as dollars', (text, cents) => {
  expect(typedCents(text)).toBe(cents);
});
