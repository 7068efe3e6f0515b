import { brand } from '#shared/brand.ts';
import { resetTokenHours } from '#shared/rules/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { audit, auditOwnAccount } from '#server/audit/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { refuseWeakPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { knownDevice } from '#server/platform/known-device.ts';
import {
  askerOf,
  consume,
  consumeByAddress,
  hasBudget,
  originOf,
  refundByAddress,
} from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { sendReset } from './mail.ts';
import { replacePassword } from './password.ts';
import { accountByEmail, findOpenUser, lockOpenUser } from './queries.ts';
import { endResetTokens, insertResetToken, ownerOfResetToken, takeResetToken } from './queries-tokens.ts';

export const resetJob = 'mail-reset-link';

/**
 * Asks for a reset link. The request does the same for every address, known or not: its limits, one job. Whether there is an account is
 * looked up by the job, so that no answer and no timing tells. Others can only use up the requests of browsers that never signed in to
 * it; and then a link that works is in its mailbox already.
 */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  const device = knownDevice(context, email);
  if (device === null || !(await hasBudget(context, 'forgotDevice', `${device} ${email}`))) {
    await consumeByAddress(context, 'forgotIp');
    await consume(context, 'forgotAddress', `${email} ${originOf(context)}`);
    await consume(context, 'forgotAccount', email);
  }
  await context.queue.send(context.db, resetJob, { email });
}

/** Mails the link, if there is an open account; older links stop working. */
export async function mailResetLink(context: Context, email: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const account = await accountByEmail(tx, email);
    const user = account && (await lockOpenUser(tx, account.actor.id));
    if (user) await issueResetLink(within(context, tx), user);
  });
}

/** Makes and mails a link, in the caller's transaction; older ones stop working. */
export async function issueResetLink(inside: Context, user: { id: string; email: string; firstName: string }) {
  const token = newToken();
  const now = inside.now();
  await endResetTokens(inside.db, user.id);
  await insertResetToken(inside.db, {
    userId: user.id,
    token: hashToken(token),
    expiresAt: plus(now, resetTokenHours * hour),
    createdAt: now,
  });
  await sendReset(inside, user, token);
}

/**
 * Sets the password with a mailed token, once, and ends every session. Failed tries are counted per IP; it signs nobody in. Answers the
 * account's address.
 */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<string> {
  refuseWeakPassword('password', password, {});
  await consumeByAddress(context, 'tokenIp');
  const hash = hashToken(token);
  const ownerId = await ownerOfResetToken(context.db, hash, context.now());
  const known = ownerId && (await findOpenUser(context.db, ownerId));
  // Looked at before the costly part, so that guesses cost us no password hash.
  if (!known) throw new AppError('reset_token_invalid');
  await refundByAddress(context, 'tokenIp');
  refuseWeakPassword('password', password, known);
  const newHash = await context.passwords.hash(password, askerOf(context));
  await transaction(context.db, async (tx) => {
    const owner = await lockOpenUser(tx, known.id);
    if (!owner || !(await takeResetToken(tx, hash, context.now()))) throw new AppError('reset_token_invalid');
    const inside = within(context, tx);
    await auditOwnAccount(inside, 'account.password_reset', owner.id);
    await replacePassword(inside, owner.id, newHash);
  });
  return known.email;
}

const byAdministrator = {
  title: 'Your password was reset',
  message: 'An administrator reset your password, and all your sessions were signed out.',
  actionUrl: '/profile?tab=security',
  subject: `Your ${brand.name} password was reset`,
  paragraphs: [
    `An administrator of ${brand.name} reset the password of your account, and every session was signed out. They will tell you the new password; please change it under My Profile, Security, once you have signed in.`,
    `If you didn't ask for this, write to ${brand.supportEmail}.`,
  ],
};

/** An administrator sets somebody's password: every session and reset link of theirs ends, and they are told. */
export async function setPasswordFor(context: Context, userId: string, newPassword: string): Promise<void> {
  const known = await findOpenUser(context.db, userId);
  if (!known) throw new AppError('user_not_found');
  refuseWeakPassword('newPassword', newPassword, known);
  const hash = await context.passwords.hash(newPassword, askerOf(context));
  await transaction(context.db, async (tx) => {
    const user = await lockOpenUser(tx, userId);
    if (!user) throw new AppError('user_not_found');
    const inside = within(context, tx);
    await audit(inside, 'admin.password_reset', { user: user.id });
    await replacePassword(inside, user.id, hash, byAdministrator);
  });
}
