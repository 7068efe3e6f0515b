import type { Request } from 'express';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { revokeLostTokens } from './lost-access.ts';
import {
  deleteAllButOwner,
  deleteMember,
  lockPeople,
  markJoined,
  markLeft,
  membersOf,
  roleIn,
  setRole,
  teamsOf,
  updateTeam,
} from './queries.ts';
import { revokeAllInvitations } from './queries-invitations.ts';
import { lockStanding } from './standing.ts';
import { tellClosed, tellHandedOver } from './tell.ts';

export const renameTeam = (context: Context, actor: ActorRow, teamId: string, name: string, request: Request) =>
  transaction(context.db, async (tx) => {
    const { team } = await lockStanding(tx, teamId, actor.id, 'manage');
    const renamed = await updateTeam(tx, teamId, { name, updatedAt: context.now() });
    await audit(within(context, tx), {
      action: 'team.renamed',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { name: team.name },
      after: { name },
      ip: request.ip,
    });
    return renamed;
  });

/**
 * Makes a member the owner. The old owner stays as an admin, or leaves where they are a member of another team already
 * (one membership at a time). Both accounts are locked, so that neither is closed meanwhile.
 */
export const transferTeam = (context: Context, actor: ActorRow, teamId: string, userId: string, request: Request) =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockStanding(tx, teamId, actor.id, 'manage');
    if (userId === actor.id) throw fieldError('userId', 'You are the owner already');
    const people = await lockPeople(tx, [actor.id, userId]);
    const from = people.find(({ id }) => id === actor.id);
    const to = people.find(({ id }) => id === userId);
    if (!from || from.closedAt) throw new AppError('unauthorized');
    if (!to || to.closedAt || !(await roleIn(tx, teamId, userId))) throw new AppError('team_member_not_found');
    if ((await teamsOf(tx, to.id)).some(({ role }) => role === 'owner')) throw new AppError('new_owner_has_team');
    const stays = (await teamsOf(tx, from.id)).every(({ role }) => role === 'owner');

    const now = context.now();
    if (stays) await setRole(tx, teamId, from.id, 'admin');
    else await deleteMember(tx, teamId, from.id);
    await setRole(tx, teamId, to.id, 'owner');
    await markLeft(tx, [to.id], now);
    if (stays) await markJoined(tx, [from.id], now);
    else await revokeLostTokens(inside, from.id);
    const card = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };
    const team = await updateTeam(tx, teamId, { ownerId: to.id, ...card, updatedAt: now });
    await tellHandedOver(inside, team, from, to, stays, `${teamId}:${now.toISOString()}`);
    await audit(inside, {
      action: 'team.handed_over',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { ownerId: from.id },
      after: { ownerId: to.id },
      ip: request.ip,
    });
    return team;
  });

/** Closes the team: everybody leaves, open invitations end. The owner's row stays, as the record of whose it was. */
export async function closeTeam(context: Context, actor: ActorRow, teamId: string, request: Request): Promise<void> {
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const { team } = await lockStanding(tx, teamId, actor.id, 'manage');
    const now = context.now();
    const members = (await membersOf(tx, teamId)).map((member) => member.userId);
    const others = members.filter((id) => id !== actor.id);
    await updateTeam(tx, teamId, { isActive: false, updatedAt: now });
    await revokeAllInvitations(tx, teamId);
    await deleteAllButOwner(tx, teamId);
    if (others.length > 0) await markLeft(tx, others, now);
    for (const userId of members) await revokeLostTokens(inside, userId);
    for (const userId of others) await tellClosed(inside, team, userId);
    await audit(inside, {
      action: 'team.closed',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { members: members.length },
      ip: request.ip,
    });
  });
}
