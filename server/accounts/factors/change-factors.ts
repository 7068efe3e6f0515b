import type { Request } from 'express';
import type { Attestation } from '#shared/api/factors.ts';
import { maxFactors, normaliseCode, pendingMs, resetDelayMs } from '#shared/rules/people/factors.ts';
import { plus } from '#shared/rules/dates.ts';
import type { secondFactors } from '#shared/schema/factors.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { sendFactorReset } from '../mail.ts';
import { endAllSessions, lockOpenUser, lockSignedIn, lockUserFor } from '../queries.ts';
import { issueRecoveryCodes, newAppSecret, openSecret, sealSecret, stepOf } from './authenticator-codes.ts';
import { tell } from './notices.ts';
import { readNewPasskey } from './passkeys.ts';
import {
  deleteAllFactors,
  deleteFactor,
  deleteReset,
  dueResets,
  factorsOf,
  forgetWithoutFactors,
  insertFactor,
  insertReset,
  resetOf,
} from './queries.ts';

/** Whoever enrols a factor has proved the account's address, or they could shut its owner out before they come. */
export function refuseUnproved({ emailVerified }: ActorRow): void {
  if (!emailVerified) throw new AppError('verify_first');
}

/** A secret to enter in an app. Until a code confirms it, it waits in the session, encrypted. */
export function beginApp(context: Context, request: Request, user: ActorRow) {
  refuseUnproved(user);
  const made = newAppSecret(user.email);
  const until = realNow().getTime() + pendingMs;
  request.session.newApp = { secret: sealSecret(context, user.id, made.secret), until };
  return made;
}

/** The first factor brings recovery codes, and the user with the new epoch, as whom this browser is to be signed in again. */
type AddedFactor = { recoveryCodes: string[]; user: ActorRow | null };

export async function addApp(
  context: Context,
  request: Request,
  user: ActorRow,
  { name, code }: { name: string; code: string },
): Promise<AddedFactor> {
  refuseUnproved(user);
  const { newApp } = request.session;
  const secret = newApp && newApp.until > realNow().getTime() ? openSecret(context, user.id, newApp.secret) : null;
  if (!newApp || secret === null) throw new AppError('enrolment_over');
  const lastStep = stepOf(context, secret, normaliseCode(code));
  if (lastStep === null) throw fieldError('code', "That isn't the code your app is showing. Please try the next one.");
  const added = await addFactor(context, user, { kind: 'app', name, secret: newApp.secret, lastStep });
  delete request.session.newApp;
  return added;
}

export async function addPasskey(
  context: Context,
  request: Request,
  user: ActorRow,
  { name, passkey }: { name: string; passkey: Attestation },
): Promise<AddedFactor> {
  const read = await readNewPasskey(context, request, passkey);
  return addFactor(context, user, { kind: 'passkey', name, ...read });
}

const addFactor = (
  context: Context,
  actor: ActorRow,
  values: Omit<typeof secondFactors.$inferInsert, 'userId'>,
): Promise<AddedFactor> =>
  inTransaction(context, async (inside, tx) => {
    const user = await lockSignedIn(tx, actor);
    const userId = user.id;
    refuseUnproved(user);
    const before = await factorsOf(tx, userId);
    const { secret = null, credentialId = null } = values;
    // Of several confirmations at once, one still finds the enrolment unused.
    if (before.some((one) => one.secret === secret && one.credentialId === credentialId))
      throw new AppError('enrolment_over');
    if (before.length >= maxFactors) throw new AppError('factors_full');
    await insertFactor(tx, { ...values, userId, createdAt: context.now() });
    await tell(inside, userId, 'added', `“${values.name}”`);
    if (user.hasSecondFactor) return { recoveryCodes: [], user: null };
    const recoveryCodes = await issueRecoveryCodes(inside, userId);
    // None of the existing sessions has shown it.
    const authEpoch = await endAllSessions(tx, userId, context.now(), { hasSecondFactor: true });
    return { recoveryCodes, user: { ...user, hasSecondFactor: true, authEpoch } };
  });

export const removeFactor = (context: Context, actor: ActorRow, id: string) =>
  inTransaction(context, async (inside, tx) => {
    const { id: userId } = await lockSignedIn(tx, actor);
    const gone = await orRefuse(deleteFactor(tx, userId, id), 'not_found');
    if ((await factorsOf(tx, userId)).length === 0) await forgetWithoutFactors(tx, userId);
    await tell(inside, userId, 'removed', `“${gone.name}”`);
  });

export const renewRecoveryCodes = (context: Context, actor: ActorRow): Promise<string[]> =>
  inTransaction(context, async (inside, tx) => {
    const { id: userId, hasSecondFactor } = await lockSignedIn(tx, actor);
    if (!hasSecondFactor) throw new AppError('no_factor');
    const codes = await issueRecoveryCodes(inside, userId);
    await tell(inside, userId, 'codesRenewed');
    return codes;
  });

/** An administrator asks to remove somebody's factors; the person is told, and has a day to object by the link in the mail. */
export const askForReset = (context: Context, userId: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const user = await lockUserFor(tx, userId);
    if (!user.hasSecondFactor) throw new AppError('no_factor');
    const token = newToken();
    const at = context.now();
    await insertReset(tx, { userId, dueAt: plus(at, resetDelayMs), stopToken: hashToken(token), createdAt: at });
    await tell(inside, userId, 'resetAsked');
    await sendFactorReset(inside, user, token);
  });

/** Only whoever holds the mailbox and a factor stops it: a thief with a factor of their own would keep the owner out for good. */
export const stopReset = (context: Context, { id: userId }: ActorRow, token: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    if (!(await deleteReset(tx, userId, hashToken(token)))) throw new AppError('no_factor_reset');
    await tell(inside, userId, 'resetStopped');
  });

/** A job: carries out the resets whose day to object is over. */
export async function carryOutResets(context: Context): Promise<void> {
  for (const { userId } of await dueResets(context.db, context.now()))
    await inTransaction(context, async (inside, tx) => {
      await lockOpenUser(tx, userId);
      const reset = await resetOf(tx, userId);
      if (!reset || reset.dueAt > context.now() || !(await deleteAllFactors(tx, userId))) return;
      await tell(inside, userId, 'resetDone');
    });
}
