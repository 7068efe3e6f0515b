import { expect, it } from 'vitest';
import { dayText, niceTop, sessionsText, weekdayText } from './chart-scale.ts';

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [5, 6],
  [7, 10],
  [10, 10],
  [11, 20],
  [59, 60],
  [101, 200],
])('an axis for %i ends at %i, with a whole number in the middle', (most, top) => {
  expect(niceTop(most)).toBe(top);
  expect(Number.isInteger(top / 2)).toBe(true);
});

it('names days of Sydney as they are, whatever the zone of the reader', () => {
  expect([dayText('2026-10-04'), weekdayText('2026-10-04')]).toEqual(['4 Oct', 'Sun, 4 Oct']);
  expect([sessionsText(0), sessionsText(1), sessionsText(2)]).toEqual(['0 sessions', '1 session', '2 sessions']);
});
