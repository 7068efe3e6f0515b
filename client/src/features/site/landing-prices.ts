import type { PageData } from '#shared/api/page-data.ts';
import { centsOf, formatCents, formatCentsShort } from '#shared/rules/billing/money.ts';
import { type PayerFacts, priceOf, type Tier } from '#shared/rules/billing/pricing.ts';

export type OfferedTool = PageData['tools'][number];

/** What can be had comes first. */
export const soonLast = (tools: readonly OfferedTool[]) =>
  tools.toSorted((a, b) => Number(a.comingSoon) - Number(b.comingSoon));

const isPaid = (tool: OfferedTool) => !tool.comingSoon && centsOf(tool.basePrice) > 0;
export const paidTools = (tools: readonly OfferedTool[]) => tools.filter(isPaid);

/** `$25–$50`: monthly prices from the cheapest tool to the dearest; null if nothing is sold. */
export const priceRange = (tools: readonly OfferedTool[]): string | null => {
  const cents = paidTools(tools).map((tool) => centsOf(tool.basePrice));
  if (cents.length === 0) return null;
  const [low, high] = [Math.min(...cents), Math.max(...cents)];
  return low === high ? formatCentsShort(low) : `${formatCentsShort(low)}–${formatCentsShort(high)}`;
};

export const tiersOf = ({ tiers }: Pick<PageData, 'tiers'>): Tier[] =>
  tiers
    .map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent: Number(discountPercent) }))
    .toSorted((a, b) => a.toolCount - b.toolCount);

/** One adviser pays for themselves; several are a team. */
const payerOf = (advisers: number): PayerFacts =>
  advisers === 1
    ? { kind: 'user', membershipType: 'standard', freeAccess: false, members: 1 }
    : { kind: 'team', membershipType: 'team', freeAccess: false, members: advisers };

/** What so many advisers pay per month for these tools, by the function that also makes quotes and invoices. */
export const monthlyPrice = (chosen: readonly OfferedTool[], tiers: readonly Tier[], advisers = 1) => {
  const prices = chosen.map((tool) =>
    priceOf({
      toolId: tool.id,
      toolName: tool.name,
      unitCents: centsOf(tool.basePrice),
      payer: payerOf(advisers),
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
