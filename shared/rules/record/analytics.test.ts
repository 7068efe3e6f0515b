import { expect, it } from 'vitest';
import { inMinutes, spentText } from './analytics.ts';
import { toolNameOf } from '../tools/tools.ts';

it.each([
  [0, '0 min'],
  [45, 'under 1 min'],
  [60, '1 min'],
  [45 * 60, '45 min'],
  [3600, '1 h'],
  [125 * 60 + 29, '2 h 5 min'],
  [125 * 60 + 30, '2 h 6 min'],
  [3599, '1 h'],
  [6000 * 60, '100 h'],
])('the page writes %i seconds as %s', (seconds, text) => {
  expect(spentText(seconds)).toBe(text);
});

it('a total is the sum of the minutes that are shown', () => {
  const seconds = [2610, 1470, 330];
  expect(seconds.map(spentText)).toEqual(['44 min', '25 min', '6 min']);
  expect(spentText(seconds.reduce((sum, one) => sum + inMinutes(one), 0))).toBe('1 h 15 min');
});

it.each([
  ['risk-profile-ai', 'Risk Profile AI'],
  ['estate-map-ai', 'Estate Map AI'],
])('the page calls %s %s', (toolId, name) => {
  expect(toolNameOf(toolId)).toBe(name);
});
