import { beforeAll, expect, it } from 'vitest';
import { recordBusinessDate } from '#client/lib/words/business-time.ts';
import { billAfter, rowsAfter, whyChanged } from '#client/lib/money/price-changes.tsx';

beforeAll(() => recordBusinessDate('2027-05-02T00:00:00Z'));

const at = new Date('2027-05-10T01:00:00Z');
const bill = { at, totalCents: 7125, leftCents: 0, isLast: false, rest: [] };

it.each([
  ['a smaller bill', bill, 'Your bill of 10 May is then $71.25.'],
  [
    'a bill with days of a trial’s first month',
    { ...bill, rest: [{ label: 'Share Advice AI, 4 to 9 May 2027', cents: 595 }] },
    'Your bill of 10 May is then $71.25:',
  ],
  [
    'the last tool leaves, and days are still to be paid',
    { ...bill, totalCents: 4760, isLast: true },
    'A last $47.60 is charged on 10 May, for days that were not paid yet.',
  ],
  [
    'the last tool leaves, and something is still theirs',
    { ...bill, totalCents: 0, leftCents: 740, isLast: true },
    '$7.40 is refunded on 10 May.',
  ],
  ['too little to charge', { ...bill, totalCents: 0, isLast: true }, 'Nothing more is charged.'],
  ['no bill', null, 'Nothing more is charged.'],
])('the dialog says what a decision does to the bill: %s', (_name, then, sentence) => {
  expect(billAfter(then, 'Your')).toBe(sentence);
});

const rest = [
  { label: 'Share Advice AI, 4 to 9 May 2027', cents: 595 },
  { label: 'Credit', cents: -1000 },
];

it.each([
  ['the months alone', { ...bill, rest: [] }, []],
  ['days and credit', { ...bill, rest }, [{ label: 'Tools for the month', cents: 7530 }, ...rest]],
  [
    'more than can be read at a glance',
    { ...bill, rest: [...rest, ...rest] },
    [
      { label: 'Tools for the month', cents: 7935 },
      { label: 'Days of other months, and credit', cents: -810 },
    ],
  ],
  ['the last bill', { ...bill, rest, isLast: true }, []],
])('the dialog says what the bill is made of: %s', (_name, then, rows) => {
  expect(rowsAfter(then)).toEqual(rows);
});

const change = (volume: { from: number; to: number } | null) => ({
  toolName: 'File Note AI',
  at,
  fromCents: 2125,
  toCents: 2250,
  volume,
});

it.each([
  ['a smaller one', [{ from: 15, to: 10 }], ', since the bulk discount falls from 15% to 10%'],
  ['a larger one', [{ from: 5, to: 10 }], ', since the bulk discount rises from 5% to 10%'],
  ['the first one', [{ from: 0, to: 5 }], ', with a bulk discount of 5%'],
  ['none any more', [{ from: 5, to: 0 }], ', without the bulk discount of 5%'],
  ['other reasons', [null], ''],
  ['two reasons', [{ from: 15, to: 10 }, null], ''],
])('the dialog says which bulk discount changes the prices: %s', (_name, volumes, words) => {
  expect(whyChanged(volumes.map(change))).toBe(words);
});
