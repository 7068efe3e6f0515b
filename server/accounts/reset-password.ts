import { resetTokenHours } from '#shared/rules/people/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { refuseWeakPassword } from '#server/platform/crypto/weak-passwords.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { knownDevice } from '#server/platform/http/known-device.ts';
import {
  askerOf,
  consume,
  consumeByAddress,
  hasBudget,
  originOf,
  refundByAddress,
} from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { sendReset, sendStillSuspended } from './mail.ts';
import { replacePassword } from './password.ts';
import { accountByEmail, findOpenUser, lockOpenUser, passwordHash } from './queries.ts';
import { endResetTokens, insertResetToken, ownerOfResetToken, takeResetToken } from './queries-tokens.ts';
import { refuseSuspended } from './sign-in.ts';
import { takeBack } from './take-back.ts';
import { noteProved } from './verification.ts';

export const resetJob = 'mail-reset-link';

/**
 * Asks for a reset link. For every address, known or not, the request does the same: it checks limits and sends one job. The job looks
 * up the account, so that neither answer nor timing tells whether there is one. Strangers can only use up the requests of browsers that
 * never signed in to the account, and by then a working link is already in its mailbox.
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

/** Mails the link if there is an open account; older links stop working. */
export const mailResetLink = (context: Context, email: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const account = await accountByEmail(tx, email);
    const user = account && (await lockOpenUser(tx, account.actor.id));
    if (!user) return;
    await (user.suspendedAt === null ? issueResetLink(inside, user) : sendStillSuspended(inside, user));
  });

/** Makes and mails a link, in the caller's transaction; older ones stop working. Returns its token. */
export async function issueResetLink(inside: Context, user: { id: string; email: string; firstName: string }) {
  const token = await issueResetToken(inside, user.id, { mailed: true });
  await sendReset(inside, user, token);
  return token;
}

/** Makes a token that sets a new password, in the caller's transaction; older ones stop working. A mailed one also proves the address. */
export async function issueResetToken(inside: Context, userId: string, { mailed = false } = {}): Promise<string> {
  const token = newToken();
  const now = inside.now();
  await endResetTokens(inside.db, userId);
  await insertResetToken(inside.db, {
    userId,
    token: hashToken(token),
    mailed,
    expiresAt: plus(now, resetTokenHours * hour),
    createdAt: now,
  });
  return token;
}

/**
 * Sets the password with a token, once, and ends every session; it signs nobody in. A mailed token proves the address and takes the
 * account back. Failed tries are counted per IP. Returns the account's address.
 */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<string> {
  await refuseWeakPassword(context, 'password', password, {});
  await consumeByAddress(context, 'tokenIp');
  const hash = hashToken(token);
  const ownerId = await ownerOfResetToken(context.db, hash, context.now());
  const known = ownerId && (await findOpenUser(context.db, ownerId));
  // Checked before the costly part, so that guesses cost us no password hash.
  if (!known) throw new AppError('reset_token_invalid');
  await refundByAddress(context, 'tokenIp');
  await refuseSuspended(context, known);
  await refuseWeakPassword(context, 'password', password, known);
  if (known.mustChangePassword) await refuseSamePassword(context, known.id, password);
  const newHash = await context.passwords.hash(password, askerOf(context));
  const isProved = await inTransaction(context, async (inside, tx) => {
    const owner = await lockOpenUser(tx, known.id);
    const taken = owner && (await takeResetToken(tx, hash, context.now()));
    if (!taken) throw new AppError('reset_token_invalid');
    await auditOwnAccount(inside, 'account.password_reset', owner.id);
    await replacePassword(inside, owner.id, newHash);
    if (!taken.mailed) return false;
    await takeBack(inside, owner, context.now());
    await noteProved(inside, owner);
    return true;
  });
  if (isProved) await refundByAddress(context, 'forgotIp');
  return known.email;
}

/** Where a new password was demanded, the old one won't do. */
async function refuseSamePassword(context: Context, userId: string, password: string): Promise<void> {
  const { ok } = await context.passwords.verify(password, await passwordHash(context.db, userId), askerOf(context));
  if (ok) throw fieldError('password', 'Please choose a password that differs from your current one.');
}
