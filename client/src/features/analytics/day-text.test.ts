import { expect, it } from 'vitest';
import { dayText, sessionsText, weekdayText } from './day-text.ts';

it('names days of Sydney as they are, whatever the zone of the reader', () => {
  expect([dayText('2026-10-04'), weekdayText('2026-10-04')]).toEqual(['4 Oct', 'Sun, 4 Oct']);
  expect([sessionsText(0), sessionsText(1), sessionsText(2)]).toEqual(['0 sessions', '1 session', '2 sessions']);
});
