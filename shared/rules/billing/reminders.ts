import { calendarDays } from '../dates.ts';

/** Days before a renewal on which a reminder may be sent; all of them unless the adviser chose fewer. */
export const reminderDays = [7, 3, 1] as const;

/** Which of the chosen days' reminders is due: the nearest already reached, so that a missed run is made up for a day later. */
export function reminderDue(at: Date, now: Date, chosen: readonly number[], zone: string): number | null {
  const left = calendarDays(now, at, zone);
  const days = chosen.filter((day) => left <= day);
  return days.length > 0 ? Math.min(...days) : null;
}
