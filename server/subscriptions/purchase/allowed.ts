import { toolRefusal } from '#shared/rules/record.ts';
import { findPayerFacts, type Payer, toolRulesFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { chargeableSubscriptions } from '../queries.ts';

/**
 * Nobody buys, keeps or pays for what their practice doesn't allow, for the team or for themselves: it ends where nobody cancels it
 * before. What renews by itself goes on until somebody does.
 */
export async function refuseDisallowed(context: Context, actor: ActorRow, toolId: string): Promise<void> {
  if (toolRefusal(await toolRulesFor(context.db, actor.id), toolId)) throw new AppError('tool_not_allowed');
}

/** What a new card pays at once: everything that is owed, but for tools that the payer's practice doesn't allow. */
export async function payableByCard(context: Context, payer: Payer) {
  const [rows, facts] = await Promise.all([
    chargeableSubscriptions(context.db, payer),
    findPayerFacts(context.db, payer),
  ]);
  const rules = facts ? await toolRulesFor(context.db, facts.contactId) : [];
  return rows.filter(({ toolId }) => toolRefusal(rules, toolId) === null);
}
