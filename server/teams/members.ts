import { type InvitedRole, removalRefusal, takesSeat, teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { accessChanged, revokeTokens, toolsWithTokens } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { practices } from '#server/payers/service.ts';
import { changeMembership, lockActor, lockOpenPerson } from '#server/people/service.ts';
import { rights, seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { nameOf, notifyLeft, notifyRemoved, notifyRole } from './notices.ts';
import { countMembers, deleteMember, lockTeam, membersElsewhere, membersOf, setRole } from './queries.ts';
import { lockTeamRight } from './team-right.ts';

/** Removes a member. Access to the team's tools ends at once, with every token they have for them. */
export const removeMember = (context: Context, actor: ActorRow, teamId: string, userId: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const { team, role } = await lockTeamRight(tx, teamId, actor, 'remove');
    const targetRole = await orRefuse(practices.findTeamRole(tx, teamId, userId), 'team_member_not_found');
    const refused = removalRefusal({ userId: actor.id, role }, { userId, role: targetRole });
    if (refused) throw new AppError(refused);
    await takeOut(inside, teamId, userId, targetRole);
    await notifyRemoved(inside, team, userId, inside.now().toISOString());
    await audit(inside, 'team.member_removed', { team: teamId, before: { userId, role: targetRole } });
  });

/** Gives a member another role. A seat that comes or goes with it is on the next bill, as if somebody joined or left. */
export const changeRole = (
  context: Context,
  actor: ActorRow,
  { teamId, userId }: { teamId: string; userId: string },
  role: InvitedRole,
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    const before = await practices.findTeamRole(tx, teamId, userId);
    const person = before && (await lockOpenPerson(tx, userId));
    if (!person) throw new AppError('team_member_not_found');
    if (before === 'owner') throw new AppError('owner_stays_owner');
    if (before === role) return;
    const seat = { id: userId, name: nameOf(person) };
    const [had, has] = [takesSeat(before), takesSeat(role)];
    if (has && !had && (await countMembers(tx, teamId)) >= team.maxMembers) throw new AppError('team_full');
    if (has && !had) await seats.memberJoined(inside, teamId, seat);
    if (had && !has) await seats.memberLeft(inside, teamId, seat);
    const now = inside.now();
    await setRole(tx, teamId, userId, role, has && !had ? now : undefined);
    if (had && !has) await revokeTokensWithoutAccess(inside, userId);
    await notifyRole(inside, team, userId, role, now.toISOString());
    await audit(inside, 'team.role_changed', { team: teamId, before: { role: before }, after: { userId, role } });
  });

/** A member leaves, and owner and admins are told. An owner hands the team over or closes it. */
export const leaveTeam = (context: Context, actor: ActorRow, teamId: string): Promise<void> =>
  inTransaction(context, (inside) => leaveIn(inside, actor, teamId));

/** Leaves in the caller's transaction. */
export async function leaveIn(inside: Context, actor: ActorRow, teamId: string): Promise<void> {
  const { id: userId } = actor;
  const team = await lockTeam(inside.db, teamId);
  await lockActor(inside.db, actor);
  const role = team && (await practices.findTeamRole(inside.db, teamId, userId));
  if (!role) throw new AppError('team_not_found');
  if (role === 'owner') throw new AppError('owner_cannot_leave');
  const person = await takeOut(inside, teamId, userId, role);
  const told = (await membersOf(inside.db, teamId)).filter((one) => teamCan(one.role, 'invite'));
  await notifyLeft(inside, team, person, told, inside.now().toISOString());
  await audit(inside, 'team.left', { team: teamId, before: { role } });
}

/** Takes somebody out of the team, and out of its tools and its bill. The caller has locked the team. */
async function takeOut(inside: Context, teamId: string, userId: string, role: TeamRole) {
  const { db } = inside;
  const now = inside.now();
  const person = (await membersOf(db, teamId)).find((member) => member.userId === userId);
  const name = person ? nameOf(person.user) : null;
  if (takesSeat(role)) await seats.memberLeft(inside, teamId, { id: userId, name });
  await deleteMember(db, teamId, userId, now);
  await leaveMembership(db, [userId], now);
  await revokeTokensWithoutAccess(inside, userId);
  return { id: userId, name: name ?? 'A member' };
}

/** Joining a team gives a standard account the team membership; a partner stays a partner. */
export const joinMembership = (db: Db, userId: string, at: Date) =>
  changeMembership(db, [userId], 'standard', 'team', at);

/** Leaving a team takes the team membership back, unless they are a member of another team. */
export async function leaveMembership(db: Db, userIds: string[], at: Date): Promise<void> {
  const staying = await membersElsewhere(db, userIds);
  const leaving = userIds.filter((id) => !staying.has(id));
  if (leaving.length > 0) await changeMembership(db, leaving, 'team', 'standard', at);
}

/**
 * Revokes the launch tokens and API keys for tools that this adviser can no longer open, in the transaction that ends their
 * membership, and has the tools told. A tool they subscribe to themselves stays open.
 */
export async function revokeTokensWithoutAccess(context: Context, userId: string): Promise<void> {
  const lost: string[] = [];
  for (const toolId of await toolsWithTokens(context.db, userId, context.now())) {
    if (!(await rights.findAccess(context, userId, toolId))) lost.push(toolId);
  }
  await revokeTokens(context.db, [userId], lost);
  await accessChanged(context, { userId });
}
