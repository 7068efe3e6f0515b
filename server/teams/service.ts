import type { Context } from '#server/platform/context.ts';
import { teamsOf } from './queries.ts';

/** Teams owned, and the one team this adviser is a member of without owning it (decisions §16). */
export async function myTeams(context: Context, userId: string) {
  const all = await teamsOf(context.db, userId);
  const membership = all.find((team) => team.role !== 'owner');
  return {
    ownedTeams: all.filter((team) => team.role === 'owner'),
    memberOf: membership ?? null,
    role: membership?.role ?? null,
  };
}
