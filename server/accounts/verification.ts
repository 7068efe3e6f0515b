import type { Request } from 'express';
import { isPartnerEmail, verificationTokenHours } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { clientAddress, consume, refund } from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { membershipChanged } from '#server/subscriptions/service.ts';
import { sendVerification } from './mail.ts';
import {
  deleteVerificationTokens,
  insertVerificationToken,
  lockUser,
  markVerified,
  ownerOfToken,
  takeVerificationToken,
} from './queries.ts';

const hourMs = 3_600_000;

/** Makes and mails a token, in the caller's transaction; older ones stop working. */
export async function issueVerification(context: Context, user: ActorRow): Promise<void> {
  const token = newToken();
  const now = context.now();
  await deleteVerificationTokens(context.db, user.id);
  await insertVerificationToken(context.db, {
    userId: user.id,
    token: hashToken(token),
    expiresAt: new Date(now.getTime() + verificationTokenHours * hourMs),
    createdAt: now,
  });
  await sendVerification(context, user, token);
}

/**
 * Uses a mailed token, for whoever holds it; it signs nobody in. A partner's address makes a standard account a
 * partner's (decisions §3). Failed tries are counted per IP.
 */
export async function verifyEmail(context: Context, token: string, request: Request): Promise<ActorRow> {
  const address = clientAddress(context, request);
  if (address !== null) await consume(context, 'tokenIp', address);
  const hash = hashToken(token);
  const user = await transaction(context.db, async (tx) => {
    const ownerId = await ownerOfToken(tx, hash);
    const owner = ownerId === null ? null : await lockUser(tx, ownerId);
    if (!owner || owner.closedAt !== null || !(await takeVerificationToken(tx, hash, context.now())))
      throw new AppError('token_invalid');
    const verified = await markVerified(
      tx,
      owner.id,
      isPartnerEmail(owner.email, context.env.partnerEmailDomains),
      context.now(),
    );
    await audit(within(context, tx), {
      action: 'account.email_verified',
      actorId: owner.id,
      subjectType: 'user',
      subjectId: owner.id,
      before: { membershipType: owner.membershipType },
      after: { membershipType: verified.membershipType },
      ip: request.ip,
    });
    if (verified.membershipType !== owner.membershipType) await membershipChanged(within(context, tx), owner.id);
    return verified;
  });
  if (address !== null) await refund(context, 'tokenIp', address);
  return user;
}

/** Mails a new link, which supersedes the old one. */
export async function resendVerification(context: Context, actor: ActorRow): Promise<void> {
  if (actor.emailVerified) throw new AppError('already_verified');
  await consume(context, 'resendVerification', actor.id);
  await transaction(context.db, async (tx) => {
    const user = await lockUser(tx, actor.id);
    if (!user || user.emailVerified) throw new AppError('already_verified');
    await issueVerification(within(context, tx), user);
  });
}
