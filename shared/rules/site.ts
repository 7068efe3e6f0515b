import { businessZone } from './dates.ts';

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

/** Hours of the day in Sydney, Monday to Friday. */
export const supportHours = {
  chat: { from: 8, to: 18, label: 'Mon-Fri 8am-6pm AEST' },
  phone: { from: 9, to: 17, label: 'Mon-Fri 9am-5pm AEST' },
} as const;

let sydneyClock: Intl.DateTimeFormat | undefined;

export function isOpen({ from, to }: { from: number; to: number }, now: Date): boolean {
  sydneyClock ??= new Intl.DateTimeFormat('en-AU', {
    timeZone: businessZone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const parts = sydneyClock.formatToParts(now);
  const weekday = parts.find(({ type }) => type === 'weekday')?.value ?? '';
  const hour = Number(parts.find(({ type }) => type === 'hour')?.value);
  return !weekday.startsWith('S') && hour >= from && hour < to;
}
