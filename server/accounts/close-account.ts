import type { Request } from 'express';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { userPayer } from '#server/billing/service.ts';
import { endEverything } from '#server/subscriptions/service.ts';
import { leaveTeams } from '#server/teams/service.ts';
import { confirmPassword } from './confirm-password.ts';
import { sendClosed } from './mail.ts';
import { lockUser } from './queries.ts';
import { eraseIdentity, holdsSubscription, isLastAdmin, ownsTeam } from './queries-close.ts';
import { destroySessions } from './queries-sessions.ts';
import { lockSetup } from './queries-setup.ts';

export const eraseCustomerJob = 'erase-customer';
export const endLateJob = 'end-late-subscriptions';

/** A purchase that was under way in another window has come to its end by then. */
const lateSeconds = 60;

/**
 * Ends the subscriptions at the provider, then erases the person in one transaction (decisions §3). Where the provider is
 * away nothing is erased and the next try goes on. An owner has to hand over or close the team first, and the last
 * administrator stays: without one, /setup-admin would open to anybody. The customer at the provider is erased by a job.
 */
export async function closeAccount(context: Context, actor: ActorRow, password: string, request: Request) {
  await confirmPassword(context, actor, 'password', password);
  if (await ownsTeam(context.db, actor.id)) throw new AppError('owns_team');
  if (await isLastAdmin(context.db, actor.id)) throw new AppError('last_admin');
  await endEverything(context, userPayer(actor.id));
  await transaction(context.db, async (tx) => {
    if (actor.isAdmin) await lockSetup(tx);
    const user = await lockUser(tx, actor.id);
    if (!user || user.closedAt !== null) throw new AppError('unauthorized');
    if (await ownsTeam(tx, user.id)) throw new AppError('owns_team');
    if (await isLastAdmin(tx, user.id)) throw new AppError('last_admin');
    if (await holdsSubscription(tx, user.id)) throw new AppError('conflict');
    const inside = within(context, tx);
    await destroySessions(tx, user.id);
    await leaveTeams(inside, user.id);
    await eraseIdentity(tx, user, context.now());
    await sendClosed(inside, user);
    await audit(inside, {
      action: 'account.closed',
      actorId: user.id,
      subjectType: 'user',
      subjectId: user.id,
      ip: request.ip,
    });
    await context.queue.send(tx, eraseCustomerJob, { userId: user.id });
    await context.queue.send(tx, endLateJob, { userId: user.id }, { startAfter: lateSeconds });
  });
}
