import type { EvidencePack } from '#shared/api/evidence.ts';
import { formatDate } from '#shared/rules/dates.ts';

const ofDay = (day: string) => formatDate(new Date(`${day}T12:00:00Z`), 'UTC');

function period(from: string | null, to: string | null): string {
  if (from && to) return from === to ? ofDay(from) : `${ofDay(from)} to ${ofDay(to)}`;
  if (from) return `from ${ofDay(from)}`;
  return to ? `until ${ofDay(to)}` : 'all time';
}

/** What a pack covers: "File Note AI · client reference F-12 · 1 Jul 2025 to 30 Jun 2026". */
export const covers = ({ teamId, adviserName, toolName, clientReference, fromDay, toDay }: EvidencePack): string =>
  [
    ...(teamId ? [adviserName ?? 'Everybody'] : []),
    toolName ?? 'All tools',
    ...(clientReference ? [`client reference ${clientReference}`] : []),
    period(fromDay, toDay),
  ].join(' · ');

export const isGoing = ({ state }: EvidencePack) => state === 'waiting' || state === 'reading' || state === 'writing';

export function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
