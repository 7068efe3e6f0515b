import type { Request } from 'express';
import type { SignedIn } from '#shared/api/accounts.ts';
import { identityProviderNames } from '#shared/rules/people/identities.ts';
import { auditOwnAccount, wasSignedIn } from '#server/audit/service.ts';
import type { ActorRow, SessionIdentity } from '#server/platform/http/actor.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { deviceName } from '#server/platform/http/device-name.ts';
import { knownDevice, makeKnown } from '#server/platform/http/known-device.ts';
import { signIn, type SignInProof } from '#server/platform/http/session.ts';
import { connect, sessionIdentity, shownFor } from './identities/connect.ts';
import { sendNewDevice } from './mail.ts';
import { toUser } from './profile.ts';
import { issueResetToken } from './reset-password.ts';
import { refuseSuspended } from './sign-in.ts';

/** What came before the second step: the password, an identity, or neither. */
export type FirstStep = { byPassword: boolean; identity: SessionIdentity | null };

/**
 * The last step of a sign-in. After a password that has to be changed, the person is sent to choose another and nobody is signed in;
 * otherwise this browser is signed in.
 */
export async function completeSignIn(
  context: Context,
  request: Request,
  user: ActorRow,
  { byPassword, factorShown, identity }: FirstStep & { factorShown: boolean },
): Promise<SignedIn> {
  await refuseSuspended(context, user);
  if (byPassword && user.mustChangePassword) {
    delete request.session.secondStep;
    return inTransaction(context, async (inside) => ({
      newPassword: { token: await issueResetToken(inside, user.id) },
    }));
  }
  // Whoever signed in elsewhere has shown us nothing themselves.
  const isProof = factorShown || (byPassword && !user.hasSecondFactor);
  return toUser(context, await beginSession(context, request, user, { isProof, identity }));
}

/**
 * Signs this browser in, whatever proved who is there, and makes it known to the account. An identity that waits for this address is
 * connected. The owner is told by mail of a new browser, except at the account's first sign-in of all.
 */
export async function beginSession(
  context: Context,
  request: Request,
  user: ActorRow,
  proof: SignInProof,
): Promise<ActorRow> {
  const isNew = knownDevice(context, user.email) === null;
  const shown = user.isAdmin ? null : shownFor(request, user.email);
  const identity = shown ? sessionIdentity(shown) : proof.identity;
  const owner = await inTransaction(context, async (inside, tx) => {
    if (isNew && (await wasSignedIn(tx, user.id)))
      await sendNewDevice(inside, user, {
        device: deviceName(context.caller?.userAgent ?? null),
        ip: context.caller?.ip ?? 'an unknown address',
      });
    await auditOwnAccount(inside, 'account.signed_in', user.id, {
      after: { knownDevice: !isNew, ...(identity && { provider: identityProviderNames[identity.provider] }) },
    });
    return shown ? connect(inside, user, shown) : user;
  });
  await signIn(request, owner, { ...proof, identity });
  makeKnown(context.env, request, user.email);
  return owner;
}
