import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

type Operation = {
  operationId: string;
  security: object[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
  responses: Record<string, unknown>;
};
const document = async () =>
  (await app.agent().get('/api/docs/openapi.json').expect(200)).body as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
  };

describe('GET /api/docs/openapi.json', () => {
  it('has every call of the contract, by path and method, and no other', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe('3.1.0');
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = Object.values(contract).flatMap((api) =>
      Object.values(api as Record<string, Endpoint>).map(
        ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
      ),
    );
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });

  it('says how a tool calls: Basic, a form for RFC 7662, JSON for usage, and what may be refused', async () => {
    const { paths } = await document();
    const introspect = paths['/api/tools/introspect']!['post']!;
    expect(introspect.security).toEqual([{ tool: [] }]);
    expect(Object.keys(introspect.requestBody!.content)).toEqual(['application/x-www-form-urlencoded']);
    expect(Object.keys(introspect.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '429']));
    const usage = paths['/api/tools/usage']!['post']!;
    expect(usage.requestBody!.content['application/json']!.schema.properties).toHaveProperty('events');
  });

  it('gives a tool’s developer only the calls of a tool’s server', async () => {
    const { body } = await app.agent().get('/api/docs/tools.json').expect(200);
    const { paths, tags } = body as { paths: object; tags: { name: string }[] };
    expect(Object.keys(paths)).toEqual([
      '/api/tools/introspect',
      '/api/tools/sessions/{id}',
      '/api/tools/test-launches',
      '/api/tools/erasures/{id}',
      '/api/tools/usage',
    ]);
    expect(tags.map(({ name }) => name)).toEqual(['tools']);
  });

  it.each(['openapi', 'tools'])('is valid OpenAPI 3.1 for an unmodified validator: %s.json', async (name) => {
    const { body } = await app.agent().get(`/api/docs/${name}.json`).expect(200);
    const validator = new Validator();
    expect(await validator.validate(body as Record<string, unknown>)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const broken = { ...(body as Record<string, unknown>), paths: { '/x': { get: { responses: 7 } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('says what is missing, which method is taken, which key makes a call safe to repeat, and what we send', async () => {
    const { body } = await app.agent().get('/api/docs/tools.json').expect(200);
    const { paths, webhooks } = body as Awaited<ReturnType<typeof document>> & {
      webhooks: Record<string, { post: Operation & { parameters: { name: string; required: boolean }[] } }>;
    };
    const session = paths['/api/tools/sessions/{id}']!['get']!.responses;
    expect(session['404']).toMatchObject({ description: expect.stringContaining('session_not_found') });
    for (const methods of Object.values(paths))
      for (const { responses } of Object.values(methods))
        expect(responses['405']).toMatchObject({ headers: { Allow: expect.anything() } });
    expect(paths['/api/tools/introspect']!['post']).toMatchObject({
      parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
      responses: { 413: expect.anything(), 415: expect.anything() },
    });
    expect(Object.keys(webhooks)).toEqual([
      'access.ended',
      'access.restored',
      'member.removed',
      'account.closed',
      'person.erase',
      'tool.changed',
      'incident.opened',
      'incident.closed',
    ]);
    for (const { post } of Object.values(webhooks))
      expect(post.parameters.map(({ name, required }) => [name, required])).toEqual([
        ['webhook-id', true],
        ['webhook-timestamp', true],
        ['webhook-signature', true],
      ]);
  });

  it('writes dates as ISO 8601, parameters in path and query, and downloads as files', async () => {
    const text = JSON.stringify(await document());
    expect(text).toContain('"format":"date-time"');
    const { paths } = JSON.parse(text) as Awaited<ReturnType<typeof document>>;
    expect(paths['/api/pricing/quote']!['get']).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'toolId', in: 'query', required: true })]),
    });
    expect(paths['/api/billing/invoices/{id}/pdf']!['get']).toMatchObject({
      parameters: [expect.objectContaining({ name: 'id', in: 'path', required: true })],
      responses: { 200: { content: { 'application/pdf': expect.anything() } } },
    });
  });
});

describe('GET /api/docs', () => {
  it('is a page of ours: its scripts and styles come from here, and its policy lets nothing else run', async () => {
    const { text, headers } = await app.agent().get('/api/docs').expect(200);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    const linked = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(linked.filter((address) => !address.startsWith('/api/docs/'))).toEqual(['/favicon.svg']);
    for (const address of linked.filter((each) => each.startsWith('/api'))) {
      await app.agent().get(address).expect(200);
    }
  });

  it.each([
    '/api/docs/viewer/package.json',
    '/api/docs/viewer/index.html',
    '/api/docs/viewer/../package.json',
    '/api/docs/none',
  ])('serves nothing else of the viewer: %s', async (address) => {
    await app.agent().get(address).expect(404);
  });
});

describe('GET /api/docs/guide', () => {
  it('is the guide for makers with our own address, without our side, and each of its links leads somewhere', async () => {
    const { text, type } = await app.agent().get('/api/docs/guide').expect(200);
    expect(type).toBe('text/html');
    expect(text).toContain('An adviser arrives</h2>');
    expect(text).toContain(`${new URL(app.context.env.appUrl).origin}/api/tools/introspect`);
    expect(text).not.toContain('Our side');
    const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link!);
    expect(links).toEqual(expect.arrayContaining(['/api/docs/guide.css', '/api/docs/samples/python/tool.py']));
    for (const link of links.filter((one) => one.startsWith('/api/'))) await app.agent().get(link).expect(200);
    expect(text).not.toMatch(/href="(?!\/|https:)/);
  });

  it('gives samples as text that no browser runs', async () => {
    const { type, headers, text } = await app.agent().get('/api/docs/samples/adviserly.ts').expect(200);
    expect([type, headers['x-content-type-options']]).toEqual(['text/plain', 'nosniff']);
    expect(text).toContain('export async function exchange');
    await app.agent().get('/api/docs/samples/index.ts').expect(404);
  });
});
