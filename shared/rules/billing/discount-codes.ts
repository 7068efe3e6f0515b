import { formatSydneyDate, minute, monthsText, plus } from '../dates.ts';
import type { Price } from './pricing.ts';

export const mostCodeMonths = 24;
export const mostCodeRedemptions = 10_000;
export const mostCodePercent = 90;

/** What an administrator made. */
export type DiscountCode = {
  code: string;
  percent: number;
  /** Discounted monthly payments. */
  months: number;
  /** The tools it is for; null: all of them. */
  toolIds: string[] | null;
  /** From when it can be redeemed; null: at once. */
  startsAt: Date | null;
  /** The moment after the last day on which it can be redeemed. */
  endsAt: Date;
  /** How often in all. */
  mostRedemptions: number;
  /** An administrator ended it early. */
  endedAt: Date | null;
};

/** Nobody will redeem it any more. */
export const isCodeOver = ({ endsAt, endedAt }: Pick<DiscountCode, 'endsAt' | 'endedAt'>, now: Date): boolean =>
  endedAt !== null || endsAt <= now;

/** The last day on which it can be redeemed. */
export const lastDayOf = ({ endsAt }: Pick<DiscountCode, 'endsAt'>) => plus(endsAt, -minute);

type CodeDates = Pick<DiscountCode, 'startsAt' | 'endsAt' | 'endedAt'>;

/** Why nobody can redeem it now; null where somebody can. */
export function codeClosed(code: CodeDates, now: Date): string | null {
  if (code.endedAt !== null) return 'This discount code has ended';
  if (code.startsAt && code.startsAt > now)
    return `This discount code can be used from ${formatSydneyDate(code.startsAt)}`;
  if (code.endsAt <= now) return `This discount code could be used until ${formatSydneyDate(lastDayOf(code))}`;
  return null;
}

export const codeNotFor = (
  { toolIds }: Pick<DiscountCode, 'toolIds'>,
  tool: { id: string; name: string },
): string | null => (!toolIds || toolIds.includes(tool.id) ? null : `This discount code is not for ${tool.name}`);

/** Nobody gives themselves or their practice a discount. */
export const codeOwn = 'You can’t use a discount code that you made, nor can your practice';
export const codeUsedUp = 'This discount code has been used as often as it can be';
export const codeUsedBefore = 'You have used this discount code for this tool before';

/** Why the code takes nothing off that price, which includes it if it is the largest discount; null where it does. */
export function codeUseless({ percent }: Pick<DiscountCode, 'percent'>, price: Price): string | null {
  if (price.totalCents === 0) return 'This tool costs you nothing, so there is nothing to take off';
  const other = price.discounts.find(({ kind }) => kind === 'bulk' || kind === 'team');
  if (!other || !('percent' in other) || price.discounts.some(({ kind }) => kind === 'code')) return null;
  const name = other.kind === 'bulk' ? 'bulk discount' : 'team discount';
  return other.percent === percent
    ? `Your ${name} takes off ${percent}% already, as much as this code, and they don’t combine. The code stays unused`
    : `Your ${name} of ${other.percent}% is larger than the ${percent}% of this code, and they don’t combine. The code stays unused`;
}

/** `20% off for 3 months` */
export const codeTerms = ({ percent, months }: Pick<DiscountCode, 'percent' | 'months'>) =>
  `${percent}% off for ${monthsText(months)}`;
