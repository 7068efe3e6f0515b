import type { Request } from 'express';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { confirmPassword, wrongPassword } from './confirm-password.ts';
import { tellPasswordChanged } from './password-changed.ts';
import { lockUser, passwordHash } from './queries.ts';
import { endResetTokens, setPassword } from './queries-reset.ts';

type Change = { currentPassword: string; newPassword: string };

/** Ends every session and reset link of before; answers the user of the new epoch, for this browser to be signed in as. */
export async function changePassword(
  context: Context,
  actor: ActorRow,
  { currentPassword, newPassword }: Change,
  request: Request,
): Promise<ActorRow> {
  if (isCommonPassword(newPassword)) throw fieldError('newPassword', passwordTooCommon);
  const known = await confirmPassword(context, actor, 'currentPassword', currentPassword);
  const newHash = await context.passwords.hash(newPassword);
  return transaction(context.db, async (tx) => {
    const user = await lockUser(tx, actor.id);
    // Of two changes at once the second was confirmed with a password that is no longer the current one.
    if (!user || user.closedAt !== null || (await passwordHash(tx, actor.id)) !== known)
      throw fieldError('currentPassword', wrongPassword);
    const authEpoch = await setPassword(tx, user.id, newHash, context.now());
    await endResetTokens(tx, user.id);
    const inside = within(context, tx);
    await audit(inside, {
      action: 'account.password_changed',
      actorId: user.id,
      subjectType: 'user',
      subjectId: user.id,
      ip: request.ip,
    });
    await tellPasswordChanged(inside, { id: user.id, authEpoch });
    return { ...user, authEpoch };
  });
}
