import { afterEach, expect, it, vi } from 'vitest';
import { makeRequestsFor, onUnauthorized, onWritten, send } from './request.ts';

const seen: Headers[] = [];
const answering = (status: number) =>
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    seen.push(new Headers(init.headers));
    return Promise.resolve(new Response('{}', { status }));
  });
afterEach(() => {
  seen.length = 0;
  vi.unstubAllGlobals();
});

const call = (method: 'GET' | 'POST') => ({ method, path: '/api/x' as const, read: (answer: unknown) => answer });

it('a call that the page makes by itself says so, and keeps no session awake', async () => {
  answering(200);
  await send(call('GET'), undefined, { background: true });
  await send(call('POST'), { body: {} });
  expect(seen.map((headers) => [headers.get('x-background'), headers.get('content-type')])).toEqual([
    ['1', null],
    [null, 'application/json'],
  ]);
});

it('the page hears of what a call changed, not of what it read or failed at, until told to stop', async () => {
  const heard = vi.fn();
  const stop = onWritten(heard);
  answering(200);
  await send(call('GET'));
  expect(heard).toHaveBeenCalledTimes(0);
  await send(call('POST'));
  expect(heard).toHaveBeenCalledTimes(1);
  answering(503);
  await expect(send(call('POST'))).rejects.toThrow('503');
  stop();
  answering(200);
  await send(call('POST'));
  expect(heard).toHaveBeenCalledTimes(1);
});

const unauthorized = () => new Response('{"code":"unauthorized","message":"Unauthorized"}', { status: 401 });

it('a read that meets the end of a session is asked again, once the write that replaces the session is done', async () => {
  const heard = vi.fn();
  const stop = onUnauthorized(heard);
  makeRequestsFor('somebody');
  let answerWrite = (_answer: Response): void => undefined;
  const written = new Promise<Response>((resolve) => (answerWrite = resolve));
  const reads = [unauthorized(), new Response('{"fresh":true}')];
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) =>
    method === 'GET' ? Promise.resolve(reads.shift()!) : written,
  );
  const write = send(call('POST'));
  const read = send(call('GET'));
  answerWrite(new Response('{}'));
  await write;
  expect(await read).toEqual({ fresh: true });
  expect(heard).toHaveBeenCalledTimes(0);

  vi.stubGlobal('fetch', () => Promise.resolve(unauthorized()));
  await expect(Promise.all([send(call('GET')), send(call('POST'))])).rejects.toThrow('Unauthorized');
  expect(heard).toHaveBeenCalled();
  makeRequestsFor(undefined);
  stop();
});
