import type { AdjustmentCause, BillPart } from '#shared/rules/billing/bill-types.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';

const suffix: Partial<Record<AdjustmentCause | 'purchase', string>> = { left: ', credit', correction: ', correction' };

/** What part of a month is for: `Fact Find AI: Hugh Lang, 1 Feb 2027 to 9 Feb 2027`. */
export function partText({ toolName, person, from, to, cause }: Omit<BillPart, 'gstCents'>): string {
  const days = from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;
  return `${toolName}: ${person === null ? '' : `${person}, `}${days}${suffix[cause] ?? ''}`;
}
