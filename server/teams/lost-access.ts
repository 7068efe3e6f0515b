import type { Context } from '#server/platform/context.ts';
import { accessTo } from '#server/subscriptions/service.ts';
import { revokeTokens, toolsWithTokens } from './queries-tokens.ts';

/**
 * Ends the launch tokens and API keys of tools this adviser can no longer open, in the transaction that took the team
 * from them: a tool they subscribe to themselves stays open (decisions §7).
 */
export async function revokeLostTokens(context: Context, userId: string): Promise<void> {
  const lost: string[] = [];
  for (const toolId of await toolsWithTokens(context.db, userId, context.now())) {
    if (!(await accessTo(context, userId, toolId))) lost.push(toolId);
  }
  if (lost.length > 0) await revokeTokens(context.db, userId, lost);
}
