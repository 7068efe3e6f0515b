import type { PageData } from '#shared/api/page-data.ts';
import { centsOf, formatCents, formatCentsShort } from '#shared/rules/money.ts';
import { priceOf, type Tier } from '#shared/rules/pricing.ts';

export type OfferedTool = PageData['tools'][number];

/** The landing page's six (A §2), in its order; the rest of the catalogue is named below them. */
const shown = [
  'risk-profile-ai',
  'fact-find-ai',
  'file-note-ai',
  'advice-writer-ai',
  'pre-fill-ai',
  'lost-money-ai',
] as const;

export const shownTools = (tools: readonly OfferedTool[]) =>
  shown.flatMap((id) => tools.filter((tool) => tool.id === id));

export const otherTools = (tools: readonly OfferedTool[]) =>
  tools.filter((tool) => !shown.some((id) => id === tool.id) && !tool.comingSoon);

const isPaid = (tool: OfferedTool) => !tool.comingSoon && centsOf(tool.basePrice) > 0;
export const paidTools = (tools: readonly OfferedTool[]) => tools.filter(isPaid);

/** `$25–$50`: the monthly price of one tool, from the cheapest to the dearest; null where nothing is sold. */
export const priceRange = (tools: readonly OfferedTool[]): string | null => {
  const cents = paidTools(tools).map((tool) => centsOf(tool.basePrice));
  if (cents.length === 0) return null;
  const [low, high] = [Math.min(...cents), Math.max(...cents)];
  return low === high ? formatCentsShort(low) : `${formatCentsShort(low)}–${formatCentsShort(high)}`;
};

/** Volume discounts as numbers, the smallest first. */
export const tiersOf = ({ tiers }: Pick<PageData, 'tiers'>): Tier[] =>
  tiers
    .map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent: Number(discountPercent) }))
    .toSorted((a, b) => a.toolCount - b.toolCount);

const soloAdviser = { kind: 'user', membershipType: 'standard', freeAccess: false, members: 1 } as const;

/** What one adviser pays per month for these tools together: the same function that makes quotes and invoices. */
export const monthlyPrice = (chosen: readonly OfferedTool[], tiers: readonly Tier[]) => {
  const prices = chosen.map((tool) =>
    priceOf({
      toolId: tool.id,
      toolName: tool.name,
      unitCents: centsOf(tool.basePrice),
      payer: soloAdviser,
      paidTools: chosen.length,
      tiers,
    }),
  );
  const sum = (pick: (price: (typeof prices)[number]) => number) => prices.reduce((total, p) => total + pick(p), 0);
  const [base, total] = [sum((price) => price.baseCents), sum((price) => price.totalCents)];
  return {
    base: formatCents(base),
    saved: base - total,
    total: formatCents(total),
    percent: prices[0]?.discountPercent,
  };
};
