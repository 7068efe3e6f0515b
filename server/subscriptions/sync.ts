import type { Subscription } from '#shared/api/subscriptions.ts';
import { payerFor } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { converge } from './converge.ts';
import { newestRow, toolExists } from './queries.ts';
import { repriceNow } from './reprice.ts';
import { shownTo } from './rights.ts';

/** `POST /api/subscriptions/{toolId}/sync`: reads the provider again, after the browser has confirmed the card. */
export async function syncTool(
  context: Context,
  actor: ActorRow,
  toolId: string,
  teamId?: string,
): Promise<Subscription | null> {
  const payer = await payerFor(context, actor, teamId);
  const row = await newestRow(context.db, payer, toolId);
  if (!row && !(await toolExists(context.db, toolId))) throw new AppError('tool_not_found');
  if (row?.isActive && row.stripeSubscriptionId) {
    await converge(context, row.id);
    await repriceNow(context, payer);
  }
  return shownTo(context, actor.id, payer, toolId);
}
