import { nextTierAfter, type Tier, tierFor } from './pricing.ts';

const percentFor = (tiers: readonly Tier[], count: number) => tierFor(tiers, count)?.discountPercent ?? 0;

/** What of a change makes nobody dearer: for each number of tools the larger discount. */
export function largerOf(before: readonly Tier[], after: readonly Tier[]): Tier[] {
  const counts = [...new Set([...before, ...after].map(({ toolCount }) => toolCount))].toSorted((a, b) => a - b);
  const percents = counts.map((count) => Math.max(percentFor(before, count), percentFor(after, count)));
  return counts.flatMap((toolCount, index) => {
    const discountPercent = percents[index]!;
    return discountPercent > (percents[index - 1] ?? 0) ? [{ toolCount, discountPercent }] : [];
  });
}

/** Whether some number of tools costs more afterwards. */
export function makesDearer(before: readonly Tier[], after: readonly Tier[]): boolean {
  return [...before, ...after].some(({ toolCount }) => percentFor(after, toolCount) < percentFor(before, toolCount));
}

export const sameTiers = (one: readonly Tier[], other: readonly Tier[]): boolean => tiersText(one) === tiersText(other);

export const mostTiers = 10;

/** Why these can't be volume discounts; null where they can. */
export function tiersFault(tiers: readonly Tier[]): string | null {
  for (const { toolCount, discountPercent } of tiers) {
    if (tiers.filter((tier) => tier.toolCount === toolCount).length > 1)
      return `There are two discounts for ${toolCount} tools`;
    const next = nextTierAfter(tiers, toolCount);
    if (next && next.discountPercent <= discountPercent)
      return `${next.toolCount} tools must take more off than ${toolCount} tools`;
  }
  return null;
}

/** `2 tools 5%, 3 tools 10%` */
export const tiersText = (tiers: readonly Tier[]): string =>
  tiers
    .toSorted((a, b) => a.toolCount - b.toolCount)
    .map(({ toolCount, discountPercent }) => `${toolCount} tools ${discountPercent}%`)
    .join(', ') || 'none';
