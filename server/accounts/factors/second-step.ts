import type { Request } from 'express';
import type { Assertion, OwnFactors } from '#shared/api/factors.ts';
import type { SecondStep } from '#shared/api/accounts.ts';
import type { ActorRow, SessionIdentity } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { consume, consumeByAddress, refundByAddress } from '#server/platform/http/rate-limit.ts';
import { awaitSecondStep } from '#server/platform/http/session.ts';
import type { FirstStep } from '../begin-session.ts';
import { confirmPassword } from '../password.ts';
import { findOpenUser } from '../queries.ts';
import { takeAnyCode } from './authenticator-codes.ts';
import { ownerOfShownPasskey } from './passkeys.ts';
import { codesLeft, devicesOf, factorsOf, resetOf } from './queries.ts';
import { isRemembered } from './remembered-device.ts';

const wrongCode = 'This code is wrong or was already used.';

/** After a correct password, or a connected identity: what is asked for next, or null if it is enough on this device. */
export async function beginSecondStep(
  context: Context,
  request: Request,
  user: ActorRow,
  identity: SessionIdentity | null = null,
): Promise<SecondStep | null> {
  if (!user.hasSecondFactor || (await isRemembered(context, request, user))) return null;
  await awaitSecondStep(request, user, identity);
  const factors = await factorsOf(context.db, user.id);
  return { app: factors.some(({ kind }) => kind === 'app'), passkey: factors.some(({ kind }) => kind === 'passkey') };
}

/** Whose second step this browser is waiting at, or null. */
export function secondStepOf(request: Request) {
  const step = request.session.secondStep;
  return step && step.until > realNow().getTime()
    ? { ...step.user, attempt: step.attempt, identity: step.identity }
    : null;
}

/** What this person did in this browser before their second step. */
export function firstStepOf(request: Request, user: ActorRow): FirstStep {
  const step = secondStepOf(request);
  const identity = step?.id === user.id && step.epoch === user.authEpoch ? step.identity : null;
  return { byPassword: step !== null && !step.identity, identity };
}

/** The user whose second step this code completes. After five tries the password is asked for again. */
export async function completeWithCode(context: Context, request: Request, code: string): Promise<ActorRow> {
  const step = secondStepOf(request);
  const again = () => {
    delete request.session.secondStep;
    return new AppError('sign_in_again');
  };
  if (!step) throw again();
  await consume(context, 'secondStep', step.attempt).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'rate_limited' ? again() : error;
  });
  const user = await findOpenUser(context.db, step.id);
  if (!user || user.authEpoch !== step.epoch) throw again();
  if (!(await takeAnyCode(context, user, code))) throw fieldError('code', wrongCode);
  return user;
}

/** The user whose passkey was shown. A passkey has a lock of its own, so it is both factors and signs in alone. */
export async function userOfPasskey(context: Context, request: Request, passkey: Assertion): Promise<ActorRow> {
  await consumeByAddress(context, 'passkeyIp');
  const user = await findOpenUser(context.db, await ownerOfShownPasskey(context, request, passkey));
  if (!user) throw new AppError('passkey_unknown');
  await refundByAddress(context, 'passkeyIp');
  return user;
}

type Proof = { password?: string | undefined; code?: string | undefined; passkey?: Assertion | undefined };

/** Refuses unless this proves that whoever is here is the signed-in user: by a factor if they have one, otherwise by password. */
export async function checkProof(context: Context, request: Request, actor: ActorRow, proof: Proof): Promise<void> {
  if (proof.passkey ?? proof.code !== undefined) await consume(context, 'proofs', actor.id);
  if (proof.passkey) {
    if ((await ownerOfShownPasskey(context, request, proof.passkey)) !== actor.id)
      throw new AppError('passkey_unknown');
  } else if (proof.code !== undefined) {
    if (!(await takeAnyCode(context, actor, proof.code))) throw fieldError('code', wrongCode);
  } else if (actor.hasSecondFactor || proof.password === undefined) {
    throw actor.hasSecondFactor
      ? fieldError('code', 'Please enter a code')
      : fieldError('password', 'Password is required');
  } else await confirmPassword(context, actor, 'password', proof.password);
}

/** `GET /api/user/factors`. `teams`: the names of the user's teams that ask their members for a second factor. */
export async function ownFactors(context: Context, actor: ActorRow, teams: string[]): Promise<OwnFactors> {
  const { db, env } = context;
  return {
    factors: await factorsOf(db, actor.id),
    recoveryCodesLeft: await codesLeft(db, actor.id),
    devices: await devicesOf(db, actor.id, actor.authEpoch),
    resetDueAt: (await resetOf(db, actor.id))?.dueAt ?? null,
    demandedBy: [...(actor.isAdmin && env.adminFactor ? ['administrators'] : []), ...teams],
  };
}
