import type { Subscription } from '#shared/api/subscriptions.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { converge } from './converge.ts';
import { newestRow, toolExists } from './queries.ts';
import { repriceNow } from './reprice.ts';
import { present, rightsOf } from './rights.ts';

/** `POST /api/subscriptions/{toolId}/sync`: reads the provider again, after the browser has confirmed the card. */
export async function syncTool(context: Context, userId: string, toolId: string): Promise<Subscription | null> {
  const row = await newestRow(context.db, userId, toolId);
  if (!row && !(await toolExists(context.db, toolId))) throw new AppError('tool_not_found');
  if (row?.isActive && row.stripeSubscriptionId) {
    await converge(context, row.id);
    await repriceNow(context, userId);
  }
  const listed = (await rightsOf(context, userId)).find((one) => one.userId === userId && one.toolId === toolId);
  return listed ? present(listed, context.now()) : null;
}
