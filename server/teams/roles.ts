import { type InvitedRole, takesSeat } from '#shared/rules/people/teams.ts';
import { audit } from '#server/audit/service.ts';
import { practices } from '#server/payers/service.ts';
import { lockOpenPerson } from '#server/people/service.ts';
import { seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { revokeTokensWithoutAccess } from './members.ts';
import { nameOf, notifyRole } from './notices.ts';
import { countMembers, setRole } from './queries.ts';
import { lockTeamRight } from './team-right.ts';

/** Gives a member another role. A seat that comes or goes with it is on the next bill, as if somebody joined or left. */
export const changeRole = (
  context: Context,
  actor: ActorRow,
  { teamId, userId }: { teamId: string; userId: string },
  role: InvitedRole,
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor.id, 'manage');
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
