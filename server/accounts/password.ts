import { brand, seller } from '#shared/brand.ts';
import { sydneyMoment } from '#shared/rules/dates.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { fieldError } from '#server/platform/http/app-error.ts';
import { refuseWeakPassword } from '#server/platform/crypto/weak-passwords.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { askerOf, consume, refund } from '#server/platform/http/rate-limit.ts';
import { lockOpenUser, passwordHash, setPassword } from './queries.ts';
import { endResetTokens } from './queries-tokens.ts';

const wrongPassword = 'Your current password is incorrect.';

/**
 * Demands the password again before something that cannot be undone; returns the hash it was compared with. Failures have a
 * limit of their own beside that of all proofs, so that somebody guessing at the sign-in does not stop the owner from changing the password here.
 */
export async function confirmPassword(
  context: Context,
  actor: ActorRow,
  field: string,
  given: string,
): Promise<string> {
  await consume(context, 'proofs', actor.id);
  await consume(context, 'passwordProof', actor.id);
  const giveBack = () => refund(context, 'passwordProof', actor.id);
  const hash = await passwordHash(context.db, actor.id);
  // No stored password contains a NUL.
  const possible = given.includes('\0') ? null : hash;
  const { ok } = await context.passwords.verify(given, possible, askerOf(context)).catch(async (error: unknown) => {
    // Our fault, not a wrong password.
    await giveBack().catch(() => undefined);
    throw error;
  });
  if (!ok || hash === null) throw fieldError(field, wrongPassword);
  await giveBack();
  return hash;
}

/** Ends every session and reset link; returns the user with the new epoch, as whom this browser is to be signed in again. */
export async function changePassword(
  context: Context,
  actor: ActorRow,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<ActorRow> {
  await refuseWeakPassword(context, 'newPassword', newPassword, actor);
  const known = await confirmPassword(context, actor, 'currentPassword', currentPassword);
  const newHash = await context.passwords.hash(newPassword, askerOf(context));
  return inTransaction(context, async (inside, tx) => {
    const user = await lockOpenUser(tx, actor.id);
    // Where two change it at once, the second confirmed with a password that is no longer current.
    if (!user || (await passwordHash(tx, actor.id)) !== known) throw fieldError('currentPassword', wrongPassword);
    await auditOwnAccount(inside, 'account.password_changed', user.id);
    return { ...user, authEpoch: await replacePassword(inside, user.id, newHash) };
  });
}

const byThemselves = (at: Date) => ({
  title: 'Your password was changed',
  message: 'Your password was changed and your other sessions were signed out.',
  actionUrl: '/profile?tab=security',
  subject: mailSubject`Your ${brand.name} password was changed`,
  paragraphs: [
    `The password of your ${brand.name} account was changed on ${sydneyMoment(at)}, Sydney time. Every other browser was signed out, and older links to reset the password no longer work.`,
    `If this was you, no action is needed. If it was not, reset your password with “Forgot Password” on the sign-in page and write to ${seller().supportEmail}.`,
  ],
});

/**
 * Stores the new hash, in the caller's transaction: every session, reset link and unused launch ends, and the owner is told in
 * the app and by mail. Returns the new epoch.
 */
export async function replacePassword(
  inside: Context,
  userId: string,
  hash: string,
  notice = byThemselves(inside.now()),
) {
  const authEpoch = await setPassword(inside.db, userId, hash, inside.now());
  await endResetTokens(inside.db, userId);
  const { subject, paragraphs, ...inApp } = notice;
  await notify(inside, {
    ...inApp,
    userId,
    dedupeKey: `password-changed:${authEpoch}`,
    mail: { kind: 'password-changed', subject, paragraphs, actionLabel: 'Open Security' },
  });
  return authEpoch;
}
