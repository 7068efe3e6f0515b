/** In milliseconds; a `day` is 24 hours, a calendar day is one of Australia/Sydney. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const plus = (date: Date, ms: number) => new Date(date.getTime() + ms);

/** The calendar day so many days later (earlier, if negative); days are `2026-11-21`. */
export const plusDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** `3 months` */
export const monthsText = (months: number) => `${months} ${months === 1 ? 'month' : 'months'}`;

/**
 * The same day of the month `months` later, in UTC; in a shorter month its last day, as at Stripe. `billingDay` (1 to 31) is the day to
 * return to after a short month: the 28th of February is followed by the 31st of March.
 */
export function plusMonths(date: Date, months: number, billingDay?: number | null): Date {
  const result = new Date(date);
  result.setUTCDate(1);
  result.setUTCMonth(result.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(billingDay ?? date.getUTCDate(), lastDay));
  return result;
}

/** The first monthly anniversary of `start` after `now`: a free subscription is shown as renewing then. */
export function nextMonthlyAnniversary(start: Date, now: Date): Date {
  let months = Math.max(
    1,
    (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth(),
  );
  while (plusMonths(start, months) <= now) months += 1;
  return plusMonths(start, months);
}

export const businessZone = 'Australia/Sydney';

const zones: Record<string, string> = {
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  NT: 'Australia/Darwin',
  WA: 'Australia/Perth',
  TAS: 'Australia/Hobart',
  VIC: 'Australia/Melbourne',
};

/** The time zone of a state's capital; Sydney's where it is not known. */
export const zoneOf = (state: string | null) => zones[state ?? ''] ?? businessZone;

/** Formatters are made when they are first needed: on a phone each would hold up the first paint by 20 ms. */
export const formatsByZone = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (date: Date, timeZone: string) => {
    let format = formats.get(timeZone);
    if (!format) formats.set(timeZone, (format = new Intl.DateTimeFormat(locale, { timeZone, ...options })));
    return format.format(date);
  };
};

/** The calendar day in that time zone, `2026-11-21`. */
const dateIn = formatsByZone('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** The calendar day in Sydney, `2026-11-21`. */
export const sydneyDate = (date: Date) => dateIn(date, businessZone);

/** The financial year that a day in Sydney is in, by the year in which it ends: it begins on 1 July. */
export const financialYearOf = (date: string): number => Number(date.slice(0, 4)) + (date.slice(5) >= '07-01' ? 1 : 0);

/** `2026–27`. */
export const financialYearText = (year: number): string => `${year - 1}–${String(year).slice(-2)}`;

/** When that day begins in Sydney; the clocks change later in the night. */
export function sydneyMidnight(date: string): Date {
  const inUtc = Date.parse(`${date}T00:00:00Z`);
  const summer = new Date(inUtc - 11 * hour);
  return sydneyDate(summer) === date ? summer : new Date(inUtc - 10 * hour);
}

const clockIn = formatsByZone('en-AU', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The time of day in Sydney, `16:05`. */
export const sydneyTime = (date: Date) => clockIn(date, businessZone);

/** `21 Nov 2026` in that time zone, for mails to somebody who lives there. */
export const formatDate = formatsByZone('en-AU', { day: 'numeric', month: 'short', year: 'numeric' });

/** `21 Nov 2026` in Sydney, for mails and server-made texts. */
export const formatSydneyDate = (date: Date) => formatDate(date, businessZone);

/** `2026-11-21` as `21 Nov 2026`, wherever it is read. */
export const formatCalendarDay = (date: string) => formatDate(new Date(`${date}T12:00:00Z`), 'UTC');

const moment = formatsByZone('en-AU', { dateStyle: 'medium', timeStyle: 'short' });

/** `21 Nov 2026, 4:05 pm` in Sydney, for mails. */
export const sydneyMoment = (date: Date) => moment(date, businessZone);

const dayAndMonth = formatsByZone('en-AU', { day: 'numeric', month: 'short' });

/** Days from one to another, each `2026-11-21`: `1 to 9 Feb 2027`, `10 May to 9 Jun 2027`, `21 Nov 2026`. */
export function formatDays(from: string, to: string): string {
  const end = formatCalendarDay(to);
  if (from === to) return end;
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${formatCalendarDay(from)} to ${end}`;
  const isSameMonth = from.slice(0, 7) === to.slice(0, 7);
  return `${isSameMonth ? Number(from.slice(8)) : dayAndMonth(new Date(`${from}T12:00:00Z`), 'UTC')} to ${end}`;
}

const dayNumber = (date: Date, zone: string) => Date.parse(`${dateIn(date, zone)}T00:00:00Z`) / day;

/** How many midnights of the zone lie between two moments. */
export const calendarDays = (from: Date, to: Date, zone: string) => dayNumber(to, zone) - dayNumber(from, zone);
