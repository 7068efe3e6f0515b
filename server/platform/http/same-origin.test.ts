import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

type Headers = Record<string, string>;
const own = () => app.context.env.appUrl;

/** Who sends → may they write? Browsers set these headers themselves; a page cannot. */
const senders: [string, () => Headers, boolean][] = [
  ['our own page', () => ({ 'sec-fetch-site': 'same-origin', origin: own() }), true],
  ['a browser without Origin', () => ({ 'sec-fetch-site': 'same-origin' }), true],
  ['the address bar', () => ({ 'sec-fetch-site': 'none' }), true],
  ['another site', () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }), false],
  ['another site claiming our Origin', () => ({ 'sec-fetch-site': 'cross-site', origin: own() }), false],
  ['a sibling subdomain', () => ({ 'sec-fetch-site': 'same-site' }), false],
  ['an unknown word', () => ({ 'sec-fetch-site': 'SAME-ORIGIN' }), false],
  ['an empty word', () => ({ 'sec-fetch-site': '' }), false],
  ['an older browser on our page', () => ({ origin: own() }), true],
  ['an older browser elsewhere', () => ({ origin: 'https://evil.example' }), false],
  ['a sandboxed frame', () => ({ origin: 'null' }), false],
  ['our name with another scheme', () => ({ origin: own().replace('http:', 'https:') }), false],
  ['our name with another port', () => ({ origin: 'http://localhost:1' }), false],
  ['our name as a prefix', () => ({ origin: `${own()}.evil.example` }), false],
  ['no browser', () => ({}), true],
];

describe('a write', () => {
  it.each(senders)('is taken or refused by its sender: %s', async (_who, headers, allowed) => {
    const answer = await app.agent().post('/api/logout').set(headers());
    expect(answer.status).toBe(allowed ? 200 : 403);
    if (!allowed) expect(answer.body).toMatchObject({ code: 'cross_site' });
  });
});

it.each(['put', 'patch', 'delete'] as const)('a %s is a write too', async (method) => {
  await app.agent()[method]('/api/user').set('sec-fetch-site', 'cross-site').expect(403);
  await app.agent()[method]('/api/user').set('sec-fetch-site', 'same-origin').expect(405);
});

it('the server lets everybody read, and gives no other origin the answer', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const answer = await app.agent().get('/api/tools').set(headers).expect(200);
  const preflight = await app.agent().options('/api/login').set(headers).set('access-control-request-method', 'POST');
  for (const { headers: given } of [answer, preflight])
    expect(Object.keys(given).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

it('the server stops a cross-site write before it costs anything: the session lives on', async () => {
  const { agent } = await app.signedIn();
  await agent.post('/api/logout').set('sec-fetch-site', 'cross-site').expect(403);
  await agent.get('/api/user').expect(200);
});

it.each(['/api/LOGOUT', '/api/logout/'])('a cross-site write has no way around: %s', async (path) => {
  await app.agent().post(path).set('sec-fetch-site', 'cross-site').expect(403);
});

it.each([
  '/api/tools/usage',
  '/api/tools/introspect',
  '/api/tools/test-launches',
  `/api/tools/erasures/${randomUUID()}`,
  '/api/webhooks/stripe',
])('the guard leaves %s to its own credentials', async (path) => {
  const answer = await app.agent().post(path).set('sec-fetch-site', 'cross-site').send({});
  expect((answer.body as { code: string }).code).not.toBe('cross_site');
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

describe('the body of a write', () => {
  const text = JSON.stringify({ email: 'nobody@practice.example', password: 'x' });
  const send = (type: string, body = text) => app.agent().post('/api/login').set('content-type', type).send(body);

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])('may be %s', async (type) => {
    const answer = await send(type).expect(401);
    expect(answer.body).toMatchObject({ code: 'invalid_credentials' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonp',
    'application/problem+json',
    'application/json; charset=latin1',
    'nonsense',
  ])('may not be %s', async (type) => {
    const answer = await send(type).expect(415);
    expect(answer.body).toMatchObject({ code: 'unsupported_media_type', message: expect.any(String) as string });
  });

  it('may not be of no type', async () => {
    const head = `POST /api/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(app.port, '127.0.0.1', () => socket.write(head + text));
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('end', () => resolve(received)).on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('is not looked for where none is needed', async () => {
    await app.agent().post('/api/logout').expect(200);
    await app.agent().post('/api/logout').set('content-type', 'text/plain').send('x').expect(415);
  });

  it('is limited after it was unpacked', async () => {
    const bomb = gzipSync(Buffer.from(`{"email":"${'x'.repeat(5_000_000)}"}`));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await fetch(`${app.url}/api/login`, { method: 'POST', headers, body: bomb });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
  });

  it('may not be packed in a way that we do not know, or badly', async () => {
    await send('application/json').set('content-encoding', 'zstd-of-tomorrow').expect(415);
    await send('application/json').set('content-encoding', 'gzip').expect(400);
  });
});
