import type { Subscription } from '#shared/api/subscriptions.ts';
import { centsOf, percentOf } from '#shared/rules/money.ts';
import { hasAccess, isLive, shownStatus } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { Context } from '#server/platform/context.ts';
import { discountKindOf } from './coupons.ts';
import { subscriptionRowsOf, type ListedRow } from './queries.ts';

export type SubscriptionWithRights = ListedRow & { live: boolean; access: boolean };

/**
 * Own and team subscriptions with their rights by the clock, newest first. The free tool lives as long as another
 * subscription does, whatever a late job has left in its row (decisions §5).
 */
export async function rightsOf(context: Context, userId: string): Promise<SubscriptionWithRights[]> {
  const rows = await subscriptionRowsOf(context.db, userId);
  const now = context.now();
  const carried = rows.some((row) => row.toolId !== lostMoneyTool && isLive(row, now));
  return rows.map((row) => {
    const counts = row.toolId !== lostMoneyTool || carried;
    return { ...row, live: counts && isLive(row, now), access: counts && hasAccess(row, now) };
  });
}

/** Has this adviser any live subscription that carries the free tool, of their own or of a team? */
export const carriesFreeTool = async (context: Context, userId: string): Promise<boolean> =>
  (await rightsOf(context, userId)).some((row) => row.live && row.toolId !== lostMoneyTool);

/** A row as it is sent, its status corrected by the clock. */
export function present(row: SubscriptionWithRights, now: Date): Subscription {
  const status = row.live ? shownStatus(row, now) : 'expired';
  if (status === 'incomplete') throw new Error(`subscription ${row.id} is not confirmed and can't be shown`);
  return {
    ...row,
    status,
    tool: { name: row.toolName, description: row.toolDescription, basePrice: row.basePrice },
    hasAccess: row.access,
    canManage: row.userId !== null,
    ...billOf(row),
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
