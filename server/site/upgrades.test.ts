import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { developmentPages } from './pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, undefined, { pages: developmentPages });
});
afterAll(() => app.stop());

/** What comes back for these lines, which no HTTP client of ours would send. */
const answerTo = (lines: string[], body = '') =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
    socket.once('data', (first) => {
      resolve(String(first));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.setTimeout(20_000, () => socket.destroy(new Error('it was never answered')));
  });

describe('a request that offers an upgrade to development', () => {
  const java = ['Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAEAAEAA', 'Upgrade: h2c'];

  it.each([
    ['h2c, as Java’s client does', java],
    ['TLS', ['Connection: Upgrade', 'Upgrade: TLS/1.0']],
    ['a WebSocket that is not ours', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']],
  ])('is answered as if it had not: %s', async (_what, offer) => {
    const answer = await answerTo(['GET /api/tools HTTP/1.1', 'Host: localhost', ...offer]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('is read with its body', async () => {
    const body = 'token=made-up';
    const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    const call = ['POST /api/tools/introspect HTTP/1.1', 'Host: localhost', ...form, ...java];
    expect(await answerTo(call, body)).toMatch(/^HTTP\/1\.1 401 /);
  });
});
