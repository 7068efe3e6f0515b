import { brand } from '#shared/brand.ts';
import { isPartnerEmail, verificationTokenHours } from '#shared/rules/people/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { audit, auditOwnAccount } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { userPayer } from '#server/payers/service.ts';
import { queueMirror } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { consume, consumeByAddress, refundByAddress } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { sendVerification } from './mail.ts';
import { lockOpenUser, lockUserFor, markProved } from './queries.ts';
import {
  deleteVerificationTokens,
  insertVerificationToken,
  ownerOfVerificationToken,
  takeVerificationToken,
} from './queries-tokens.ts';

/** Makes and mails a token, in the caller's transaction; older ones stop working. */
export async function issueVerification(context: Context, user: ActorRow): Promise<void> {
  const token = newToken();
  const now = context.now();
  await deleteVerificationTokens(context.db, user.id);
  await insertVerificationToken(context.db, {
    userId: user.id,
    token: hashToken(token),
    expiresAt: plus(now, verificationTokenHours * hour),
    createdAt: now,
  });
  await sendVerification(context, user, token);
}

/**
 * Uses a mailed token, in a session of its account only: otherwise somebody could register with another person's address and get
 * that person's price once the owner of the mailbox presses the button in good faith. A partner's address makes a standard account
 * a partner's. Failed tries are counted per IP.
 */
export async function verifyEmail(context: Context, actor: ActorRow | null, token: string): Promise<ActorRow> {
  await consumeByAddress(context, 'tokenIp');
  const hash = hashToken(token);
  let isNew = false;
  const user = await inTransaction(context, async (inside, tx) => {
    const ownerId = await ownerOfVerificationToken(tx, hash);
    const owner = ownerId === null ? null : await lockOpenUser(tx, ownerId);
    if (owner && owner.id !== actor?.id) throw new AppError('verify_signed_in');
    if (!owner || !(await takeVerificationToken(tx, hash, context.now()))) throw new AppError('token_invalid');
    isNew = !owner.emailVerified && owner.createdAt > plus(context.now(), -hour);
    return noteProved(inside, owner);
  });
  await refundByAddress(context, 'tokenIp');
  // Colleagues register one after another behind the address of their practice.
  if (isNew) await refundByAddress(context, 'registerIp');
  return user;
}

/** Notes that the owner has shown to hold the mailbox, in the caller's transaction. The first time verifies the address. */
export async function noteProved(inside: Context, owner: ActorRow): Promise<ActorRow> {
  const isPartner = isPartnerEmail(owner.email, inside.env.partnerEmailDomains);
  const proved = await markProved(inside.db, owner, isPartner, inside.now());
  if (owner.emailVerified) return proved;
  await deleteVerificationTokens(inside.db, owner.id);
  await auditOwnAccount(inside, 'account.email_verified', owner.id, {
    before: { membershipType: owner.membershipType },
    after: { membershipType: proved.membershipType },
  });
  if (proved.membershipType !== owner.membershipType) await queueMirror(inside, userPayer(owner.id));
  return proved;
}

/** Mails a new link, which replaces the old one. */
export async function resendVerification(context: Context, actor: ActorRow): Promise<void> {
  if (actor.emailVerified) throw new AppError('already_verified');
  await consume(context, 'resendVerification', actor.id);
  await inTransaction(context, async (inside, tx) => {
    const user = await lockOpenUser(tx, actor.id);
    if (!user || user.emailVerified) throw new AppError('already_verified');
    await issueVerification(inside, user);
  });
}

/** Mails another link that verifies the address, for an administrator; older ones stop working. A notice says who sent it, and why. */
export const sendVerificationFor = (context: Context, { userId, reason }: { userId: string; reason: string }) =>
  inTransaction(context, async (inside, tx) => {
    const user = await lockUserFor(tx, userId);
    if (user.emailVerified) throw new AppError('user_verified');
    await issueVerification(inside, user);
    await audit(inside, 'admin.verification_sent', { user: user.id, after: { reason } });
    await notify(inside, {
      userId: user.id,
      title: 'A verification link was sent to you',
      message: `An administrator of ${brand.name} sent a link to ${user.email} that verifies your email address. The reason: ${reason}`,
      actionUrl: '/profile?tab=security',
      dedupeKey: `admin.verification_sent:${context.now().toISOString()}`,
    });
  });
