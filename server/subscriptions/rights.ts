import type { Subscription } from '#shared/api/subscriptions.ts';
import { centsOf, percentOf } from '#shared/rules/money.ts';
import { hasAccess, isLive, shownStatus } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { columnsOf, type Payer } from '#server/billing/service.ts';
import type { Context } from '#server/platform/context.ts';
import { discountKindOf } from './coupons.ts';
import { payerRow, placesOf, subscriptionRowsOf, type ListedRow } from './queries.ts';

export type SubscriptionWithRights = ListedRow & {
  live: boolean;
  access: boolean;
  /** Whether the reader pays for it: an adviser for their own, a team's owner for the team's (decisions §7). */
  canManage: boolean;
};

/** Own tools carry the adviser's free tool, and so do a team's; a team's free tool is carried by the team's. */
const carries = (other: ListedRow, free: ListedRow) =>
  other.toolId !== lostMoneyTool && (free.teamId === null || other.teamId === free.teamId);

/**
 * Own and team subscriptions with their rights by the clock, newest first. The free tool lives as long as another
 * subscription does, whatever a late job has left in its row (decisions §5).
 */
export async function rightsOf(context: Context, userId: string): Promise<SubscriptionWithRights[]> {
  const rows = await subscriptionRowsOf(context.db, userId);
  const now = context.now();
  return rows.map((row) => {
    const counts = row.toolId !== lostMoneyTool || rows.some((other) => carries(other, row) && isLive(other, now));
    return {
      ...row,
      live: counts && isLive(row, now),
      access: counts && hasAccess(row, now),
      canManage: row.userId !== null || row.teamOwnerId === userId,
    };
  });
}

/** Has this payer any live subscription that carries the free tool? An adviser's may be their team's. */
export async function carriesFreeTool(context: Context, payer: Payer): Promise<boolean> {
  if (payer.kind === 'user')
    return (await rightsOf(context, payer.userId)).some((row) => row.live && row.toolId !== lostMoneyTool);
  const [facts, places] = await Promise.all([payerRow(context.db, payer), placesOf(context.db, payer)]);
  const cardOnFile = facts?.cardOnFile ?? false;
  return places.some((row) => row.toolId !== lostMoneyTool && isLive({ ...row, cardOnFile }, context.now()));
}

/** A payer's subscription to a tool as this reader may see it; null where there is none to list. */
export async function shownTo(
  context: Context,
  userId: string,
  payer: Payer,
  toolId: string,
): Promise<Subscription | null> {
  const { teamId } = columnsOf(payer);
  const listed = (await rightsOf(context, userId)).find((row) => row.toolId === toolId && row.teamId === teamId);
  return listed ? present(listed, context.now()) : null;
}

/** A row as it is sent, its status corrected by the clock. What a team pays is for its owner alone. */
export function present(row: SubscriptionWithRights, now: Date): Subscription {
  const status = row.live ? shownStatus(row, now) : 'expired';
  if (status === 'incomplete') throw new Error(`subscription ${row.id} is not confirmed and can't be shown`);
  const { winBack, paymentProblem, canManage } = row;
  return {
    ...row,
    status,
    tool: { name: row.toolName, description: row.toolDescription, basePrice: row.basePrice },
    hasAccess: row.access,
    winBack: winBack && { ...winBack, endsAt: winBack.endsAt === null ? null : new Date(winBack.endsAt) },
    ...(canManage
      ? { ...billOf(row), paymentProblem: status === 'grace_period' ? paymentProblem : null }
      : { baseCents: row.monthlyCents, discounts: [], paymentProblem: null, winBack: null }),
  };
}

/** What the row is billed, as the coupons it carries at the provider take it off the base price. */
function billOf({ purchase, basePrice, quantity, monthlyCents }: SubscriptionWithRights) {
  const baseCents = (purchase?.unitCents ?? centsOf(basePrice)) * quantity;
  let left = baseCents;
  const discounts: Subscription['discounts'] = (purchase?.coupons ?? []).map(({ id, name, percent }) => {
    const cents = percentOf(left, percent);
    left -= cents;
    return { kind: discountKindOf(id), label: name, percent, cents };
  });
  if (left > 0 && monthlyCents === 0)
    discounts.push({ kind: 'free', label: '100% Free Access Granted', percent: 100, cents: left });
  return { baseCents, discounts };
}
