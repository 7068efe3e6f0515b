import type { Quote } from '#shared/api/subscriptions.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { centsOf } from '#shared/rules/money.ts';
import { nextTierAfter, priceOf, type Price, type Tier, type WinBack } from '#shared/rules/pricing.ts';
import { hasAccess, isLive, trialDays } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { payerFor, type Payer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { activeTiers, payerRow, placesOf, toolForPurchase, type PayerRow, type PlaceRow } from './queries.ts';

type BuyerTool = NonNullable<Awaited<ReturnType<typeof toolForPurchase>>>;

/** Everything a purchase decides on, read at one moment. */
export type Offer = {
  tool: BuyerTool;
  facts: PayerRow;
  /** Rows holding a place of this payer. */
  places: PlaceRow[];
  price: Price;
  quote: Quote;
  /** The same purchase with another win-back offer, or none. */
  priceWith: (winBack: WinBack | null) => Price;
};

/** What one tool costs this payer: the quote shown and the charge made both come from here (decisions §4). */
export async function offerFor(
  context: Context,
  payer: Payer,
  toolId: string,
  winBack: WinBack | null = null,
): Promise<Offer> {
  const [facts, tiers, places] = await Promise.all([
    payerRow(context.db, payer),
    tiersInForce(context),
    placesOf(context.db, payer),
  ]);
  const tool = facts && (await toolForPurchase(context.db, toolId, facts.trialIdentity));
  if (!tool) throw new AppError('tool_not_found');
  if (tool.comingSoon) throw new AppError('coming_soon');

  const now = context.now();
  const { cardOnFile } = facts;
  const paid = new Map<string, { id: string; name: string; basePrice: string }>();
  for (const row of places)
    if (row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile }, now))
      paid.set(row.toolId, { id: row.toolId, name: row.toolName, basePrice: row.basePrice });
  if (toolId !== lostMoneyTool) paid.set(toolId, tool);

  const priceAt = (of: { id: string; name: string; basePrice: string }, paidTools: number, comeback = winBack) =>
    priceOf({
      toolId: of.id,
      toolName: of.name,
      unitCents: centsOf(of.basePrice),
      payer: facts,
      paidTools,
      tiers,
      winBack: of.id === toolId ? comeback : null,
    });
  const price = priceAt(tool, paid.size);
  const taken = places.some((row) => row.toolId === toolId && isLive({ ...row, cardOnFile }, now));
  const quote: Quote = {
    toolId,
    baseCents: price.baseCents,
    lines: price.lines,
    totalCents: price.totalCents,
    discountPercent: price.discountPercent,
    trialDays: price.totalCents > 0 && !tool.trialUsed && !taken ? trialDaysOf(payer) : null,
    dueTodayCents: price.totalCents,
    nextChargeAt: price.totalCents > 0 ? plusMonths(now, 1) : null,
    nextTier: nextTierFor([...paid.values()], tiers, priceAt),
  };
  return { tool, facts, places, price, quote, priceWith: (comeback) => priceAt(tool, paid.size, comeback) };
}

export const trialDaysOf = (payer: Payer) => (payer.kind === 'team' ? trialDays.team : trialDays.individual);

export const tiersInForce = async (context: Context): Promise<Tier[]> =>
  (await activeTiers(context.db)).map((tier) => ({ ...tier, discountPercent: Number(tier.discountPercent) }));

/** What one tier more would save in a month over all of the payer's tools; null where it would save nothing. */
function nextTierFor<T>(paid: T[], tiers: Tier[], priceAt: (tool: T, paidTools: number) => Price): Quote['nextTier'] {
  const next = nextTierAfter(tiers, paid.length);
  if (!next) return null;
  const total = (paidTools: number) => paid.reduce((sum, tool) => sum + priceAt(tool, paidTools).totalCents, 0);
  const monthlySavingCents = total(paid.length) - total(next.toolCount);
  return monthlySavingCents > 0
    ? { toolCount: next.toolCount, percent: next.discountPercent, monthlySavingCents }
    : null;
}

/** `GET /api/pricing/quote`: for the adviser, or for the team they own. */
export async function quoteFor(
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: { toolId: string; teamId?: string | undefined },
): Promise<Quote> {
  return (await offerFor(context, await payerFor(context, actor, teamId), toolId)).quote;
}
