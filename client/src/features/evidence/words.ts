import type { EvidencePack } from '#shared/api/evidence.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import { dotted } from '#client/lib/words/format.ts';

function period(from: string | null, to: string | null): string {
  if (from && to)
    return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;
  if (from) return `from ${formatCalendarDay(from)}`;
  return to ? `until ${formatCalendarDay(to)}` : 'all time';
}

/** What a pack covers: "File Note AI · client reference F-12 · 1 Jul 2025 to 30 Jun 2026". */
export const covers = ({ teamId, adviserName, toolName, clientReference, fromDay, toDay }: EvidencePack): string =>
  dotted([
    ...(teamId ? [adviserName ?? 'Everybody'] : []),
    toolName ?? 'All tools',
    ...(clientReference ? [`client reference ${clientReference}`] : []),
    period(fromDay, toDay),
  ]);

export const isGoing = ({ state }: EvidencePack) => state === 'waiting' || state === 'reading' || state === 'writing';

export function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
