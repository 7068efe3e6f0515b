import { businessZone, day as dayMs } from './dates.ts';

/** In the order of the contact form. */
export const contactTopics = [
  'Getting started',
  'A tool',
  'Billing and plans',
  'Teams and enterprise',
  'Training',
  'Technical problem',
  'Privacy and my data',
  'Live chat request',
  'Call me back',
  'Something else',
] as const;
export type ContactTopic = (typeof contactTopics)[number];

/** Hours of the day in Sydney, Monday to Friday. Nobody waits in a chat: its hours are only said. */
export const supportHours = {
  chat: { label: 'Mon-Fri 8am-6pm AEST' },
  phone: { from: 9, to: 17, label: 'Mon-Fri 9am-5pm AEST' },
} as const;

/** Sunday of Easter (the anonymous Gregorian rule). */
function easterOf(year: number): Date {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const epact =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const rest = year % 100;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const shift = epact + toSunday - 7 * Math.floor((golden + 11 * epact + 22 * toSunday) / 451) + 114;
  return new Date(Date.UTC(year, Math.floor(shift / 31) - 1, (shift % 31) + 1));
}

/** New South Wales's public holidays from Monday to Friday, as calendar days; at weekends nobody is there anyway. */
export function publicHolidays(year: number): string[] {
  const at = (month: number, date: number) => new Date(Date.UTC(year, month - 1, date));
  const later = (date: Date, days: number) => new Date(date.getTime() + days * dayMs);
  /** The Monday after a weekend, or the day after that one where the Monday is taken. */
  const observed = (date: Date, taken = 0) => {
    const weekday = date.getUTCDay();
    return later(date, weekday === 6 ? 2 + taken : weekday === 0 ? 1 + taken : 0);
  };
  const monday = (month: number, nth: number) =>
    later(at(month, 1), ((8 - at(month, 1).getUTCDay()) % 7) + 7 * (nth - 1));
  const easter = easterOf(year);
  const christmas = at(12, 25).getUTCDay();
  const days = [
    observed(at(1, 1)),
    observed(at(1, 26)),
    later(easter, -2),
    later(easter, 1),
    // A Monday in place of a weekend was given for these two years.
    year === 2026 || year === 2027 ? observed(at(4, 25)) : at(4, 25),
    monday(6, 2),
    monday(10, 1),
    observed(at(12, 25), christmas === 0 ? 1 : 0),
    observed(at(12, 26), christmas === 6 ? 1 : 0),
  ];
  return days.map((date) => date.toISOString().slice(0, 10));
}

let sydneyClock: Intl.DateTimeFormat | undefined;

export function isOpen({ from, to }: { from: number; to: number }, now: Date): boolean {
  sydneyClock ??= new Intl.DateTimeFormat('en-AU', {
    timeZone: businessZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const parts = sydneyClock.formatToParts(now);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? '';
  const hour = Number(part('hour'));
  const isHoliday = publicHolidays(Number(part('year'))).includes(`${part('year')}-${part('month')}-${part('day')}`);
  return !part('weekday').startsWith('S') && !isHoliday && hour >= from && hour < to;
}
