import { emailChangeHours, membershipAfterMove, type MembershipType } from '#shared/rules/people/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { teamPayer, trialIdentityOf, userPayer } from '#server/payers/service.ts';
import { identities } from '#server/people/service.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import { copyTrials, queueMirror } from '#server/subscriptions/service.ts';
import { moveInvitations, myTeams } from '#server/teams/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { consume, consumeByAddress, refundByAddress } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { sendEmailChange, sendEmailChanged } from './mail.ts';
import { isTaken, lockOpenUser, lockSignedIn, setEmail, setPassword } from './queries.ts';
import {
  changeByToken,
  changeByUndoToken,
  deletePending,
  insertChange,
  noteConfirmed,
  noteUndone,
  pendingChangeOf,
} from './queries-email.ts';
import { deleteVerificationTokens, endResetTokens } from './queries-tokens.ts';
import { issueResetLink } from './reset-password.ts';
import { takeBack } from './take-back.ts';

const takenByAnother =
  'Another account has this address. Please use a different one, or close that account or change its address first.';

export const pendingChange = (context: Context, { id }: ActorRow) => pendingChangeOf(context.db, id, context.now());

/** Mails a link to the new address and tells the current one; an earlier link stops working. Nothing changes yet. */
export async function askForChange(context: Context, actor: ActorRow, toEmail: string): Promise<void> {
  if (toEmail === actor.email) throw fieldError('email', 'This is already your address');
  await consume(context, 'emailChange', actor.id);
  await inTransaction(context, async (inside, tx) => {
    const now = context.now();
    const user = await lockSignedIn(tx, actor);
    // Checked again at the confirmation, when it counts.
    if (await isTaken(tx, toEmail, user.id, now))
      throw new AppError('email_taken', { fields: { email: takenByAnother } });
    const token = newToken();
    const change = { userId: user.id, fromEmail: user.email, toEmail };
    const expiresAt = plus(now, emailChangeHours * hour);
    await deletePending(tx, user.id);
    await insertChange(tx, { ...change, token: hashToken(token), expiresAt, createdAt: now });
    await auditOwnAccount(inside, 'account.email_change_asked', user.id);
    await sendEmailChange(inside, { ...change, firstName: user.firstName }, token);
    await notifyAsked(inside, change, now);
  });
}

const notifyAsked = (inside: Context, { userId, toEmail }: { userId: string; toEmail: string }, now: Date) => {
  const message = `Your account will use ${toEmail} once that address is confirmed. If that wasn't you, change your password at once under My Profile, Security.`;
  return notify(inside, {
    userId,
    title: 'Someone asked to change your email address',
    message,
    actionUrl: '/profile?tab=security',
    dedupeKey: `email-change:${now.toISOString()}`,
    mail: { kind: 'email-change-asked' },
  });
};

export const cancelChange = (context: Context, { id }: ActorRow): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    if (!(await deletePending(tx, id))) throw new AppError('not_found');
    await auditOwnAccount(inside, 'account.email_change_cancelled', id);
  });

/**
 * Changes the address with the mailed token, in a session of its account only: otherwise somebody could enter another person's address
 * and get that person's price once they press the button in good faith. The old address, if verified, may undo it.
 */
export async function confirmChange(context: Context, actor: ActorRow | null, token: string): Promise<ActorRow> {
  await consumeByAddress(context, 'tokenIp');
  const changed = await inTransaction(context, async (inside, tx) => {
    const now = context.now();
    const asked = await changeByToken(tx, hashToken(token), now);
    if (asked && asked.userId !== actor?.id) throw new AppError('change_signed_in');
    const user = asked && (await lockOpenUser(tx, asked.userId));
    // Read again under the lock: of two at once, one still finds it.
    const change = user && (await changeByToken(tx, hashToken(token), now));
    if (!change || change.fromEmail !== user.email) throw new AppError('email_link_invalid');
    const undoToken = user.emailVerified ? newToken() : null;
    await noteConfirmed(tx, change.id, undoToken && hashToken(undoToken), now);
    const moved = await moveTo(inside, user, change.toEmail);
    await auditOwnAccount(inside, 'account.email_changed', user.id, {
      before: { membershipType: user.membershipType },
      after: { membershipType: moved.membershipType },
    });
    await sendEmailChanged(inside, { ...change, firstName: user.firstName }, undoToken);
    return moved;
  });
  await refundByAddress(context, 'tokenIp');
  return changed;
}

type Move = {
  verified?: boolean;
  /** Given when a change is undone, as it was before; otherwise it follows from the address. */
  membershipType?: MembershipType;
};

/** Gives the account another address and updates all that depends on it; what needs a verified address waits until it is verified. */
export async function moveTo(
  inside: Context,
  user: ActorRow,
  email: string,
  { verified = true, ...before }: Move = {},
): Promise<ActorRow> {
  const { db, env } = inside;
  const { ownedTeams, memberOf } = await myTeams(inside, user.id);
  const { membershipType: was, email: from } = user;
  const move = { membershipType: was, from, to: verified ? email : '', isTeamMember: memberOf !== null };
  const membershipType = before.membershipType ?? membershipAfterMove(move, env.partnerEmailDomains);
  // An address that was verified before this was noted has been proved.
  const emailProvedAt = verified ? inside.now() : (user.emailProvedAt ?? (user.emailVerified ? user.createdAt : null));
  const address = { email, membershipType, emailVerified: verified, emailProvedAt };
  const moved = await setEmail(db, user.id, address, inside.now());
  await deleteVerificationTokens(db, user.id);
  await endResetTokens(db, user.id);
  // Whoever keeps the old mailbox, such as a practice that was left, also keeps the Microsoft or Google account of that address.
  if (await identities.deleteIdentitiesSince(db, user.id, new Date(0)))
    await accessChanged(inside, { userId: user.id });
  await moveInvitations(db, user.email, email, verified);
  await copyTrials(db, trialIdentityOf(user.email), trialIdentityOf(email));
  for (const payer of [userPayer(user.id), ...ownedTeams.map(({ id }) => teamPayer(id))])
    await customerChanged(inside, payer);
  if (membershipType !== user.membershipType) await queueMirror(inside, userPayer(user.id));
  return moved;
}

/**
 * Restores the old address with the token mailed to it. Whoever changed it may know the password and have added factors, even before the
 * change, so the account is taken back and nobody knows its password. Returns the address, and the token of the link mailed to it, with
 * which its owner chooses another password at once.
 */
export async function undoChange(context: Context, token: string): Promise<{ email: string; token: string }> {
  await consumeByAddress(context, 'tokenIp');
  // Checked before the costly part, so that guesses cost us no password hash.
  const known = await orRefuse(changeByUndoToken(context.db, hashToken(token), context.now()), 'email_link_invalid');
  const nobodys = await context.passwords.hash(newToken());
  const undone = await inTransaction(context, async (inside, tx) => {
    const now = context.now();
    const user = await lockOpenUser(tx, known.userId);
    const change = user && (await changeByUndoToken(tx, hashToken(token), now));
    if (!change) throw new AppError('email_link_invalid');
    await noteUndone(tx, change, now);
    const restored = await moveTo(inside, user, change.fromEmail);
    await setPassword(tx, user.id, nobodys, now);
    await takeBack(inside, restored, change.createdAt);
    await auditOwnAccount(inside, 'account.email_change_undone', user.id);
    return { email: restored.email, token: await issueResetLink(inside, restored) };
  });
  await refundByAddress(context, 'tokenIp');
  return undone;
}
