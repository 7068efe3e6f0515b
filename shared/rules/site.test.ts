import { describe, expect, it } from 'vitest';
import { isOpen, publicHolidays, supportHours } from './site.ts';

describe('support hours, by the clock in Sydney', () => {
  it.each([
    // Summer (AEDT, UTC+11) and winter (AEST, UTC+10).
    ['Friday 07:59, summer', '2026-11-19T20:59:00Z', false],
    ['Friday 08:00, summer', '2026-11-19T21:00:00Z', false],
    ['Friday 09:00, summer', '2026-11-19T22:00:00Z', true],
    ['Friday 16:59, summer', '2026-11-20T05:59:00Z', true],
    ['Friday 17:00, summer', '2026-11-20T06:00:00Z', false],
    ['Friday 18:00, summer', '2026-11-20T07:00:00Z', false],
    ['Monday 08:00, winter', '2026-06-28T22:00:00Z', false],
    ['Monday 00:30, winter', '2026-06-28T14:30:00Z', false],
    ['Saturday noon', '2026-11-21T01:00:00Z', false],
    ['Sunday noon', '2026-11-22T01:00:00Z', false],
    ['Christmas 2026, a Friday, noon', '2026-12-25T01:00:00Z', false],
    ['Good Friday 2027, noon', '2027-03-26T01:00:00Z', false],
    ['Australia Day 2027, a Tuesday, noon', '2027-01-26T01:00:00Z', false],
    ['the day after it, noon', '2027-01-27T01:00:00Z', true],
  ])('%s', (_when, at, open) => expect(isOpen(supportHours.phone, new Date(at))).toBe(open));

  it('knows the public holidays of New South Wales', () => {
    // As the state publishes them; Boxing Day 2026 is a Saturday, and Christmas 2027 too.
    expect(publicHolidays(2026)).toEqual(
      '2026-01-01 2026-01-26 2026-04-03 2026-04-06 2026-04-27 2026-06-08 2026-10-05 2026-12-25 2026-12-28'.split(' '),
    );
    expect(publicHolidays(2027)).toEqual(
      '2027-01-01 2027-01-26 2027-03-26 2027-03-29 2027-04-26 2027-06-14 2027-10-04 2027-12-27 2027-12-28'.split(' '),
    );
    expect(publicHolidays(2022).slice(-2)).toEqual(['2022-12-27', '2022-12-26']);
  });

  it('is said in these words', () => {
    expect(supportHours.chat.label).toBe('Mon-Fri 8am-6pm AEST');
    expect(supportHours.phone.label).toBe('Mon-Fri 9am-5pm AEST');
  });
});
