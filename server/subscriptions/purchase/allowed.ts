import { toolRefusal } from '#shared/rules/record.ts';
import { toolRulesFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';

/** Nobody buys or reactivates what their practice doesn't allow, for the team or for themselves; what is owed may be paid. */
export async function refuseDisallowed(context: Context, actor: ActorRow, toolId: string): Promise<void> {
  if (toolRefusal(await toolRulesFor(context.db, actor.id), toolId)) throw new AppError('tool_not_allowed');
}
