import { type IRoute, Router } from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '#shared/api/index.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { createApp } from '#server/app.ts';
import { createAdmin } from '../factories.ts';
import { startTestApp, type Agent, type TestApp } from '../test-app.ts';

/** Every endpoint × everyone: a new endpoint is covered on the day it is declared. */
let app: TestApp;
const callers: Record<string, Agent> = {};

beforeAll(async () => {
  app = await startTestApp();
  callers['visitor'] = app.agent();
  callers['incomplete profile'] = (await app.signedIn({ profileCompleted: false })).agent;
  callers['member'] = (await app.signedIn()).agent;
  const admin = await createAdmin(app.context);
  callers['administrator'] = (await app.signIn(admin.email)).agent;
});
afterAll(() => app.stop());

const refusals = ['unauthorized', 'profile_incomplete', 'admin_required', 'invalid_tool_credentials', 'csrf_invalid'];

/** How the access policy refuses this caller; null where the call is theirs to make. */
function expected({ access, method }: Endpoint, caller: string): string | null {
  if (access === 'tool') return 'invalid_tool_credentials';
  if (access === 'public') return null;
  if (caller === 'visitor') return 'unauthorized';
  if (access === 'admin' && caller !== 'administrator') return 'admin_required';
  // Even an administrator's write is refused without the session's token.
  if (access === 'admin' && method !== 'GET') return 'csrf_invalid';
  if (access === 'member' && caller === 'incomplete profile') return 'profile_incomplete';
  return null;
}

const endpoints = Object.entries(contract).flatMap(([noun, api]) =>
  Object.entries(api as Record<string, Endpoint>).map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
);

describe.each(endpoints)('the call %s', (_name, endpoint) => {
  it.each(['visitor', 'incomplete profile', 'member', 'administrator'])('answers as it should: %s', async (caller) => {
    // Signing out would end the callers' sessions for the cells that follow.
    const agent = endpoint.path === '/api/logout' ? app.agent() : callers[caller]!;
    const path = endpoint.path.replace(/:\w+/g, 'none');
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const answer = await agent[method](path).set('accept', 'application/json');
    const code = (answer.body as { code?: string } | null)?.code;
    const wanted = expected(endpoint, caller);
    if (wanted) {
      expect(code).toBe(wanted);
      expect([401, 403]).toContain(answer.status);
    } else {
      expect(refusals).not.toContain(code);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

/** Routes under /api that are not for our pages or tools: a link, a webhook, and the documentation. */
const others = /^(GET \/api\/login|POST \/api\/webhooks\/stripe|GET \/api\/docs(\/.+)?)$/;

/** The app's routes, as Express hears of them: the rooms' routers stand inside functions, where no walk from the app finds them. */
function routesOf(build: () => unknown): string[] {
  const made = vi.spyOn(Router.prototype as Router, 'route');
  const mounted = vi.spyOn(Router.prototype as Router, 'use');
  build();
  const prefixOf = (router: unknown): string => {
    const at = mounted.mock.calls.findIndex((given) => (given as unknown[]).flat().includes(router));
    if (at < 0) return '';
    const [path] = mounted.mock.calls[at] as unknown[];
    return prefixOf(mounted.mock.contexts[at]) + (typeof path === 'string' && path !== '/' ? path : '');
  };
  const routes = made.mock.results.flatMap(({ value }, index) => {
    const { path, stack } = value as IRoute;
    const methods = new Set(stack.map(({ method }) => method.toUpperCase()));
    return [...methods].map((method) => `${method} ${prefixOf(made.mock.contexts[index])}${path}`);
  });
  vi.restoreAllMocks();
  return routes;
}

it('the contract has an endpoint for every route under /api, and no two for one', () => {
  const routes = routesOf(() => createApp(app.context)).filter((route) => route.includes(' /api'));
  expect(routes.filter((route) => !others.test(route)).toSorted()).toEqual(
    endpoints.map(([, { method, path }]) => `${method} ${path}`).toSorted(),
  );
  expect(new Set(routes).size).toBe(routes.length);
});

it('the API answers unknown calls with JSON', async () => {
  const answer = await app.agent().get('/api/no-such-call').expect(404);
  expect(answer.body).toMatchObject({ code: 'not_found', requestId: expect.any(String) as string });
});
