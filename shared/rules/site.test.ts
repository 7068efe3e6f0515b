import { describe, expect, it } from 'vitest';
import { isOpen, supportHours } from './site.ts';

describe('support hours, by the clock in Sydney', () => {
  it.each([
    // Summer (AEDT, UTC+11) and winter (AEST, UTC+10).
    ['Friday 07:59, summer', '2026-11-19T20:59:00Z', false, false],
    ['Friday 08:00, summer', '2026-11-19T21:00:00Z', true, false],
    ['Friday 09:00, summer', '2026-11-19T22:00:00Z', true, true],
    ['Friday 16:59, summer', '2026-11-20T05:59:00Z', true, true],
    ['Friday 17:00, summer', '2026-11-20T06:00:00Z', true, false],
    ['Friday 18:00, summer', '2026-11-20T07:00:00Z', false, false],
    ['Monday 08:00, winter', '2026-06-28T22:00:00Z', true, false],
    ['Monday 00:30, winter', '2026-06-28T14:30:00Z', false, false],
    ['Saturday noon', '2026-11-21T01:00:00Z', false, false],
    ['Sunday noon', '2026-11-22T01:00:00Z', false, false],
  ])('%s', (_when, at, chat, phone) => {
    expect(isOpen(supportHours.chat, new Date(at))).toBe(chat);
    expect(isOpen(supportHours.phone, new Date(at))).toBe(phone);
  });

  it('is said in these words', () => {
    expect(supportHours.chat.label).toBe('Mon-Fri 8am-6pm AEST');
    expect(supportHours.phone.label).toBe('Mon-Fri 9am-5pm AEST');
  });
});
