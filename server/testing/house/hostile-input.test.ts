import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { hostile } from './hostile-values.ts';
import { startTestApp, type Agent, type TestApp } from '../test-app.ts';

/** Bad input on every endpoint with a body, but for tools' and administrators': 4xx JSON that names the field, never a 5xx. */
let app: TestApp;
let member: Agent;

beforeAll(async () => {
  app = await startTestApp();
  member = (await app.signedIn()).agent;
});
afterAll(() => app.stop());

const bodies = Object.entries(contract).flatMap(([noun, api]) =>
  Object.entries(api as Record<string, Endpoint>)
    .filter(([, endpoint]) => endpoint.access !== 'tool' && endpoint.access !== 'admin' && endpoint.body)
    .map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
);

const fieldsOf = (endpoint: Endpoint) =>
  Object.keys((endpoint.body as unknown as { shape: Record<string, unknown> }).shape);
/** A well-formed id, so that the body is what is judged. */
const nobody = '00000000-0000-4000-8000-000000000000';
const send = (endpoint: Endpoint) =>
  member[endpoint.method.toLowerCase() as 'post'](endpoint.path.replace(/:\w+/g, nobody));

describe.each(bodies)('the call %s', (_name, endpoint) => {
  it.each(hostile)('answers %s in every field with a refusal', async (_kind, value) => {
    const body = Object.fromEntries(fieldsOf(endpoint).map((field) => [field, value]));
    const answer = await send(endpoint).send(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatchObject({ code: expect.any(String) as string, message: expect.any(String) as string });
    if ((answer.body as { code: string }).code === 'invalid_input') {
      const named = Object.keys((answer.body as { fields: Record<string, string> }).fields);
      expect(named.length).toBeGreaterThan(0);
      for (const field of named) expect(fieldsOf(endpoint)).toContain(field.split('.')[0]);
    }
  });

  it('refuses an unknown field by name', async () => {
    const answer = await send(endpoint).send({ isAdmin: true }).expect(400);
    expect((answer.body as { fields: Record<string, string> }).fields).toHaveProperty('isAdmin');
  });

  it('takes no body for an empty object', async () => {
    const answer = await send(endpoint).set('content-type', 'application/json').send();
    if (endpoint.body!.safeParse({}).success) expect(answer.status).toBeLessThan(500);
    else expect([400, 403, 409]).toContain(answer.status);
  });

  it.each([
    ['no JSON', '{"a":', 'application/json', [400]],
    ['a list', '[]', 'application/json', [400]],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', endpoint.bodyType ? [400] : [415]],
    ['text', 'hello', 'text/plain', [415]],
    ['200 kB', `{"a":"${'x'.repeat(200_000)}"}`, 'application/json', [413]],
  ] as const)('refuses a body that is %s', async (_kind, body, type, statuses) => {
    const answer = await send(endpoint).set('content-type', type).send(body);
    expect(statuses).toContain(answer.status);
    expect(answer.body).toMatchObject({ code: expect.any(String) as string });
  });
});

describe('hostile paths and queries', () => {
  it.each([
    '/api/%00',
    '/api/%E0%A4%A',
    '/api/subscriptions/%00/sync',
    `/api/subscriptions/${'x'.repeat(5000)}/sync`,
    '/api/pricing/quote',
    '/api/pricing/quote?toolId=',
    '/api/pricing/quote?toolId=%00',
    '/api/pricing/quote?toolId=a&toolId=b',
    '/api/pricing/quote?toolId[$ne]=a',
    '/api/pricing/quote?toolId=risk-profile-ai&price=1',
    '/api/../../etc/passwd',
  ])('are refused in JSON: GET %s', async (path) => {
    const answer = await member.get(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.type).toBe('application/json');
  });
});
