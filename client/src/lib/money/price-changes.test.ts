import { beforeAll, expect, it } from 'vitest';
import { recordBusinessDate } from '#client/lib/words/business-time.ts';
import { billAfter } from '#client/lib/money/price-changes.tsx';

beforeAll(() => recordBusinessDate('2027-05-02T00:00:00Z'));

const at = new Date('2027-05-10T01:00:00Z');
const bill = { at, totalCents: 7125, leftCents: 0, isLast: false };

it.each([
  ['a smaller bill', bill, 'Your bill of 10 May is then $71.25.'],
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
