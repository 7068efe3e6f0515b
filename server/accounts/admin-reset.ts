import { brand } from '#shared/brand.ts';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import { notify } from '#server/notifications/service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { lockUser } from './queries.ts';
import { endResetTokens, setPassword } from './queries-reset.ts';

type Reset = { userId: string; newPassword: string; actorId: string; ip: string | undefined };

/** An administrator sets somebody's password: every session and reset link of theirs ends, and they are told (decisions §3). */
export async function setPasswordFor(context: Context, { userId, newPassword, actorId, ip }: Reset): Promise<void> {
  if (isCommonPassword(newPassword)) throw fieldError('newPassword', passwordTooCommon);
  const hash = await context.passwords.hash(newPassword);
  await transaction(context.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.closedAt !== null) throw new AppError('user_not_found');
    const authEpoch = await setPassword(tx, user.id, hash, context.now());
    await endResetTokens(tx, user.id);
    const inside = within(context, tx);
    await audit(inside, {
      action: 'admin.password_reset',
      actorId,
      subjectType: 'user',
      subjectId: user.id,
      ip,
    });
    await notify(inside, {
      userId: user.id,
      type: 'system_alert',
      title: 'Your password was reset',
      message: 'An administrator reset your password, and all your sessions were signed out.',
      actionUrl: '/profile?tab=security',
      dedupeKey: `password-changed:${authEpoch}`,
      mail: {
        kind: 'password-changed',
        subject: `Your ${brand.name} password was reset`,
        paragraphs: [
          `An administrator of ${brand.name} reset the password of your account, and every session was signed out. They will tell you the new password; please change it under My Profile, Security, once you have signed in.`,
          `If you did not ask for this, write to ${brand.supportEmail}.`,
        ],
      },
    });
  });
}
