import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { defineApi } from '#shared/api/endpoint.ts';
import { createClient } from '#client/lib/calls/api.ts';
import { ApiError, sentenceOf } from '#client/lib/calls/api-error.ts';
import { businessNow, recordBusinessDate } from '#client/lib/words/business-time.ts';
import { onUnauthorized } from '#client/lib/calls/request.ts';

const client = createClient(
  defineApi({
    read: {
      method: 'GET',
      path: '/api/things/:id',
      access: 'public',
      summary: 'Read',
      params: z.object({ id: z.string() }),
      query: z.object({ page: z.number().optional() }),
      response: z.object({ at: z.coerce.date() }),
    },
    list: { method: 'GET', path: '/api/things', access: 'public', summary: 'List', response: z.array(z.string()) },
    write: {
      method: 'POST',
      path: '/api/things',
      access: 'public',
      summary: 'Write',
      body: z.object({ name: z.string() }),
      response: z.object({ ok: z.boolean() }),
    },
  }),
);

type Answer = { status?: number; headers?: Record<string, string>; text: string };
let answer: Answer;
let seen: { method: string | undefined; url: string | undefined; type: string | undefined; body: string };
let server: Server;

const bodyOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

const take = async (request: IncomingMessage, response: ServerResponse) => {
  const body = await bodyOf(request);
  seen = { method: request.method, url: request.url, type: request.headers['content-type'], body };
  response.writeHead(answer.status ?? 200, answer.headers).end(answer.text);
};

beforeAll(async () => {
  server = createServer((request, response) => {
    void take(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser completes a path with its page's origin; Node needs to be told.
  const { fetch: real } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(origin + path, init));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => recordBusinessDate(new Date().toISOString()));

const failure = async (call: Promise<unknown>) => {
  const error: unknown = await call.catch((fault: unknown) => fault);
  if (!(error instanceof ApiError)) throw new Error('no ApiError was thrown');
  return error;
};

describe('a call', () => {
  it('fills its path and query, sends no body and no content type, and reads dates', async () => {
    answer = { text: '{"at":"2026-11-21T05:00:00.000Z"}' };
    const reply = await client.read({ params: { id: 'a b/c' }, query: { page: 2 } });
    expect(reply.at).toEqual(new Date('2026-11-21T05:00:00Z'));
    expect(seen).toEqual({ method: 'GET', url: '/api/things/a%20b%2Fc?page=2', type: undefined, body: '' });
  });

  it('sends a body as JSON', async () => {
    answer = { text: '{"ok":true}' };
    expect(await client.write({ body: { name: 'x' } })).toEqual({ ok: true });
    expect(seen).toMatchObject({ method: 'POST', type: 'application/json', body: '{"name":"x"}' });
  });

  it('takes the business time from the answer', async () => {
    answer = { text: '[]', headers: { 'business-date': '2030-01-01T00:00:00.000Z' } };
    await client.list();
    expect(businessNow().getTime() - Date.parse('2030-01-01')).toBeLessThan(10_000);
    expect(businessNow().getTime()).toBeGreaterThanOrEqual(Date.parse('2030-01-01'));
  });

  it('demands what its endpoint demands', () => {
    // @ts-expect-error the params are missing
    const withoutParams = () => client.read({ query: {} });
    // @ts-expect-error an unknown field
    const unknownField = () => client.write({ body: { title: 'x' } });
    expect([withoutParams, unknownField]).toHaveLength(2);
  });
});

describe('an answer without success', () => {
  it('becomes “status: body” as its message, and carries status and body and the parts of the JSON', async () => {
    const body = { code: 'invalid_input', message: 'Wrong.', fields: { name: 'Wrong.' }, requestId: 'r1' };
    answer = { status: 400, text: JSON.stringify(body) };
    const error = await failure(client.write({ body: { name: '' } }));
    expect(error.message).toBe(`400: ${JSON.stringify(body)}`);
    expect(error).toMatchObject({ status: 400, code: 'invalid_input', sentence: 'Wrong.', fields: { name: 'Wrong.' } });
    expect(error.requestId).toBe('r1');
    expect(sentenceOf(error, 'else')).toBe('Wrong.');
  });

  it('takes the status text for an empty body', async () => {
    answer = { status: 404, text: '' };
    expect((await failure(client.list())).message).toBe('404: Not Found');
  });

  it('becomes a clear sentence when a proxy answers with a page', async () => {
    answer = { status: 502, text: '<html>Bad Gateway</html>' };
    const error = await failure(client.list());
    expect(error).toMatchObject({ status: 502, code: 'unreadable' });
    expect(error.sentence).toMatch(/isn.t responding/);
    expect(sentenceOf(error, 'else')).toBe('else');
  });

  it.each(['<html>', '{"not":"a list"}', ''])(
    'becomes a clear sentence when a success is not the contract’s: %j',
    async (text) => {
      answer = { text };
      expect(await failure(client.list())).toMatchObject({ status: 200, code: 'unreadable' });
    },
  );

  it('becomes a clear sentence when no answer comes', async () => {
    const listening = globalThis.fetch;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failure(client.list());
    vi.stubGlobal('fetch', listening);
    expect(error).toMatchObject({ status: 0, code: 'network' });
  });

  it('tells of the end of a session, not of a wrong password', async () => {
    let heard = 0;
    const stop = onUnauthorized(() => (heard += 1));
    answer = { status: 401, text: '{"code":"invalid_credentials","message":"Invalid email or password."}' };
    await failure(client.list());
    expect(heard).toBe(0);
    answer = { status: 401, text: '{"code":"unauthorized","message":"Unauthorized"}' };
    await failure(client.list());
    expect(heard).toBe(1);
    stop();
  });
});
