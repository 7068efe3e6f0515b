import { teamSizeChanged } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteMember, membersOf, teamsOf } from './queries.ts';
import { standingIn } from './standing.ts';

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

/** Everybody in the team, for everybody in it. */
export async function teamMembers(context: Context, actor: ActorRow, teamId: string) {
  await standingIn(context.db, teamId, actor.id, 'seeMembers');
  return membersOf(context.db, teamId);
}

/** An account that is being closed leaves its teams, which pay for one member less; in the caller's transaction. */
export async function leaveTeams(context: Context, userId: string): Promise<void> {
  for (const { id, role } of await teamsOf(context.db, userId)) {
    if (role === 'owner') continue;
    await deleteMember(context.db, id, userId);
    await teamSizeChanged(context, id);
  }
}
