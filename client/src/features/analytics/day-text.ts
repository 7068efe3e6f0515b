const day = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndWeekday = new Intl.DateTimeFormat('en-AU', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

const noon = (date: string) => new Date(`${date}T12:00:00Z`);

/** `2026-11-21` as `21 Nov`. */
export const dayText = (date: string) => day.format(noon(date));
/** `2026-11-21` as `Sat, 21 Nov`. */
export const weekdayText = (date: string) => dayAndWeekday.format(noon(date));

export const sessionsText = (count: number) => `${count} session${count === 1 ? '' : 's'}`;
