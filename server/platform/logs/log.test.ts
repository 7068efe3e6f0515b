import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { maskUrl } from './log-redaction.ts';
import { createLog, requestLog } from './log.ts';

const secret = 'hunter2-is-a-secret';

function captured() {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'trace' }, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

class QueryError extends Error {
  params = [secret];
  query = 'update users set password = $1';
}

test.each<[string, unknown]>([
  ['password', { password: secret }],
  ['nested', { body: { user: { newPassword: secret, currentPassword: secret } } }],
  ['in a list', { items: [{ token: secret }, { auth_token: secret }] }],
  ['headers', { headers: { cookie: secret, authorization: secret, 'set-cookie': [secret] } }],
  ['Stripe', { client_secret: secret, clientSecret: secret, webhookSecret: secret }],
  ['csrf', { _csrf: secret, 'x-csrf-token': secret }],
  ['API key', { apiKey: secret, api_key: secret }],
  ['URL field', { target: `/verify-email?token=${secret}` }],
  ['connection string', { err: new Error(`connect postgresql://app:${secret}@127.0.0.1:5432/app failed`) }],
  ['driver error', { err: new QueryError(`Failed query: update users\nparams: 7,two\nlines,${secret}`) }],
  ['cause', { err: new Error('outer', { cause: new QueryError(`x password=${secret}`) }) }],
  ['error under another name', { reason: new QueryError('nothing') }],
])('the log never shows a secret: %s', (_name, fields) => {
  const { log, lines } = captured();
  log.error(fields, 'said');
  log.child({ fields: 1 }).info(fields);
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain(secret);
});

test('the log masks a secret in the message, and its lines stay JSON with UTC times and a level name', () => {
  const { log, lines, last } = captured();
  log.info(`sent /reset-password?token=${secret} with sk_test_${secret.replaceAll('-', '')}`);
  expect(lines.join()).not.toMatch(/hunter2/);
  expect(last()).toMatchObject({ level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
});

test('the log keeps what is no secret: error type, message, stack, code and cause', () => {
  const { log, last } = captured();
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'users_email' });
  log.error({ err: new TypeError('broke', { cause }), count: 3, at: new Date(0) }, 'said');
  expect(last()).toMatchObject({
    msg: 'said',
    count: 3,
    at: '1970-01-01T00:00:00.000Z',
    err: {
      type: 'TypeError',
      message: 'broke',
      stack: expect.stringContaining('log.test.ts'),
      cause: { message: 'duplicate key', code: '23505', constraint: 'users_email' },
    },
  });
});

describe('an address in the log', () => {
  const token = 'a'.repeat(43);
  test.each([
    ['/verify-email?token=abc', '/verify-email?token=[Redacted]'],
    ['/x?a=1&auth_token=abc&b=2', '/x?a=1&auth_token=[Redacted]&b=2'],
    [
      '/x?_csrf=abc&%74oken=abc&TOKEN=abc&token[0]=abc',
      '/x?_csrf=[Redacted]&%74oken=[Redacted]&TOKEN=[Redacted]&token[0]=[Redacted]',
    ],
    [`/api/invitations/${token}/accept`, '/api/invitations/[Redacted]/accept'],
    ['/x?%E0%A4%A=1', '/x?%E0%A4%A=1'],
    ['/plain/path?page=2', '/plain/path?page=2'],
  ])('shows no token: %s', (url, masked) => expect(maskUrl(url)).toBe(masked));
});

describe('what somebody searches for', () => {
  test.each([
    ['/api/admin/users?search=alex%40practice.example&page=2', '/api/admin/users?search=[Redacted]&page=2'],
    ['/api/admin/teams?%53earch=Harbour+Advice', '/api/admin/teams?%53earch=[Redacted]'],
    ['/api/admin/audit.csv?subject=Alex', '/api/admin/audit.csv?subject=[Redacted]'],
    ['/help?q=my+client+Alex', '/help?q=[Redacted]'],
    ['/admin?tab=users&search=Alex', '/admin?tab=users&search=[Redacted]'],
    [
      '/auth?returnTo=%2Fadmin%3Ftab%3Dusers%26search%3DAlex',
      `/auth?returnTo=${encodeURIComponent('/admin?tab=users&search=[Redacted]')}`,
    ],
    ['/auth?returnTo=%2Fteams%3Fteam%3D1', '/auth?returnTo=%2Fteams%3Fteam%3D1'],
  ])('is not in the log: %s', (url, masked) => expect(maskUrl(url)).toBe(masked));
});

describe('the log of requests', () => {
  let server: Server | undefined;
  afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

  test.each([
    [200, 'info'],
    [404, 'info'],
    [500, 'error'],
    [503, 'warn'],
  ])('has an answer %i as %s', async (status, level) => {
    const { log, last } = captured();
    const middleware = requestLog(log);
    server = createServer((req, res) => {
      middleware(req, res);
      res.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(last()).toMatchObject({ level, res: { statusCode: status } });
  });

  test('has one line for a request, with our own id, masked URL, status and user, and no header', async () => {
    const { log, lines, last } = captured();
    const middleware = requestLog(log);
    server = createServer((req, res) => {
      middleware(req, res);
      Object.assign(req, { user: { id: 'user-1', password: secret } });
      res.setHeader('Set-Cookie', `sid=${secret}`).writeHead(404).end();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const id = await new Promise((resolve) => {
      const headers = { cookie: `sid=${secret}`, authorization: secret, 'x-request-id': 'forged' };
      const sent = request({ port, path: `/api/x?token=${secret}`, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.headers['x-request-id']));
      });
      sent.end();
    });
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toMatch(/hunter2|forged/);
    expect(last()).toMatchObject({
      requestId: id,
      userId: 'user-1',
      req: { method: 'GET', url: '/api/x?token=[Redacted]' },
      res: { statusCode: 404 },
    });
  });
});
