import { describe, expect, it } from 'vitest';
import { zoneOf } from '../dates.ts';
import { reminderDue } from './reminders.ts';

const at = (iso: string) => new Date(iso);

describe('Renewal: reminders 7, 3 and 1 days before', () => {
  // Sydney is at UTC+11 until 5 April 2026, then at UTC+10.
  it.each([
    ['8 days ahead', '2026-11-20T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], null],
    ['7 days ahead', '2026-11-21T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], 7],
    ['6 days ahead: the seventh, late', '2026-11-22T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], 7],
    ['3 days ahead', '2026-11-25T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], 3],
    ['2 days ahead: the third, late', '2026-11-26T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], 3],
    ['tomorrow', '2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z', [7, 3, 1], 1],
    ['later today', '2026-11-28T00:00:00Z', '2026-11-28T05:00:00Z', [7, 3, 1], 1],
    ['only the third chosen, 7 days ahead', '2026-11-21T00:00:00Z', '2026-11-28T00:00:00Z', [3], null],
    ['none chosen', '2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z', [], null],
    ['calendar days, not 24 hours: 23:30 to 00:30', '2026-11-20T12:30:00Z', '2026-11-27T13:30:00Z', [7, 3, 1], null],
    ['the night the clock goes back: 25 hours are a day', '2026-04-04T13:30:00Z', '2026-04-05T14:30:00Z', [1], 1],
    ['an hour before that midnight', '2026-04-04T12:30:00Z', '2026-04-05T14:30:00Z', [1], null],
  ])('sends the one that is due: %s', (_name, now, renewal, chosen, due) => {
    expect(reminderDue(at(renewal), at(now), chosen, 'Australia/Sydney')).toBe(due);
  });

  it('follows the calendar of the adviser, not of Sydney', () => {
    // In Perth 25 November, half past midnight, to the 28th; in Sydney already the 29th.
    const [now, renewal] = [at('2026-11-24T16:30:00Z'), at('2026-11-28T15:30:00Z')];
    expect(reminderDue(renewal, now, [3], zoneOf('WA'))).toBe(3);
    expect(reminderDue(renewal, now, [3], zoneOf('NSW'))).toBe(null);
  });
});
