import type { Request } from 'express';
import { removalRefusal } from '#shared/rules/teams.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { teamSizeChanged } from '#server/subscriptions/service.ts';
import { revokeLostTokens } from './lost-access.ts';
import { deleteMember, markLeft, roleIn } from './queries.ts';
import { lockStanding } from './standing.ts';
import { tellRemoved } from './tell.ts';

/** Removes a member: the team's tools are closed to them at once, with every token they hold for them (decisions §7). */
export async function removeMember(
  context: Context,
  actor: ActorRow,
  teamId: string,
  userId: string,
  request: Request,
): Promise<void> {
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const { team, role } = await lockStanding(tx, teamId, actor.id, 'remove');
    const targetRole = await roleIn(tx, teamId, userId);
    if (!targetRole) throw new AppError('team_member_not_found');
    const refused = removalRefusal({ userId: actor.id, role }, { userId, role: targetRole });
    if (refused) throw new AppError(refused);
    const now = context.now();
    await deleteMember(tx, teamId, userId);
    await markLeft(tx, [userId], now);
    await revokeLostTokens(inside, userId);
    await teamSizeChanged(inside, teamId);
    await tellRemoved(inside, team, userId, now.toISOString());
    await audit(inside, {
      action: 'team.member_removed',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { userId, role: targetRole },
      ip: request.ip,
    });
  });
}
