import type { Request } from 'express';
import type { Session } from '#shared/api/security.ts';
import { sessionLife } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { clearSessionCookie, signOut } from '#server/platform/session.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { deviceName } from './device.ts';
import { destroySession, liveSessions } from './queries-sessions.ts';

/** Where the account is signed in, this browser marked. */
export async function sessionsOf(context: Context, actor: ActorRow, request: Request): Promise<Session[]> {
  const life = actor.isAdmin ? sessionLife.admin : sessionLife.adviser;
  const rows = await liveSessions(context.db, actor.id, actor.authEpoch, life);
  const own = hashToken(request.sessionID);
  return rows.map(({ sid, device, ...row }) => ({ ...row, current: sid === own, device: deviceName(device) }));
}

/** Signs one session of one's own out; the current one too. Somebody else's does not exist. */
export async function endSession(context: Context, actor: ActorRow, id: string, request: Request): Promise<void> {
  const sid = await transaction(context.db, async (tx) => {
    const ended = await destroySession(tx, actor.id, id);
    if (ended === null) throw new AppError('not_found');
    await audit(within(context, tx), {
      action: 'account.session_ended',
      actorId: actor.id,
      subjectType: 'user',
      subjectId: actor.id,
      ip: request.ip,
    });
    return ended;
  });
  if (sid !== hashToken(request.sessionID)) return;
  await signOut(request);
  clearSessionCookie(request, context.env);
}
