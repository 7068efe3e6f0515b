import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#shared/api/index.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { createAdmin } from './factories.ts';
import { startTestApp, type Agent, type TestApp } from './test-app.ts';

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

describe.each(endpoints)('%s', (_name, endpoint) => {
  it.each(['visitor', 'incomplete profile', 'member', 'administrator'])('%s', async (caller) => {
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

it('has an endpoint for every route under /api, and no two for one', () => {
  const keys = endpoints.map(([, endpoint]) => `${endpoint.method} ${endpoint.path}`);
  expect(new Set(keys).size).toBe(keys.length);
});

it('answers unknown calls with JSON', async () => {
  const answer = await app.agent().get('/api/no-such-call').expect(404);
  expect(answer.body).toMatchObject({ code: 'not_found', requestId: expect.any(String) as string });
});
