import { plusDays, sydneyDate } from '../dates.ts';

/** The dashboard's window, in Sydney calendar days including today. */
export const analyticsDays = 30;
/** The longest window that may be asked for. */
export const maxAnalyticsDays = 366;
/** The highest performance score; the lowest is 0. */
export const performanceScale = 10;
/** Numbers of sessions an adviser is congratulated on, once each. */
export const sessionMilestones = [10, 50, 100, 500] as const;
/** A tool may report on a session until this long after its last sign of life; then it is closed. */
export const silentSessionHours = 48;

/** The Monday of that calendar day's week. */
export const mondayOf = (date: string) => plusDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The last `count` calendar days of Sydney, the oldest first, today last. */
export const lastDays = (now: Date, count: number) => {
  const today = sydneyDate(now);
  return Array.from({ length: count }, (_, index) => plusDays(today, index - count + 1));
};

/** The month of a calendar day, `2026-11`, with its first day and the first of the next. */
export function monthOf(date: string) {
  const first = `${date.slice(0, 7)}-01`;
  return { month: date.slice(0, 7), first, next: `${plusDays(first, 31).slice(0, 7)}-01` };
}

/** What is shown of a time, in seconds: whole minutes. A total below others is the sum of what they show. */
export const inMinutes = (seconds: number) => Math.round(seconds / 60) * 60;

/** `2 h 5 min`, `2 h`, `45 min`; `under 1 min` for less, `0 min` for none. */
export const spentText = (seconds: number) => {
  if (seconds > 0 && seconds < 60) return 'under 1 min';
  const minutes = inMinutes(seconds) / 60;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
};
