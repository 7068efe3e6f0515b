import { OAuth2Client } from '@badgateway/oauth2-client';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeAll, expect, it } from 'vitest';
import { buy } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

const tool = 'risk-profile-ai';
const app = testApp();
let secret: string;
let launch: () => Promise<{ token: string; userId: string }>;
beforeAll(async () => {
  secret = await makeSecret(app, tool);
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  launch = async () => {
    const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
    return { token: (body as { token: string }).token, userId: user.id };
  };
});

it('a library finds the introspection by itself (RFC 8414)', async () => {
  const { appUrl } = app.context.env;
  const asked: string[] = [];
  const config = await openid.discovery(new URL(appUrl), tool, undefined, openid.ClientSecretBasic(secret), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: (address, init) => {
      asked.push(address);
      return fetch(address.replace(appUrl, app.url), init as RequestInit);
    },
  });
  expect(asked).toEqual([`${appUrl}/.well-known/oauth-authorization-server`]);
  const { token, userId } = await launch();
  expect(await openid.tokenIntrospection(config, token)).toMatchObject({ active: true, sub: userId });
});

const server = () => ({ issuer: app.url, introspection_endpoint: `${app.url}/api/tools/introspect` });

type Answer = { active: boolean; sub?: unknown; session_id?: unknown };

/** OAuth libraries out of the box: each introspects with nothing of ours but the address, id and secret. */
const libraries: Record<string, (secret: string, token: string) => Promise<Answer>> = {
  'openid-client, client_secret_basic': async (given, token) => {
    const config = new openid.Configuration(server(), tool, undefined, openid.ClientSecretBasic(given));
    openid.allowInsecureRequests(config);
    return openid.tokenIntrospection(config, token);
  },
  'openid-client, client_secret_post': async (given, token) => {
    const config = new openid.Configuration(server(), tool, undefined, openid.ClientSecretPost(given));
    openid.allowInsecureRequests(config);
    return openid.tokenIntrospection(config, token);
  },
  oauth4webapi: async (given, token) => {
    const client = { client_id: tool };
    const answer = await oauth.introspectionRequest(server(), client, oauth.ClientSecretBasic(given), token, {
      [oauth.allowInsecureRequests]: true,
    });
    return oauth.processIntrospectionResponse(server(), client, answer);
  },
  ...Object.fromEntries(
    (['client_secret_basic', 'client_secret_basic_interop', 'client_secret_post'] as const).map((method) => [
      `@badgateway/oauth2-client, ${method}`,
      async (given: string, token: string): Promise<Answer> =>
        new OAuth2Client({
          clientId: tool,
          clientSecret: given,
          authenticationMethod: method,
          introspectionEndpoint: server().introspection_endpoint,
        }).introspect({ accessToken: token, refreshToken: null, expiresAt: null }),
    ]),
  ),
};

it.each(Object.entries(libraries))('%s learns who came, and refuses a wrong secret', async (_name, introspect) => {
  const { token, userId } = await launch();
  expect(await introspect(secret, token)).toMatchObject({ active: true, sub: userId, session_id: expect.any(String) });
  expect(await introspect(secret, token)).toMatchObject({ active: false });
  await expect(introspect('wrong', token)).rejects.toThrow();
});
