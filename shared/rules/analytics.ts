import { day, sydneyDate } from './dates.ts';

/** The panel's window in calendar days of Sydney, today included (A §9, decisions §10). */
export const analyticsDays = 30;
/** The longest window that may be asked for. */
export const maxAnalyticsDays = 366;
/** Performance scores run from 0 to this (A §9). */
export const performanceScale = 10;
/** An adviser hears once of each of these numbers of sessions (decisions §9). */
export const sessionMilestones = [10, 50, 100, 500] as const;
/** A session nobody reports on is closed this long after it was last heard of: a tool may report until then. */
export const silentSessionHours = 48;

/** A calendar day `count` later (earlier, if negative); days are `2026-11-21`. */
export const plusDays = (date: string, count: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + count * day).toISOString().slice(0, 10);

/** The last `count` calendar days of Sydney, the oldest first, today last. */
export const lastDays = (now: Date, count: number) =>
  Array.from({ length: count }, (_, index) => plusDays(sydneyDate(now), index - count + 1));

/** The month of a calendar day, `2026-11`, with its first day and the first of the next. */
export function monthOf(date: string) {
  const first = `${date.slice(0, 7)}-01`;
  return { month: date.slice(0, 7), first, next: `${plusDays(first, 31).slice(0, 7)}-01` };
}

/** `fact-find-ai` as `Fact Find Ai`: hyphens become spaces, words are capitalised (A §2). */
export const titleOf = (toolId: string) =>
  toolId
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** Hours and minutes, or only minutes under an hour (A §2): `2h 5m`, `45m`. */
export const spentText = (seconds: number) => {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
};
