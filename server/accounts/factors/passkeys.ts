import type { Request } from 'express';
import type { Assertion, Attestation } from '#shared/api/factors.ts';
import { brand } from '#shared/brand.ts';
import { pendingMs } from '#shared/rules/people/factors.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { factorsOf, passkeyOf, takeSignCount } from './queries.ts';

/** Loaded at the first passkey: it pulls in certificate formats that a start should not wait for. */
const webauthn = () => import('@simplewebauthn/server');

const rpId = ({ env }: Context) => new URL(env.appUrl).hostname;

const idsOf = async (context: Context, userId: string) =>
  (await factorsOf(context.db, userId)).flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: credentialId, ...(transports && { transports }) }],
  );

const keepChallenge = (request: Request, value: string) => {
  request.session.challenge = { value, until: realNow().getTime() + pendingMs };
};

/** Works once: each challenge takes one answer. */
function takeChallenge(request: Request): string {
  const { challenge } = request.session;
  delete request.session.challenge;
  if (!challenge || challenge.until < realNow().getTime()) throw new AppError('passkey_refused');
  return challenge.value;
}

/** Has the library check a browser's answer; refuses unless it verifies, and logs the fault that was found. */
async function checked<R extends { verified: boolean }>(context: Context, verify: () => Promise<R>): Promise<R> {
  const result = await verify().catch((error: unknown) => {
    context.log.info({ err: error }, 'passkey refused');
    return null;
  });
  if (!result?.verified) throw new AppError('passkey_refused');
  return result;
}

/** Asks a browser to make a passkey that signs in alone: so the authenticator keeps it, behind a lock of its own. */
export async function askForNewPasskey(context: Context, request: Request, user: ActorRow) {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: rpId(context),
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`.trim(),
    excludeCredentials: await idsOf(context, user.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  keepChallenge(request, options.challenge);
  return { ...options };
}

/** What is stored of a new passkey. */
export async function readNewPasskey(context: Context, request: Request, response: Attestation) {
  const expectedChallenge = takeChallenge(request);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await checked(context, () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: context.env.appUrl,
      expectedRPID: rpId(context),
      requireUserVerification: true,
    }),
  );
  const { id, publicKey, counter } = registrationInfo!.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    signCount: counter,
    transports: response.response.transports ?? null,
  };
}

/** Asks for a passkey: one of this user's, or, without a user, whichever the browser has for us. */
export async function askForPasskey(context: Context, request: Request, userId: string | null) {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: rpId(context),
    userVerification: 'required',
    ...(userId !== null && { allowCredentials: await idsOf(context, userId) }),
  });
  keepChallenge(request, options.challenge);
  return { ...options };
}

/** The id of the user whose passkey was shown. */
export async function ownerOfShownPasskey(context: Context, request: Request, response: Assertion): Promise<string> {
  const expectedChallenge = takeChallenge(request);
  const known = await orRefuse(passkeyOf(context.db, response.id), 'passkey_unknown');
  const { verifyAuthenticationResponse } = await webauthn();
  const { authenticationInfo } = await checked(context, () =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: context.env.appUrl,
      expectedRPID: rpId(context),
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: Buffer.from(known.publicKey!, 'base64url'),
        counter: known.signCount,
      },
    }),
  );
  const noted = await takeSignCount(context.db, known.id, known.signCount, authenticationInfo.newCounter, realNow());
  if (!noted) throw new AppError('passkey_refused');
  return known.userId;
}
