import { canonicalEmail } from '#shared/rules/accounts.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { centsOf } from '#shared/rules/money.ts';
import { nextTierAfter, priceOf, type Payer, type Price, type Tier } from '#shared/rules/pricing.ts';
import { hasAccess, isLive, trialDays } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { activeTiers, placesOf, toolForPurchase, type PlaceRow } from './queries.ts';

type BuyerTool = NonNullable<Awaited<ReturnType<typeof toolForPurchase>>>;

/** Everything a purchase decides on, read at one moment. */
export type Offer = {
  tool: BuyerTool;
  /** Rows holding a place of this payer. */
  places: PlaceRow[];
  price: Price;
  quote: Quote;
};

/** The person behind the address, whatever alias it is written with: one trial of a tool each (decisions §5). */
export const trialIdentity = (email: string) => hashToken(canonicalEmail(email));

const payerOf = (actor: ActorRow): Payer => ({
  kind: 'user',
  membershipType: actor.membershipType,
  freeAccess: actor.freeAccessGranted,
  members: 1,
});

/** What one tool costs this adviser: the quote shown and the charge made both come from here (decisions §4). */
export async function offerFor(context: Context, actor: ActorRow, toolId: string): Promise<Offer> {
  const [tool, tierRows, places] = await Promise.all([
    toolForPurchase(context.db, toolId, trialIdentity(actor.email)),
    activeTiers(context.db),
    placesOf(context.db, actor.id),
  ]);
  if (!tool) throw new AppError('tool_not_found');
  if (tool.comingSoon) throw new AppError('coming_soon');

  const now = context.now();
  const cardOnFile = actor.cardLast4 !== null;
  const tiers: Tier[] = tierRows.map((tier) => ({ ...tier, discountPercent: Number(tier.discountPercent) }));
  const payer = payerOf(actor);
  const paid = new Map<string, { id: string; name: string; basePrice: string }>();
  for (const row of places)
    if (row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile }, now))
      paid.set(row.toolId, { id: row.toolId, name: row.toolName, basePrice: row.basePrice });
  if (toolId !== lostMoneyTool) paid.set(toolId, tool);

  const priceAt = (of: { id: string; name: string; basePrice: string }, paidTools: number) =>
    priceOf({ toolId: of.id, toolName: of.name, unitCents: centsOf(of.basePrice), payer, paidTools, tiers });
  const price = priceAt(tool, paid.size);
  const taken = places.some((row) => row.toolId === toolId && isLive({ ...row, cardOnFile }, now));
  const quote: Quote = {
    toolId,
    baseCents: price.baseCents,
    lines: price.lines,
    totalCents: price.totalCents,
    discountPercent: price.discountPercent,
    trialDays: price.totalCents > 0 && !tool.trialUsed && !taken ? trialDays.individual : null,
    dueTodayCents: price.totalCents,
    nextChargeAt: price.totalCents > 0 ? plusMonths(now, 1) : null,
    nextTier: nextTierFor([...paid.values()], tiers, priceAt),
  };
  return { tool, places, price, quote };
}

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

export const quoteFor = async (context: Context, actor: ActorRow, toolId: string): Promise<Quote> =>
  (await offerFor(context, actor, toolId)).quote;
