import { businessZone, calendarDays, day, hour } from '#shared/rules/dates.ts';

/** "less than 1 hour ago", "N hours ago", "N days ago" or "Never"; days are those of the calendar in Sydney. */
export const lastUsedText = (lastUsed: Date | null, now: Date) => {
  if (!lastUsed) return 'Never';
  const ms = now.getTime() - lastUsed.getTime();
  const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  if (ms < hour) return 'less than 1 hour ago';
  return ms < day ? ago(Math.floor(ms / hour), 'hour') : ago(calendarDays(lastUsed, now, businessZone), 'day');
};
