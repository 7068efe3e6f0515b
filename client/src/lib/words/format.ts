import {
  businessZone,
  calendarDays,
  day,
  formatDate,
  formatSydneyDate,
  hour,
  minute,
  zoneOf,
} from '#shared/rules/dates.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { readerState } from '#client/lib/words/time-zone.ts';

let relative: Intl.RelativeTimeFormat | undefined;
const units = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const;

/** `3 hours ago`, `in 2 days`, `less than a minute ago`. From a day on, the days of the calendar in Sydney are counted. */
export const formatRelative = (at: Date, now: Date) => {
  const ms = at.getTime() - now.getTime();
  const [unit, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? [];
  if (!unit) return ms > 0 ? 'in less than a minute' : 'less than a minute ago';
  relative ??= new Intl.RelativeTimeFormat('en-AU', { numeric: 'always' });
  return relative.format(unit === 'day' ? calendarDays(now, at, businessZone) : Math.trunc(ms / size), unit);
};

const dateTime = ({ timeZone, ...rest }: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-AU', {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    ...rest,
  });
const withZone = { year: 'numeric', timeZoneName: 'short' } as const;
/** Kept, because creating one takes as long as formatting a hundred dates. */
let readersDateTime: Intl.DateTimeFormat | undefined;

/** `21 Nov 2026, 4:05 pm AEDT`, in the reader's time zone by default. */
export const formatDateTime = (at: Date, timeZone?: string) =>
  (timeZone === undefined ? (readersDateTime ??= dateTime(withZone)) : dateTime({ ...withZone, timeZone })).format(at);

let readersClock: Intl.DateTimeFormat | undefined;
/** `21 Nov, 4:05 pm`, below a line that names the time zone; with its year where the day of another may be meant. */
export const formatClock = (at: Date) =>
  Math.abs(at.getTime() - businessNow().getTime()) > 300 * day
    ? dateTime({ year: 'numeric' }).format(at)
    : (readersClock ??= dateTime({})).format(at);

/** `Sydney time`, the zone of the times above. */
export const readersZone = () =>
  `${new Intl.DateTimeFormat().resolvedOptions().timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} time`;

/** `21 Nov 2026` in the time zone of the reader's state, as in their mails. */
export const formatDay = (date: Date) => formatDate(date, zoneOf(readerState()));

const dayOfMonth = (month: 'short' | 'long') =>
  new Intl.DateTimeFormat('en-AU', { day: 'numeric', month, timeZone: businessZone });
let shortDay: Intl.DateTimeFormat | undefined;
let longDay: Intl.DateTimeFormat | undefined;

/** `4:05 pm` in that zone, below its day. */
export const timeOfDay = (at: Date) =>
  new Intl.DateTimeFormat('en-AU', { hour: 'numeric', minute: '2-digit', timeZone: zoneOf(readerState()) }).format(at);

/** `26 Jan`: a day of money is Sydney's to everybody. With its year where the same day of another year may be meant. */
export const billDay = (at: Date) =>
  Math.abs(at.getTime() - businessNow().getTime()) > 300 * day
    ? formatSydneyDate(at)
    : (shortDay ??= dayOfMonth('short')).format(at);

/** `26 January`, for a sentence about money of these weeks. */
export const billDayInFull = (at: Date) => (longDay ??= dayOfMonth('long')).format(at);

/** The first letter is a capital. */
export const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "28 sessions · 24 Nov 2026", from the facts there are. A line breaks after a dot, never before it. */
export const dotted = (facts: readonly (string | false | null)[]) => facts.filter(Boolean).join('\u00a0· ');
