import type { Request } from 'express';
import { audit } from '#server/admin/service.ts';
import { teamPayer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { endEverything } from '#server/subscriptions/service.ts';
import { detachCardsJob, detachNow, endClosedJob } from './jobs.ts';
import { revokeLostTokens } from './lost-access.ts';
import { deleteAllButOwner, holdsSubscription, markLeft, membersOf, updateTeam } from './queries.ts';
import { revokeAllInvitations } from './queries-invitations.ts';
import { lockStanding, standingIn } from './standing.ts';
import { tellClosed } from './tell.ts';

/** A purchase that was under way in another window has come to its end by then, in seconds. */
const lateSeconds = 60;

/**
 * Closes the team: its subscriptions end at the provider first (where the provider is away nothing is closed), then in one
 * transaction everybody leaves and open invitations end. The owner's row stays, as the record of whose it was.
 */
export async function closeTeam(context: Context, actor: ActorRow, teamId: string, request: Request): Promise<void> {
  await standingIn(context.db, teamId, actor.id, 'manage');
  await endEverything(context, teamPayer(teamId));
  const at = context.now();
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const { team } = await lockStanding(tx, teamId, actor.id, 'manage');
    if (await holdsSubscription(tx, teamId)) throw new AppError('conflict');
    const members = (await membersOf(tx, teamId)).map((member) => member.userId);
    const others = members.filter((id) => id !== actor.id);
    const card = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };
    await updateTeam(tx, teamId, { isActive: false, ...card, updatedAt: at });
    await revokeAllInvitations(tx, teamId);
    await deleteAllButOwner(tx, teamId);
    if (others.length > 0) await markLeft(tx, others, at);
    for (const userId of members) await revokeLostTokens(inside, userId);
    for (const userId of others) await tellClosed(inside, team, userId);
    await context.queue.send(tx, detachCardsJob, { teamId, until: at.toISOString() });
    await context.queue.send(tx, endClosedJob, { teamId }, { startAfter: lateSeconds });
    await audit(inside, {
      action: 'team.closed',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { members: members.length },
      ip: request.ip,
    });
  });
  await detachNow(context, teamId, at);
}
