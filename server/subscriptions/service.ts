import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { activeTiers } from './queries.ts';
import { present, rightsOf, type SubscriptionWithRights } from './rights.ts';

export { endEverything, withdrawPurchases } from './close.ts';
export { convergeProviderSubscription } from './converge.ts';
export { freeAccessChanged, membershipChanged, teamSizeChanged } from './payer-changes.ts';

/** What `GET /api/user/subscriptions` answers. */
export async function subscriptionsOf(context: Context, userId: string): Promise<Subscription[]> {
  const rows = await rightsOf(context, userId);
  const now = context.now();
  return rows.map((row) => present(row, now));
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
