import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import request from 'supertest';
import { type IdentityProvider, identityProviders } from '#shared/rules/people/identities.ts';
import { type Claims, localIdentityProviders } from '#server/dev/identity-providers.ts';
import { listenLocally } from './ports.ts';
import type { Agent } from './test-app.ts';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signs an ID token as the provider does, or with another key. */
export const signed = (privateKey: KeyObject, claims: Claims, kid = 'local'): string => {
  const text = `${encoded({ alg: 'RS256', kid })}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
};

export const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims;

/** Both providers on a port of their own, for a product whose address is known only later. */
export async function startIdentityProviders() {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people = new Map<string, Claims>();
  let tamper: ((idToken: string) => string) | null = null;
  let answer: RequestListener = (_req, res) => res.writeHead(503).end();
  const server = http.createServer((req, res) => {
    if (tamper && req.url?.endsWith('/token')) {
      const change = tamper;
      const end = res.end.bind(res) as (body: string) => typeof res;
      res.end = ((body: string) => {
        const reply = JSON.parse(body) as { id_token?: string };
        const changed = JSON.stringify({ ...reply, ...(reply.id_token && { id_token: change(reply.id_token) }) });
        res.setHeader('content-length', Buffer.byteLength(changed));
        return end(changed);
      }) as typeof res.end;
    }
    answer(req, res);
  });
  const { url, stop } = await listenLocally(server);
  const variables = Object.fromEntries(
    identityProviders.flatMap((provider) => {
      const name = provider.toUpperCase();
      return [
        [`${name}_CLIENT_ID`, provider],
        [`${name}_CLIENT_SECRET`, 'of-this-machine-only'],
        [`${name}_ISSUER`, `${url}/${provider}`],
      ];
    }),
  );
  return {
    url,
    stop,
    keys,
    /** The product's environment. */
    variables,
    serve: async (appUrl: string) => {
      const claims = (_provider: IdentityProvider, email: string) => people.get(email) ?? {};
      answer = (await localIdentityProviders({ url, appUrl, keys, claims })).app;
    },
    /** What is said of whoever chooses this address. */
    says: (email: string, claims: Claims) => people.set(email, { email, name: 'Ada Byron', ...claims }),
    /** Changes each ID token on its way. */
    tamperWith: (change: typeof tamper) => (tamper = change),
  };
}

/** Signs in at the provider in a browser; returns the query with which it sends the browser back. */
export async function chooseAt(url: string, email: string): Promise<string> {
  const origin = new URL(url).origin;
  const browser = request.agent(origin);
  let path = url.slice(origin.length);
  for (let step = 0; step < 6; step += 1) {
    const reply = path.includes('/choose/')
      ? await browser.post(path).type('form').send({ email })
      : await browser.get(path);
    const to = new URL(reply.headers['location'] ?? '', origin);
    if (to.origin !== origin) return to.search.slice(1);
    path = to.pathname + to.search;
  }
  throw new Error('The provider sent nobody back.');
}

/** Presses the button and signs in at the provider; returns the answer that the browser brings back. */
export async function answerOf(agent: Agent, provider: IdentityProvider, email: string): Promise<string> {
  const begun = await agent.post('/api/login/provider').send({ provider }).expect(200);
  return chooseAt((begun.body as { url: string }).url, email);
}

export const finishAt = (agent: Agent, provider: IdentityProvider, query: string) =>
  agent.post('/api/login/provider/finish').send({ provider, query });
