import type { Request } from 'express';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { clientAddress, consume, refund } from '#server/platform/rate-limit.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { tellPasswordChanged } from './password-changed.ts';
import { lockUser } from './queries.ts';
import { endResetTokens, ownerOfResetToken, setPassword, takeResetToken } from './queries-reset.ts';

type Reset = { token: string; password: string };

/** Sets the password with a mailed token, once, and ends every session. Failed tries are counted per IP; it signs nobody in. */
export async function resetPassword(context: Context, { token, password }: Reset, request: Request): Promise<void> {
  if (isCommonPassword(password)) throw fieldError('password', passwordTooCommon);
  const address = clientAddress(context, request);
  if (address !== null) await consume(context, 'tokenIp', address);
  const hash = hashToken(token);
  const ownerId = await ownerOfResetToken(context.db, hash, context.now());
  // Looked at before the costly part, so that guesses cost us no password hash.
  if (ownerId === null) throw new AppError('reset_token_invalid');
  const newHash = await context.passwords.hash(password);
  await transaction(context.db, async (tx) => {
    const now = context.now();
    const owner = await lockUser(tx, ownerId);
    if (!owner || owner.closedAt !== null || !(await takeResetToken(tx, hash, now)))
      throw new AppError('reset_token_invalid');
    const authEpoch = await setPassword(tx, owner.id, newHash, now);
    await endResetTokens(tx, owner.id);
    const inside = within(context, tx);
    await audit(inside, {
      action: 'account.password_reset',
      actorId: owner.id,
      subjectType: 'user',
      subjectId: owner.id,
      ip: request.ip,
    });
    await tellPasswordChanged(inside, { id: owner.id, authEpoch });
  });
  if (address !== null) await refund(context, 'tokenIp', address);
}
