import type { Request } from 'express';
import type { User } from '#shared/api/accounts.ts';
import { isPartnerEmail, normaliseEmail } from '#shared/rules/accounts.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, violates } from '#server/platform/database.ts';
import { clientAddress, consume, consumeByAddress, refund } from '#server/platform/rate-limit.ts';
import { hashToken } from '#server/platform/tokens.ts';
import * as queries from './queries.ts';
import { mailVerification } from './verification.ts';

const list = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]));

/** The user as sent: lists as arrays; the contract lets no other column leave (decisions §3). */
export const toUser = (actor: ActorRow): User => ({
  ...actor,
  professionalCredentials: list(actor.professionalCredentials),
  specializationAreas: list(actor.specializationAreas),
});

const withoutPassword = ({ password: _password, ...row }: ActorRow & { password: string }): ActorRow => row;

/**
 * The adviser behind an address and a password, or null (decisions §3). Attempts are counted per address and per IP
 * before the check and given back on success; an unknown account costs the same hash.
 */
export async function checkPassword(
  context: Context,
  given: string,
  password: string,
  request: Request,
): Promise<ActorRow | null> {
  const email = normaliseEmail(given);
  await consume(context, 'signInAddress', email);
  await consumeByAddress(context, 'signInIp', request);
  const row = await queries.userByEmail(context.db, email);
  const { ok, needsRehash } = await context.passwords.verify(password, row?.password ?? null);
  if (!ok || !row || row.closedAt) return null;
  await refund(context, 'signInAddress', email);
  const address = clientAddress(context, request);
  if (address !== null) await refund(context, 'signInIp', address);
  if (needsRehash) await queries.setPassword(context.db, row.id, await context.passwords.hash(password));
  return withoutPassword(row);
}

/** Refuses the passwords most often found in leaks; the rules of A §5 are the contract's. */
export const refuseCommonPassword = (password: string, field = 'password') => {
  if (isCommonPassword(password)) throw fieldError(field, 'This password is too common.');
};

type Registration = { email: string; password: string; firstName: string; lastName: string };

/** Makes the account, its verification mail and its audit row together; a taken address is 409, also in a race. */
export async function register(context: Context, registration: Registration, request: Request): Promise<ActorRow> {
  await consumeByAddress(context, 'registerIp', request);
  refuseCommonPassword(registration.password);
  const password = await context.passwords.hash(registration.password);
  try {
    return await transaction(context.db, async (tx) => {
      const inside = within(context, tx);
      const user = await queries.insertUser(tx, { ...registration, password }, context.now());
      await mailVerification(inside, user);
      await audit(inside, {
        action: 'account.registered',
        actorId: user.id,
        subjectType: 'user',
        subjectId: user.id,
        ip: request.ip,
      });
      return withoutPassword(user);
    });
  } catch (error) {
    throw violates(error, 'users_email_unique') ? new AppError('email_taken') : error;
  }
}

type ProfileInput = Omit<queries.Profile, 'professionalCredentials' | 'specializationAreas'> & {
  professionalCredentials: string[];
  specializationAreas: string[];
};

/** Stores the whole profile, once (A §2, /complete-profile). */
export async function completeProfile(context: Context, actor: ActorRow, profile: ProfileInput): Promise<User> {
  const row = await queries.completeProfile(
    context.db,
    actor.id,
    {
      ...profile,
      professionalCredentials: JSON.stringify(profile.professionalCredentials),
      specializationAreas: JSON.stringify(profile.specializationAreas),
    },
    context.now(),
  );
  if (!row) throw new AppError('profile_already_complete');
  return toUser(row);
}

/** Consumes a mailed token, once; a partner's address becomes a partner's membership (decisions §3). */
export async function verifyEmail(context: Context, token: string, request: Request): Promise<User> {
  await consumeByAddress(context, 'tokenIp', request);
  return transaction(context.db, async (tx) => {
    const userId = await queries.takeVerificationToken(tx, hashToken(token), context.now());
    if (!userId) throw new AppError('token_invalid');
    const isPartner = (email: string) => isPartnerEmail(email, context.env.partnerEmailDomains);
    const user = await queries.markVerified(tx, userId, isPartner, context.now());
    await audit(within(context, tx), {
      action: 'account.email_verified',
      actorId: userId,
      subjectType: 'user',
      subjectId: userId,
      after: { membershipType: user.membershipType },
      ip: request.ip,
    });
    return toUser(user);
  });
}
