import { brand, seller } from '#shared/brand.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { administratorIds, namesOf } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { endAllSessions, isLastAdmin, lockOpenUser, lockSetup, lockUserFor } from './queries.ts';

type Telling = { title: string; message: (userId: string) => string; actionUrl: string };

/** Tells these people in the app and by mail, since rights over everybody have changed hands. */
async function tellThem(inside: Context, to: Iterable<string>, of: string, { title, message, actionUrl }: Telling) {
  for (const userId of to)
    await notify(inside, {
      userId,
      title,
      message: message(userId),
      actionUrl,
      dedupeKey: `administrator:${of}:${inside.now().toISOString()}`,
      mail: {
        kind: 'administrators-changed',
        paragraphs: [message(userId), `If this surprises you, write to ${seller().supportEmail} at once.`],
      },
    });
}

/** Tells the person and every administrator. */
async function tell(inside: Context, { id, firstName, lastName }: ActorRow, made: boolean, reason: string) {
  await tellThem(inside, new Set([...(await administratorIds(inside.db)), id]), id, {
    title: made ? 'A new administrator' : 'One administrator fewer',
    message: (userId) =>
      `${userId === id ? 'You are' : `${firstName} ${lastName} is`} ${made ? 'now' : 'no longer'} an administrator of ${brand.name}. The reason: ${reason}`,
    actionUrl: made ? '/admin' : '/dashboard',
  });
}

/** Tells every administrator who can sign in that another one was suspended, and by whom. */
export async function tellSuspended(inside: Context, { id, firstName, lastName }: ActorRow, reason: string) {
  const [by = 'An administrator'] = await namesOf(inside.db, [inside.caller?.actorId ?? []].flat());
  await tellThem(inside, await administratorIds(inside.db), id, {
    title: 'An administrator was suspended',
    message: () => `${by} suspended ${firstName} ${lastName}, an administrator of ${brand.name}. The reason: ${reason}`,
    actionUrl: '/admin',
  });
}

/** Who may become an administrator: somebody else, verified, and not suspended. Locks the person. */
export async function checkNewAdministrator(inside: Context, userId: string): Promise<ActorRow> {
  const user = await lockUserFor(inside.db, userId);
  if (user.isAdmin) throw new AppError('already_admin');
  if (user.suspendedAt !== null) throw new AppError('user_suspended');
  if (!user.emailVerified) throw new AppError('user_unverified');
  return user;
}

/** In the caller's transaction. Ends the person's sessions: they sign in again, to an administrator's shorter one. */
export async function makeAdministrator(inside: Context, userId: string, reason: string): Promise<void> {
  const user = await checkNewAdministrator(inside, userId);
  await endAllSessions(inside.db, user.id, inside.now(), { isAdmin: true });
  await audit(inside, 'admin.administrator_made', { user: user.id, after: { reason } });
  await tell(inside, user, true, reason);
}

export async function removeAdministrator(inside: Context, userId: string, reason: string): Promise<void> {
  const user = await lockOpenUser(inside.db, userId);
  if (!user?.isAdmin) throw new AppError('not_admin');
  await lockSetup(inside.db);
  if (await isLastAdmin(inside.db, user.id)) throw new AppError('last_admin_stays');
  await endAllSessions(inside.db, user.id, inside.now(), { isAdmin: false });
  await audit(inside, 'admin.administrator_removed', { user: user.id, after: { reason } });
  await tell(inside, user, false, reason);
}
