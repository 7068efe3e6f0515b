import { businessZone, calendarDays, day, plusDays } from '../dates.ts';

/** The calendar days in Sydney from the date of `from` to the day before that of `to`. */
export const daysOf = (from: Date, to: Date): number => calendarDays(from, to, businessZone);

/** `days` of a period of `periodDays`, whose whole price is `cents`; rounded half up, once. */
export const partOf = (cents: number, days: number, periodDays: number): number =>
  Math.floor((2 * cents * days + periodDays) / (2 * periodDays));

/** What one seat of a month's line costs for so many of the month's days. */
export type SeatPrice = { monthCents: number; seats: number; periodDays: number };
export const seatPart = ({ monthCents, seats, periodDays }: SeatPrice, days: number): number =>
  partOf(monthCents, days, seats * periodDays);

/** Days of one person's seat in a period, added (somebody joins) or taken off (somebody leaves). */
export type SeatChange = { from: string; to: string; days: number };
type SeatPeriod = { start: Date; end: Date };

const daysFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / day;

/**
 * The days that somebody's joining adds to a period, on that calendar day; the day itself is paid. `before` are the changes that this
 * person made to the period already: coming back on the day of leaving adds the days after it. Null where no day is left.
 */
export function daysAdded(today: string, end: string, before: readonly SeatChange[]): SeatChange | null {
  const last = before.at(-1);
  const from = last && last.days <= 0 && last.from > today ? last.from : today;
  const days = daysFrom(from, end);
  return days > 0 ? { from, to: plusDays(end, -1), days } : null;
}

/**
 * The days that somebody's leaving takes off; the day itself is paid. On the last day that is none, and written down nevertheless:
 * it tells who comes back on that day that it is paid. Null after the period.
 */
export function daysTaken(today: string, end: string): SeatChange | null {
  const from = plusDays(today, 1);
  const days = daysFrom(from, end);
  return days >= 0 ? { from, to: plusDays(end, -1), days: 0 - days } : null;
}

/** How many days of the period this person has paid for: their changes, and the whole period where they were in it from its start. */
export function paidDays({ start, end }: SeatPeriod, before: readonly SeatChange[], isLeaving: boolean): number {
  const fromStart = before.length > 0 ? before[0]!.days <= 0 : isLeaving;
  return before.reduce((sum, { days }) => sum + days, fromStart ? daysOf(start, end) : 0);
}
