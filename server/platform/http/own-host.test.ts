import { get } from 'node:http';
import { expect, test } from 'vitest';
import { testApp } from '#server/testing/test-app.ts';

const names = { APP_URL: 'http://adviserly.box:3000', ALLOWED_HOSTS: 'tunnel.example' };
const development = testApp({ NODE_ENV: 'development', LOG_LEVEL: 'silent', ...names });
const production = testApp(names);

const answerTo = (port: number, host: string, headers = {}) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/api/tools', headers: { ...headers, host } }, async (answer) => {
      resolve({ status: answer.statusCode, text: (await answer.toArray()).join('') });
    }).once('error', reject);
  });

test.each([
  'localhost:3000',
  'app.localhost',
  '127.0.0.1:3000',
  '[::1]:3000',
  '192.168.1.7',
  'adviserly.box:3000',
  'TUNNEL.example',
])('development answers under its own names: %s', async (host) =>
  expect((await answerTo(development.port, host)).status).toBe(200),
);

test.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', 'not a host'])(
  'development refuses a page elsewhere whose name was pointed here (DNS rebinding): "%s"',
  async (host) => {
    const { status, text } = await answerTo(development.port, host);
    expect(status).toBe(421);
    expect(text).toContain('ALLOWED_HOSTS adds it');
  },
);

test('a forwarded name does not get around the refusal', async () => {
  const { status } = await answerTo(development.port, 'evil.example', { 'x-forwarded-host': 'localhost' });
  expect(status).toBe(421);
});

test('production leaves names to the proxy', async () => {
  expect((await answerTo(production.port, 'anything.example')).status).toBe(200);
});
