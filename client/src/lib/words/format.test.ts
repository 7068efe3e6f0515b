import { expect, it } from 'vitest';
import { billDayInFull, dotted, formatDateTime, formatRelative } from '#client/lib/words/format.ts';

const now = new Date('2026-11-21T05:00:00Z');

it.each([
  ['2026-11-21T05:00:00Z', 'less than a minute ago'],
  ['2026-11-21T04:59:01Z', 'less than a minute ago'],
  ['2026-11-21T05:00:59Z', 'in less than a minute'],
  ['2026-11-21T04:59:00Z', '1 minute ago'],
  ['2026-11-21T04:00:01Z', '59 minutes ago'],
  ['2026-11-21T02:00:00Z', '3 hours ago'],
  ['2026-11-20T05:00:00Z', '1 day ago'],
  ['2026-11-19T11:00:00Z', '2 days ago'],
  ['2026-11-24T05:00:00Z', 'in 3 days'],
  ['2026-09-01T05:00:00Z', '2 months ago'],
  ['2024-11-01T05:00:00Z', '2 years ago'],
])('the page tells %s as %s', (at, expected) => {
  expect(formatRelative(new Date(at), now)).toBe(expected);
});

it('the page says the exact time with its zone', () => {
  expect(formatDateTime(now, 'Australia/Sydney').replaceAll('\u202f', ' ')).toMatch(/^21 Nov 2026, 4:00 pm \S+$/);
});

it('a line leaves out what is not known, and begins with no dot', () => {
  expect(dotted(['28 sessions', false, null, '', '24 Nov 2026'])).toBe('28 sessions\u00a0· 24 Nov 2026');
});

it.each([
  ['late in the evening of the day before (killbill#1074)', '2026-05-01T15:30:00Z', '2 May'],
  ['still the old year', '2026-12-31T13:30:00Z', '1 January'],
  ['the evening of a day of winter', '2026-07-01T13:59:00Z', '1 July'],
  ['two hours before Sydney’s midnight, or three in summer', '2026-10-04T13:00:00Z', '5 October'],
])('a day of money is Sydney’s, also where it is %s', (_inPerth, at, sydneys) => {
  expect(billDayInFull(new Date(at))).toBe(sydneys);
});
