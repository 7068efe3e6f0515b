import { lostMoneyTool } from '#shared/rules/tools.ts';
import { findPayerFacts, type Payer, teamPayer, userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { slotsOf } from '../queries.ts';
import { queueReprice } from '../sync/effects.ts';
import { isBilled, isFree, repriceNow } from './reprice.ts';

/** Has the price follow a team's number of members, once the caller's transaction commits; Stripe prorates. */
export const teamSizeChanged = (context: Context, teamId: string) => queueReprice(context, teamPayer(teamId));

/** The same at once: the owner sees the new price beside the new list of members. */
export const repriceTeamNow = (context: Context, teamId: string) => repriceNow(context, teamPayer(teamId));

/** Has prices follow a card given or removed: with one, trials go on, and count for the volume discount. */
export const cardChanged = (context: Context, payer: Payer) => queueReprice(context, payer);

/** Has prices follow the start or end of the partner price. */
export const membershipChanged = (context: Context, userId: string) => queueReprice(context, userPayer(userId));

/**
 * Has prices follow free access. Once granted, paid subscriptions cost nothing from their next invoice. Once revoked, they
 * cost their price again from the next renewal, or are in grace for seven days where nothing pays for them. Answers whether
 * this tells the adviser what becomes of their tools.
 */
export async function freeAccessChanged(context: Context, userId: string): Promise<boolean> {
  const payer = userPayer(userId);
  await queueReprice(context, payer);
  const facts = await findPayerFacts(context.db, payer);
  const slots = await slotsOf(context.db, payer);
  const goOn = slots.filter((row) => row.toolId !== lostMoneyTool && row.autoRenew);
  return goOn.some((row) => isBilled(row) || (isFree(row) && facts?.freeAccess === false));
}
