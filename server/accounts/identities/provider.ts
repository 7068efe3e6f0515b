import type { Request } from 'express';
import type { Configuration, IDToken } from 'openid-client';
import { email as address } from '#shared/api/fields.ts';
import { day } from '#shared/rules/dates.ts';
import { pendingMs } from '#shared/rules/people/factors.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { IdentityClient } from '#server/platform/env-sign-in.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { consumeByAddress } from '#server/platform/http/rate-limit.ts';
import type { ShownIdentity } from '#server/platform/http/actor.ts';
import { memoOf } from '#server/platform/memo.ts';

/** Loaded at the first sign-in of this kind. */
const library = () => import('openid-client');

const timeoutSeconds = 5;
const keptMs = day;

/** Discovered once a day. Signatures are checked although the token comes by TLS, and Microsoft's issuer by its tenant. */
const discovered = memoOf((_client: IdentityClient) => ({ made: null as Promise<Configuration> | null, until: 0 }));

async function discover({ issuer, clientId, clientSecret }: IdentityClient): Promise<Configuration> {
  const oidc = await library();
  const local = issuer.startsWith('http:');
  return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretPost(clientSecret), {
    timeout: timeoutSeconds,
    execute: [oidc.enableNonRepudiationChecks, ...(local ? [oidc.allowInsecureRequests] : [])],
  });
}

async function configurationOf({ env, log }: Context, provider: IdentityProvider): Promise<Configuration> {
  const client = env.identityClients[provider];
  if (!client) throw new AppError('not_found');
  const kept = discovered(client);
  const now = realNow().getTime();
  if (!kept.made || kept.until < now) Object.assign(kept, { made: discover(client), until: now + keptMs });
  try {
    return await kept.made!;
  } catch (error) {
    kept.made = null;
    log.warn({ err: error, provider }, 'provider of identities away');
    throw new AppError('provider_away', { cause: error });
  }
}

const returnAddress = ({ env }: Context, provider: IdentityProvider) => `${env.appUrl}/auth/${provider}`;

/** Where the person signs in at the provider. What its answer has to match is kept in this browser's session, for ten minutes. */
export async function askAt(
  context: Context,
  request: Request,
  provider: IdentityProvider,
  connectTo: string | null,
): Promise<{ url: string }> {
  await consumeByAddress(context, 'providerIp');
  const configuration = await configurationOf(context, provider);
  const oidc = await library();
  const kept = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
  request.session.asked = { provider, ...kept, connectTo, until: realNow().getTime() + pendingMs };
  const { href } = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress(context, provider),
    scope: 'openid email profile',
    state: kept.state,
    nonce: kept.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(kept.verifier),
    code_challenge_method: 'S256',
    prompt: 'select_account',
  });
  return { url: href };
}

/** Whom the provider names in its answer to this browser's question. A question takes one answer, right or wrong. */
export async function readAnswer(
  context: Context,
  request: Request,
  provider: IdentityProvider,
  query: string,
): Promise<ShownIdentity & { connectTo: string | null }> {
  const { asked } = request.session;
  delete request.session.asked;
  if (!asked || asked.provider !== provider || asked.until < realNow().getTime()) throw new AppError('provider_over');
  const configuration = await configurationOf(context, provider);
  const oidc = await library();
  const address = new URL(returnAddress(context, provider));
  address.search = query;
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, address, {
      expectedState: asked.state,
      expectedNonce: asked.nonce,
      pkceCodeVerifier: asked.verifier,
      idTokenExpected: true,
    });
    return { ...readers[provider](tokens.claims()!), connectTo: asked.connectTo };
  } catch (error) {
    if (error instanceof oidc.AuthorizationResponseError) throw new AppError('provider_cancelled', { cause: error });
    context.log.info({ err: error, provider }, 'identity refused');
    throw new AppError('provider_refused', { cause: error });
  }
}

const textIn = (claims: IDToken, name: string) => (typeof claims[name] === 'string' ? claims[name] : '');

const personIn = (claims: IDToken, isChecked: boolean) => {
  const [first = '', ...rest] = textIn(claims, 'name').split(' ');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isChecked ? (address.safeParse(claims['email']).data ?? null) : null,
    firstName: textIn(claims, 'given_name') || first,
    lastName: textIn(claims, 'family_name') || rest.join(' '),
  };
};

/** Microsoft's "organisation" of all personal accounts. */
const personalTenant = '9188040d-6c67-4b5d-b112-36a304b66dad';

const readers: Record<IdentityProvider, (claims: IDToken) => ShownIdentity> = {
  // `email` is whatever an organisation's administrator typed; `xms_edov` says that the organisation has proved to own its domain.
  microsoft: (claims) => {
    const tenant = textIn(claims, 'tid');
    const isFirm = tenant !== '' && tenant !== personalTenant;
    const isChecked = [true, 1, '1', 'true'].some((yes) => claims['xms_edov'] === yes);
    const person = personIn(claims, isChecked);
    return {
      provider: 'microsoft',
      tenant: isFirm ? tenant : null,
      isProved: isFirm && person.email !== null,
      ...person,
    };
  },
  // Google has checked the address once; it goes on knowing only for Gmail and for organisations whose mail it keeps (`hd`).
  google: (claims) => {
    const person = personIn(claims, claims.email_verified === true);
    const isProved =
      person.email !== null && (textIn(claims, 'hd') !== '' || /@g(oogle)?mail\.com$/.test(person.email));
    return { provider: 'google', tenant: null, isProved, ...person };
  },
};
