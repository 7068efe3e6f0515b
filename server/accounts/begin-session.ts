import type { Request } from 'express';
import type { SignedIn } from '#shared/api/accounts.ts';
import { auditOwnAccount, wasSignedIn } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { deviceName } from '#server/platform/http/device-name.ts';
import { knownDevice, makeKnown } from '#server/platform/http/known-device.ts';
import { signIn, type SignInProof } from '#server/platform/http/session.ts';
import { sendNewDevice } from './mail.ts';
import { toUser } from './profile.ts';
import { issueResetToken } from './reset-password.ts';
import { refuseSuspended } from './sign-in.ts';

/**
 * The last step of a sign-in. After a password that has to be changed, the person is sent to choose another and nobody is signed in;
 * otherwise this browser is signed in.
 */
export async function completeSignIn(
  context: Context,
  request: Request,
  user: ActorRow,
  { byPassword, factorShown }: { byPassword: boolean; factorShown: boolean },
): Promise<SignedIn> {
  await refuseSuspended(context, user);
  if (byPassword && user.mustChangePassword) {
    delete request.session.secondStep;
    return inTransaction(context, async (inside) => ({
      newPassword: { token: await issueResetToken(inside, user.id) },
    }));
  }
  await beginSession(context, request, user, { isProof: factorShown || !user.hasSecondFactor });
  return toUser(user);
}

/**
 * Signs this browser in, whatever proved who is there, and makes it known to the account. The owner is told by mail of a new browser,
 * except at the account's first sign-in of all.
 */
export async function beginSession(
  context: Context,
  request: Request,
  user: ActorRow,
  proof: SignInProof,
): Promise<void> {
  const isNew = knownDevice(context, user.email) === null;
  await inTransaction(context, async (inside, tx) => {
    if (isNew && (await wasSignedIn(tx, user.id)))
      await sendNewDevice(inside, user, {
        device: deviceName(context.caller?.userAgent ?? null),
        ip: context.caller?.ip ?? 'an unknown address',
      });
    await auditOwnAccount(inside, 'account.signed_in', user.id, { after: { knownDevice: !isNew } });
  });
  await signIn(request, user, proof);
  makeKnown(context.env, request, user.email);
}
