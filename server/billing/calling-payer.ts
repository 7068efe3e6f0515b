import { AppError } from '#server/platform/app-error.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import type { Card } from './cards.ts';
import { ownedTeam } from './queries-payer.ts';

type Kept = { [field in keyof Card]: Card[field] | null };
export type CallingPayer = { owner: { userId: string } | { teamId: string }; card: Kept };

/** Who pays for this call: the adviser, or a team, for its owner only (decisions §7). */
export async function callingPayer(context: Context, actor: ActorRow, teamId?: string): Promise<CallingPayer> {
  if (teamId === undefined) return { owner: { userId: actor.id }, card: actor };
  const team = await ownedTeam(context.db, teamId, actor.id);
  if (!team) throw new AppError('team_not_found');
  return { owner: { teamId }, card: team };
}
