import { beforeAll, expect, it } from 'vitest';
import { recordBusinessDate } from '#client/lib/words/business-time.ts';
import { percentWords } from '#client/lib/money/volume-words.ts';

beforeAll(() => recordBusinessDate('2027-01-08T00:00:00Z'));

const at = new Date('2027-01-28T01:00:00Z');
const until = (ends: string[], isSameDay = true) => ({ at, ends, isSameDay });

it.each([
  [{ tools: 4, today: 15, next: 15, until: null }, '15% off with 4 paid tools'],
  [
    { tools: 3, today: 15, next: 10, until: until(['Risk Profile AI']) },
    '15% today; 10% from 28 Jan, when Risk Profile AI ends',
  ],
  [{ tools: 1, today: 5, next: 0, until: until(['A', 'B'], false) }, '5% today; none from 28 Jan, because A and B end'],
  [{ tools: 2, today: 5, next: 3, until: until([]) }, '5% today; 3% from 28 Jan'],
])('the page puts a volume discount into words: %j', (discount, words) => {
  expect(percentWords(discount, 4)).toBe(words);
});
