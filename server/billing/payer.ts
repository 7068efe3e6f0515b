import { teamCan } from '#shared/rules/teams.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { roleInTeam } from './queries-payer.ts';

/** Who pays: an adviser for themselves, or a team, which is a payer of its own whoever owns it (decisions §7). */
export type Payer = { kind: 'user'; userId: string } | { kind: 'team'; teamId: string };

export const userPayer = (userId: string): Payer => ({ kind: 'user', userId });
export const teamPayer = (teamId: string): Payer => ({ kind: 'team', teamId });

/** The payer as the two columns of every table that has one; exactly one of them is set. */
export const columnsOf = (payer: Payer): { userId: string | null; teamId: string | null } =>
  payer.kind === 'user' ? { userId: payer.userId, teamId: null } : { userId: null, teamId: payer.teamId };

export function payerOf({ userId, teamId }: { userId: string | null; teamId: string | null }): Payer {
  if (userId !== null) return userPayer(userId);
  if (teamId === null) throw new Error('a row without a payer');
  return teamPayer(teamId);
}

/** The payer for something, in the provider's metadata and in keys. */
export const payerKey = (payer: Payer) => (payer.kind === 'user' ? payer.userId : `team:${payer.teamId}`);

/**
 * Whom a request is about: without a team the adviser, else the team, for its owner only. Outsiders are told it does not
 * exist, its other people are refused (decisions §7).
 */
export async function payerFor(context: Context, actor: { id: string }, teamId?: string): Promise<Payer> {
  if (teamId === undefined) return userPayer(actor.id);
  const role = await roleInTeam(context.db, teamId, actor.id);
  if (!role) throw new AppError('team_not_found');
  if (!teamCan(role, 'manage')) throw new AppError('forbidden');
  return teamPayer(teamId);
}
