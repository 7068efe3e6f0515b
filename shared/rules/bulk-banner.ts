import type { MembershipType } from './accounts.ts';
import { centsOf } from './money.ts';
import { nextTierAfter, priceOf, tierFor, type PayerFacts, type Price, type Tier } from './pricing.ts';
import type { SubscriptionStatus } from './subscriptions.ts';
import { lostMoneyTool } from './tools.ts';

/** The fields of a subscription that the banner needs. */
export type CountedSubscription = {
  toolId: string;
  teamId: string | null;
  tool: { name: string };
  /** For an adviser's own subscription, its price before discounts. */
  baseCents: number;
  status: SubscriptionStatus;
  autoRenew: boolean;
  hasAccess: boolean;
};

export type BulkBanner =
  | { kind: 'free_access' }
  | { kind: 'saving'; tools: number; percent: number; monthlyCents: number; yearlyCents: number; next: NextTier | null }
  | { kind: 'hint'; tools: number; next: NextTier };

/** How many more tools the next tier needs, and what it would save on today's tools per month, in cents. */
export type NextTier = { moreTools: number; percent: number; monthlyCents: number };

type Adviser = { membershipType: MembershipType; freeAccessGranted: boolean };

export const personalPayer = ({ membershipType, freeAccessGranted }: Adviser): PayerFacts => ({
  kind: 'user',
  membershipType,
  freeAccess: freeAccessGranted,
  members: 1,
});

export const tiersOf = (tiers: readonly { toolCount: number; discountPercent: string }[]): Tier[] =>
  tiers.map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent: Number(discountPercent) }));

/** The adviser's own paid tools with access decide the tier; a team's tools are the team's. */
export const countedTools = <S extends CountedSubscription>(subscriptions: readonly S[]) =>
  subscriptions.filter((sub) => sub.hasAccess && sub.teamId === null && sub.toolId !== lostMoneyTool);

/**
 * The dashboard's bulk-discount banner: the saving in force, or how far the next tier is. Amounts are differences
 * between real prices of the tools that will be charged again. Null when there is nothing to say.
 */
export function bulkBanner(
  adviser: Adviser,
  subscriptions: readonly CountedSubscription[],
  tiers: readonly Tier[],
): BulkBanner | null {
  if (adviser.freeAccessGranted) return { kind: 'free_access' };
  const payer = personalPayer(adviser);
  const counted = countedTools(subscriptions);
  const renewing = counted.filter((sub) => sub.autoRenew && sub.status !== 'cancelled');
  const monthly = (applied: readonly Tier[], paidTools: number) =>
    renewing.reduce((sum, { toolId, tool, baseCents: unitCents }) => {
      return sum + priceOf({ toolId, toolName: tool.name, unitCents, payer, paidTools, tiers: applied }).totalCents;
    }, 0);

  const tools = counted.length;
  const full = monthly([], tools);
  const tier = tierFor(tiers, tools);
  const further = nextTierAfter(tiers, tools);
  const next = further && {
    moreTools: further.toolCount - tools,
    percent: further.discountPercent,
    monthlyCents: full - monthly(tiers, further.toolCount),
  };
  if (tier) {
    const monthlyCents = full - monthly(tiers, tools);
    return { kind: 'saving', tools, percent: tier.discountPercent, monthlyCents, yearlyCents: monthlyCents * 12, next };
  }
  return next && { kind: 'hint', tools, next };
}

/** What this tool would cost the adviser per month on top of the others; it counts towards its own tier. */
export function priceOfOneMore(
  adviser: Adviser,
  tool: { id: string; name: string; basePrice: string },
  subscriptions: readonly CountedSubscription[],
  tiers: readonly Tier[],
): Price {
  const others = countedTools(subscriptions).filter((sub) => sub.toolId !== tool.id);
  const payer = personalPayer(adviser);
  const [toolId, toolName, unitCents] = [tool.id, tool.name, centsOf(tool.basePrice)];
  return priceOf({ toolId, toolName, unitCents, payer, paidTools: others.length + 1, tiers });
}
