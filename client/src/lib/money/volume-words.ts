import type { VolumeDiscount } from '#shared/rules/billing/bulk-banner.ts';
import { listed } from '#client/lib/money/bill-words.ts';
import { billDay } from '#client/lib/words/format.ts';

/** `15% off with 4 paid tools`, or where it gets smaller `15% today; 10% from 28 Jan, when Risk Profile AI ends`. */
export function percentWords({ today, next, until }: VolumeDiscount, tools: number): string {
  if (!until) return `${today}% off with ${tools} paid tools`;
  const { at, ends, isSameDay } = until;
  const verb = ends.length === 1 ? 'ends' : 'end';
  const why = ends.length === 0 ? '' : `, ${isSameDay ? 'when' : 'because'} ${listed(ends)} ${verb}`;
  return `${today}% today; ${next === 0 ? 'none' : `${next}%`} from ${billDay(at)}${why}`;
}
