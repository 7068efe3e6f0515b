import type { MembershipType } from '../people/accounts.ts';
import type { Bill } from './bill-types.ts';
import type { Forecast } from './forecast.ts';
import { businessZone, calendarDays } from '../dates.ts';
import { centsOf, sumCents } from './money.ts';
import { nextTierAfter, priceOf, tierFor, type PayerFacts, type Price, type Tier } from './pricing.ts';
import { lostMoneyTool } from '../tools/tools.ts';

type Adviser = { membershipType: MembershipType; freeAccessGranted: boolean };

/** An adviser who pays for themselves. */
export const personalPayer = ({ membershipType, freeAccessGranted }: Adviser): PayerFacts => ({
  kind: 'user',
  membershipType,
  freeAccess: freeAccessGranted,
  members: 1,
});

export const tiersOf = (tiers: readonly { toolCount: number; discountPercent: string }[]): Tier[] =>
  tiers.map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent: Number(discountPercent) }));

/** What the forecast says of the payer's volume discount. The release before says nothing of the coming bill's. */
export type Outlook = Pick<Forecast, 'paidTools' | 'endings'> & {
  nextTiers?: readonly Tier[] | undefined;
  bill: Pick<Bill, 'at' | 'lines'> | null;
};

/** The volume discount in percent, today and from the coming bill on; `more` tools are about to be bought. */
export type VolumeDiscount = {
  tools: number;
  today: number;
  next: number;
  /** Why it gets smaller: the tools that end, and from which bill. Null where it stays. */
  until: { at: Date; ends: string[]; isSameDay: boolean } | null;
};

export function volumeDiscount(
  { paidTools, nextTiers, endings, bill }: Outlook,
  tiers: readonly Tier[],
  more = 0,
): VolumeDiscount {
  const today = tierFor(tiers, paidTools.now + more)?.discountPercent ?? 0;
  const next = tierFor(nextTiers ?? tiers, paidTools.next + more)?.discountPercent ?? 0;
  const tools = paidTools.next + more;
  if (!bill || today === next) return { tools, today, next, until: null };
  const days = (at: Date) => calendarDays(at, bill.at, businessZone);
  const ended = endings.filter(({ at, toolId }) => days(at) >= 0 && toolId !== lostMoneyTool);
  const isSameDay = ended.every(({ at }) => days(at) === 0);
  return { tools, today, next, until: { at: bill.at, ends: ended.map(({ toolName }) => toolName), isSameDay } };
}

/** How many more tools the next tier needs. */
export type NextTier = { moreTools: number; percent: number };

export type BulkBanner =
  | { kind: 'free_access' }
  | { kind: 'saving'; discount: VolumeDiscount; monthlyCents: number; yearlyCents: number; next: NextTier | null }
  | { kind: 'hint'; tools: number; next: NextTier };

/**
 * The dashboard's bulk-discount banner: what the coming bill saves, or how far the next tier is. Null when there is nothing to say, as
 * to somebody who has tools from a team only.
 */
export function bulkBanner(
  { freeAccessGranted, hasTeamTools }: { freeAccessGranted: boolean; hasTeamTools: boolean },
  outlook: Outlook,
  tiers: readonly Tier[],
): BulkBanner | null {
  if (freeAccessGranted) return { kind: 'free_access' };
  const discount = volumeDiscount(outlook, tiers);
  const further = nextTierAfter(outlook.nextTiers ?? tiers, outlook.paidTools.next);
  const next = further && {
    moreTools: further.toolCount - outlook.paidTools.next,
    percent: further.discountPercent,
  };
  const bulk = outlook.bill?.lines.flatMap(({ discounts }) => discounts.filter(({ kind }) => kind === 'bulk')) ?? [];
  const monthlyCents = sumCents(bulk);
  if (monthlyCents > 0 || discount.until)
    return { kind: 'saving', discount, monthlyCents, yearlyCents: monthlyCents * 12, next };
  if (!next || (hasTeamTools && outlook.paidTools.now === 0)) return null;
  return { kind: 'hint', tools: outlook.paidTools.next, next };
}

/** What a month of this tool would cost the payer on top of the others: today, and from the coming bill on. */
export function priceOfOneMore(
  payer: PayerFacts,
  { id: toolId, name: toolName, basePrice }: { id: string; name: string; basePrice: string },
  { paidTools, nextTiers }: Pick<Outlook, 'paidTools' | 'nextTiers'>,
  tiersNow: readonly Tier[],
): { today: Price; next: Price } {
  const priceWith = (others: number, tiers: readonly Tier[]) =>
    priceOf({
      toolId,
      toolName,
      unitCents: centsOf(basePrice),
      payer,
      paidTools: others + 1,
      tiers,
    });
  return { today: priceWith(paidTools.now, tiersNow), next: priceWith(paidTools.next, nextTiers ?? tiersNow) };
}
