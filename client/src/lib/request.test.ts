import { afterEach, expect, it, vi } from 'vitest';
import { onWritten, send } from './request.ts';

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

it('a call of the page itself says so, so that it keeps no session awake', async () => {
  answering(200);
  await send(call('GET'), undefined, { background: true });
  await send(call('POST'), { body: {} });
  expect(seen.map((headers) => [headers.get('x-background'), headers.get('content-type')])).toEqual([
    ['1', null],
    [null, 'application/json'],
  ]);
});

it('tells of what was changed, not of what was read or failed, until it is told to stop', async () => {
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
