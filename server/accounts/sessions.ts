import type { Request } from 'express';
import type { OwnApiKey, Session, SignIn } from '#shared/api/security.ts';
import { apiKeyLimit, maskedKey } from '#shared/rules/operators/admin.ts';
import { sessionLife } from '#shared/rules/people/accounts.ts';
import { endLaunches, listKeys, revokeKey } from '#server/access-tokens/service.ts';
import { auditOwnAccount, sentenceOf, signInsOf } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { deviceName } from '#server/platform/http/device-name.ts';
import { clearSessionCookie, signOut } from '#server/platform/http/session.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { destroySession, liveSessions } from './queries.ts';

/** Where the account is signed in, with this browser marked. */
export async function sessionsOf(context: Context, actor: ActorRow, request: Request): Promise<Session[]> {
  const life = actor.isAdmin ? sessionLife.admin : sessionLife.adviser;
  const rows = await liveSessions(context.db, actor.id, actor.authEpoch, life);
  const own = hashToken(request.sessionID);
  return rows.map(({ sid, device, ...row }) => ({ ...row, current: sid === own, device: deviceName(device) }));
}

const shownSignIns = 20;

/** The newest sign-ins and sign-outs of the caller's own account, and attempts on it by anybody. */
export async function recentSignIns({ db }: Context, actor: ActorRow): Promise<SignIn[]> {
  const rows = await signInsOf(db, actor.id, shownSignIns);
  return rows.map((row) => ({
    ...row,
    what: row.action.slice('account.'.length) as SignIn['what'],
    sentence: sentenceOf({ ...row, before: null, actor: 'you', whom: 'you', names: new Map() }),
  }));
}

/** Ends one of the caller's own sessions, even the current one. Somebody else's is not found. */
export async function endSession(context: Context, actor: ActorRow, id: string, request: Request): Promise<void> {
  const sid = await inTransaction(context, async (inside, tx) => {
    const ended = await destroySession(tx, actor.id, id);
    if (ended === null) throw new AppError('not_found');
    await auditOwnAccount(inside, 'account.session_ended', actor.id);
    return ended;
  });
  if (sid === hashToken(request.sessionID)) await signOutHere(context, actor, request);
  else await endLaunches(context.db, actor.id);
}

/** Signs this browser out and ends launches that no tool has exchanged yet. Clears the cookie even if nobody is signed in. */
export async function signOutHere(context: Context, actor: ActorRow | null, request: Request): Promise<void> {
  if (actor) {
    await endLaunches(context.db, actor.id);
    await auditOwnAccount(context, 'account.signed_out', actor.id);
    // Only with a user: without one there is nothing to end, and passport would first store an empty session.
    await signOut(request);
  }
  clearSessionCookie(request, context.env);
}

/** The keys that administrators made for this person and nobody has revoked. */
export async function ownKeys({ db }: Context, actor: ActorRow): Promise<OwnApiKey[]> {
  const rows = await listKeys(db, apiKeyLimit, [actor.id]);
  return rows.map(({ lastFour, ...row }) => ({ ...row, token: maskedKey(lastFour) }));
}

/** Revokes one of them; from the next introspection on it fails. Somebody else's is not found. */
export const revokeOwnKey = (context: Context, actor: ActorRow, id: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const key = await orRefuse(revokeKey(tx, id, actor.id), 'api_key_not_found');
    await auditOwnAccount(inside, 'account.api_key_revoked', actor.id, {
      before: { keyId: id, toolId: key.toolId, lastFour: key.lastFour },
    });
  });
