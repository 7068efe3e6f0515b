import type { Subscription } from '#shared/api/subscriptions.ts';
import { hasAccess, isLive, shownStatus, type SubscriptionFacts } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { Context } from '#server/platform/context.ts';
import { activeTiers, subscriptionRowsOf, type ListedRow } from './queries.ts';

export type SubscriptionWithRights = ListedRow & { live: boolean; access: boolean };

/**
 * Own and team subscriptions with their rights by the clock, newest first. The free tool lives as long as another
 * subscription does, whatever a late job has left in its row (decisions §5).
 */
export async function rightsOf(context: Context, userId: string): Promise<SubscriptionWithRights[]> {
  const rows = await subscriptionRowsOf(context.db, userId);
  const now = context.now();
  const carries = rows.some((row) => row.toolId !== lostMoneyTool && isLive(row, now));
  return rows.map((row) => {
    const counts = row.toolId !== lostMoneyTool || carries;
    return { ...row, live: counts && isLive(row, now), access: counts && hasAccess(row, now) };
  });
}

/** A row as it is sent, its status corrected by the clock. */
export function present(row: SubscriptionWithRights, now: Date): Subscription {
  const status = row.live ? shownStatus(row as SubscriptionFacts, now) : 'expired';
  return {
    ...row,
    status: status === 'incomplete' ? 'expired' : status,
    tool: { name: row.toolName, description: row.toolDescription, basePrice: row.basePrice },
    hasAccess: row.access,
  };
}

/** What `GET /api/user/subscriptions` answers. */
export async function subscriptionsOf(context: Context, userId: string): Promise<Subscription[]> {
  const rows = await rightsOf(context, userId);
  return rows.map((row) => present(row, context.now()));
}

/** The subscription that opens the tool for this adviser now, own before a team's, or null. */
export async function accessTo(
  context: Context,
  userId: string,
  toolId: string,
): Promise<SubscriptionWithRights | null> {
  const open = (await rightsOf(context, userId)).filter((row) => row.toolId === toolId && row.access);
  return open.find((row) => row.userId !== null) ?? open[0] ?? null;
}

/** The volume discounts in force, smallest first. */
export const tiers = (context: Context) => activeTiers(context.db);
