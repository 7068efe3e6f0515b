import type { Subscription } from '#shared/api/subscriptions.ts';
import { hasAccess, isLive, shownStatus } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import type { Context } from '#server/platform/context.ts';
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
  };
}
