import { plusMonths } from '#shared/rules/dates.ts';
import { takesSeat, teamCan } from '#shared/rules/people/teams.ts';
import { recordYears } from '#shared/rules/record/record.ts';
import { seats } from '#server/subscriptions/service.ts';
import { identities } from '#server/people/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { noteWhoCloses } from './queries-record.ts';
import { closedTeamsOf, deleteMember, isLiveTeam, membersOf, type TeamRow, teamsOf, updateTeam } from './queries.ts';
import { requireTeamRight } from './team-right.ts';

export { takeOfferBack } from './hand-over.ts';
export { closedTeamsOf, findTeamWithOwner, membersOf, teamsByName } from './queries.ts';
export { findRecordTeam, lockTeamRight, requireRecordTeam, requireTeamRight } from './team-right.ts';
export * as recordTeams from './queries-record.ts';
export { moveInvitations } from './queries-invitations.ts';

/** The teams this adviser owns, and the one team they are a member of. */
export async function myTeams(context: Context, userId: string) {
  const all = await teamsOf(context.db, userId);
  const membership = all.find((team) => team.role !== 'owner');
  return {
    ownedTeams: all.filter((team) => team.role === 'owner'),
    closedTeams: await closedTeamsOf(context.db, userId),
    memberOf: membership ?? null,
    role: membership?.role ?? null,
  };
}

export const ownsTeam = async (db: Db, userId: string): Promise<boolean> =>
  (await teamsOf(db, userId)).some(({ role }) => role === 'owner');

/** The names of this person's teams that demand a second factor of their members. */
export const teamsThatAskForFactor = async (db: Db, userId: string): Promise<string[]> =>
  (await teamsOf(db, userId)).filter((team) => team.requiresFactor).map(({ name }) => name);

/** Whether the caller's own session, or else their account, has shown this organisation's Microsoft account. */
async function hasShown({ db, caller }: Context, userId: string, tenant: string): Promise<boolean> {
  if (caller?.actorId === userId && caller.tenant !== tenant) return false;
  return (await identities.tenantsOf(db, [userId])).get(userId) === tenant;
}

/** The names of this person's teams whose Microsoft account this session did not begin with, though they ask for it. */
export async function teamsThatAskForTenant(context: Context, { id }: ActorRow): Promise<string[]> {
  const names: string[] = [];
  for (const { name, microsoftTenant } of await teamsOf(context.db, id))
    if (microsoftTenant !== null && !(await hasShown(context, id, microsoftTenant))) names.push(name);
  return names;
}

/**
 * Why this team's tools stay shut for this member: they have not proved their address, or lack the second factor or the Microsoft
 * account that it asks for.
 */
export async function shutFor(
  context: Context,
  teamId: string,
  member: Pick<ActorRow, 'id' | 'hasSecondFactor' | 'emailVerified'>,
): Promise<'team_address_unproved' | 'team_factor_required' | 'team_microsoft_required' | null> {
  const team = (await teamsOf(context.db, member.id)).find(({ id }) => id === teamId);
  if (!member.emailVerified && team?.role !== 'owner') return 'team_address_unproved';
  if (!member.hasSecondFactor && team?.requiresFactor) return 'team_factor_required';
  const tenant = team?.microsoftTenant ?? null;
  return tenant === null || (await hasShown(context, member.id, tenant)) ? null : 'team_microsoft_required';
}

/** Whether the team goes on without this adviser. */
export const hasLeft = async (db: Db, teamId: string, userId: string): Promise<boolean> =>
  (await isLiveTeam(db, teamId)) && (await teamsOf(db, userId)).every((team) => team.id !== teamId);

export async function teamMembers(context: Context, actor: ActorRow, teamId: string) {
  const { role } = await requireTeamRight(context.db, teamId, actor.id, 'seeMembers');
  const members = await membersOf(context.db, teamId);
  return teamCan(role, 'invite') ? members : members.map((one) => ({ ...one, hindrance: null }));
}

/**
 * Sets what the practice asks of reviews of sessions, and whether tools without a decision are allowed, in the caller's transaction, with
 * the team locked.
 */
export const setRecordRules = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  teamId: string,
  rules: Partial<
    Pick<TeamRow, 'newToolsAllowed' | 'lateAfterDays' | 'refusesLate' | 'remindsWeekly' | 'needsClient' | 'checks'>
  >,
) => updateTeam(db, teamId, { ...rules, updatedAt: now() });

/** Takes an account that is being closed out of its teams, in the caller's transaction; each then pays for one member fewer, unnamed. */
export async function leaveTeams(context: Context, userId: string): Promise<void> {
  for (const { id, role } of await teamsOf(context.db, userId)) {
    if (role === 'owner') continue;
    if (takesSeat(role)) await seats.memberLeft(context, id, { id: userId, name: null });
    await deleteMember(context.db, id, userId, context.now());
  }
  // A practice has forgotten who left it before then.
  const since = plusMonths(context.now(), -12 * recordYears);
  const worked = [
    ...(await closedTeamsOf(context.db, userId)).map(({ id }) => id),
    ...(await register.teamsWorkedFor(context.db, userId, since)),
  ];
  await noteWhoCloses(context.db, userId, [...new Set(worked)], context.now());
}
