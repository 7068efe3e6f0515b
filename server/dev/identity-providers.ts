import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import http from 'node:http';
import express, { type Express } from 'express';
import type { Adapter, AdapterPayload, Configuration, Provider } from 'oidc-provider';
import { type IdentityProvider, identityProviderNames, identityProviders } from '#shared/rules/people/identities.ts';
import type { IdentityClients } from '#server/platform/env-sign-in.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Env } from '#server/platform/env.ts';
import { closeAll, listenNear } from './sample-tool/index.ts';
import { html } from './sample-tool/html.ts';
import { page } from './sample-tool/pages.ts';

export type Claims = Record<string, unknown>;

/** An organisation's number, made of its domain. */
const tenantOf = (domain: string) =>
  createHash('sha256')
    .update(domain)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** What the real ones say of somebody whose organisation keeps its mail there. */
function claimsOf(provider: IdentityProvider, email: string): Claims {
  const [name = '', domain = ''] = email.split('@');
  const person = { email, name: name.replace(/[._-]/g, ' ') };
  return provider === 'microsoft'
    ? { ...person, tid: tenantOf(domain), xms_edov: true }
    : { ...person, email_verified: true, hd: domain };
}

/** The production bundle has this file, but not the package. */
const library = () => import('oidc-provider');

const clientSecret = 'of-this-machine-only';

type Options = {
  /** Where browsers and the server reach this. */
  url: string;
  appUrl: string;
  /** Offered on the page; any other address may be typed. */
  emails?: readonly string[];
  keys?: { privateKey: KeyObject };
  /** What is said of somebody instead. */
  claims?: (provider: IdentityProvider, email: string) => Claims;
};

/** Starts both for development, on the port after the sample tool's, unless real ones are configured. */
export async function startIdentityProviders(env: Env, emails: readonly string[]) {
  if (Object.keys(env.identityClients).length > 0) return null;
  const server = http.createServer();
  const url = `http://127.0.0.1:${await listenNear(server, (env.sampleToolPort + 1) % 65_536, '127.0.0.1')}`;
  const { app, clients } = await localIdentityProviders({ url, appUrl: env.appUrl, emails });
  server.on('request', app);
  Object.assign(env.identityClients, clients);
  return { close: () => closeAll(server) };
}

/** Microsoft and Google as real OpenID providers on this machine, where everybody may say who they are. */
export async function localIdentityProviders(options: Options): Promise<{ app: Express; clients: IdentityClients }> {
  const oidc = await library();
  const { keys = generateKeyPairSync('rsa', { modulusLength: 2048 }), url } = options;
  const jwk = { ...keys.privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' };
  const app = express();
  const clients: IdentityClients = {};
  for (const provider of identityProviders) {
    const issuer = `${url}/${provider}`;
    clients[provider] = { issuer, clientId: provider, clientSecret };
    const policy = oidc.interactionPolicy.base();
    policy.add(new oidc.interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    const interactions = { policy, url: (_ctx: unknown, { uid }: { uid: string }) => `/${provider}/choose/${uid}` };
    const configuration = { ...configurationOf(provider, jwk, options), interactions };
    mount(app, provider, new oidc.Provider(issuer, configuration), options.emails ?? []);
  }
  return { app, clients };
}

/** What the providers remember until this process ends. */
function memory(): (model: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  const forget = (isGone: (payload: AdapterPayload) => boolean) =>
    stored.forEach((payload, key) => isGone(payload) && stored.delete(key));
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const findBy = (name: 'uid' | 'userCode', value: string) =>
      [...stored].find(([key, payload]) => key.startsWith(keyOf('')) && payload[name] === value)?.[1];
    return {
      upsert: async (id, payload) => void stored.set(keyOf(id), payload),
      find: async (id) => stored.get(keyOf(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (code) => findBy('userCode', code),
      consume: async (id) =>
        void Object.assign(stored.get(keyOf(id)) ?? {}, { consumed: Math.floor(realNow().getTime() / 1000) }),
      destroy: async (id) => void stored.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => forget((payload) => payload.grantId === grantId),
    };
  };
}

function configurationOf(
  provider: IdentityProvider,
  jwk: object,
  { appUrl, claims = claimsOf }: Options,
): Configuration {
  return {
    adapter: memory(),
    clients: [
      {
        client_id: provider,
        client_secret: clientSecret,
        redirect_uris: [`${appUrl}/auth/${provider}`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: {
      openid: ['sub', 'tid', 'xms_edov', 'hd'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, email) => ({
      accountId: email,
      claims: () => ({ sub: email, ...claims(provider, email) }),
    }),
    // Nobody is asked whether we may know who they are.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

function mount(app: Express, provider: IdentityProvider, oidc: Provider, emails: readonly string[]): void {
  const name = identityProviderNames[provider];
  app.get(`/${provider}/choose/:uid`, (_req, res) => {
    const button = (email: string) => html`<button name="email" value="${email}">${email}</button>`;
    res.send(
      page(
        `${name} on this machine`,
        html`<p class="tool">${name} on this machine</p>
          <h1>Choose an account</h1>
          <form method="post">${emails.map(button)}</form>
          <form method="post">
            <label>Another address <input name="email" type="email" required /></label>
            <button>Continue</button>
          </form>`,
      ),
    );
  });
  app.post(`/${provider}/choose/:uid`, express.urlencoded({ extended: false }), async (req, res) => {
    const { email } = req.body as { email: string };
    await oidc.interactionFinished(req, res, { select_account: {}, login: { accountId: email.toLowerCase() } });
  });
  app.use(`/${provider}`, oidc.callback());
}
