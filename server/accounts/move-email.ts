import { brand } from '#shared/brand.ts';
import type { MembershipType } from '#shared/rules/people/accounts.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { moveTo } from './change-email.ts';
import { sendEmailMoved } from './mail.ts';
import { endAllSessions, isTaken, lockUserFor } from './queries.ts';
import { deletePending, insertChange, newestMove, noteUndone } from './queries-email.ts';
import { issueVerification } from './verification.ts';

/** What undoing a change of address puts back. */
export type EmailBefore = { email: string; verified: boolean; membershipType: MembershipType };

/** Refuses an address that the person already has, or that is somebody else's. Locks the person. */
export async function checkMove(inside: Context, userId: string, toEmail: string): Promise<ActorRow> {
  const user = await lockUserFor(inside.db, userId);
  if (user.email === toEmail) throw fieldError('email', 'This is the user’s address already');
  if (await isTaken(inside.db, toEmail, user.id, inside.now())) throw new AppError('email_taken');
  return user;
}

async function tellMoved(inside: Context, user: ActorRow, toEmail: string, reason: string): Promise<void> {
  const moved = { fromEmail: user.email, toEmail, firstName: user.firstName, reason };
  await sendEmailMoved(inside, moved);
  await notify(inside, {
    userId: user.id,
    title: 'Your email address was changed',
    message: `An administrator of ${brand.name} changed the email address of your account to ${toEmail}. The reason: ${reason}`,
    actionUrl: '/profile?tab=security',
    dedupeKey: `email-moved:${inside.now().toISOString()}`,
  });
}

/** Ends every session; the ways in through the old mailbox end with the move. */
async function endSessions(inside: Context, userId: string): Promise<void> {
  await endAllSessions(inside.db, userId, inside.now());
  await accessChanged(inside, { userId });
}

/**
 * An administrator gives the account another address, in the caller's transaction. It is unverified, so that no price follows from it,
 * until its owner opens the link mailed there. Both addresses are told; nobody else can take the old one for `emailUndoHours`.
 */
export async function moveEmailFor(
  inside: Context,
  userId: string,
  toEmail: string,
  reason: string,
): Promise<EmailBefore> {
  const user = await checkMove(inside, userId, toEmail);
  const now = inside.now();
  await deletePending(inside.db, user.id);
  await insertChange(inside.db, {
    userId: user.id,
    fromEmail: user.email,
    toEmail,
    token: hashToken(newToken()),
    expiresAt: now,
    createdAt: now,
    confirmedAt: now,
    // Sent to nobody, since administrators do the undoing; it keeps the old address reserved.
    undoToken: hashToken(newToken()),
  });
  const moved = await moveTo(inside, user, toEmail, { verified: false });
  await endSessions(inside, user.id);
  await audit(inside, 'admin.email_changed', { user: user.id, after: { reason } });
  await tellMoved(inside, user, toEmail, reason);
  await issueVerification(inside, moved);
  return { email: user.email, verified: user.emailVerified, membershipType: user.membershipType };
}

/** Puts the previous address back; 409 if the account no longer has the one it was given. */
export async function moveEmailBack(
  inside: Context,
  userId: string,
  { from, email, verified, membershipType }: EmailBefore & { from: string },
  reason: string,
): Promise<void> {
  const user = await lockUserFor(inside.db, userId);
  if (user.email !== from) throw new AppError('conflict');
  const change = await newestMove(inside.db, user.id, from);
  if (change) await noteUndone(inside.db, change, inside.now());
  // Whoever has joined or left a practice since is a member or not, as now; a partner's membership began by the address.
  await moveTo(inside, user, email, { verified, ...(membershipType === 'shaw_partners' && { membershipType }) });
  await endSessions(inside, user.id);
  await audit(inside, 'admin.email_change_undone', { user: user.id, after: { reason } });
  await tellMoved(inside, user, email, reason);
}
