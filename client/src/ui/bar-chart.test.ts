import { expect, it } from 'vitest';
import { niceTop } from './bar-chart.tsx';

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
