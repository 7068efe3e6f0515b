import express from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import { testEnv } from '#server/testing/test-env.ts';
import { hintSession, mayBePage } from './spa.ts';

test.each([
  ['https://adviserly.example', '__Host-sid', '__Host-session-hint=1; Path=/; Secure; SameSite=Lax'],
  ['http://localhost:3000', 'sid', 'session-hint=1; Path=/; SameSite=Lax'],
])('the hint that there is a session is a cookie as secure as the session’s: %s', async (APP_URL, session, hint) => {
  const env = testEnv({ APP_URL });
  const pages = express().get('/', (req, res) => void res.json(hintSession(req, res, env)));
  const holds = await request(pages).get('/').set('cookie', `a=b; ${session}=x`).expect(200, 'true');
  expect(holds.get('Set-Cookie')).toEqual([hint]);
  const holdsNone = await request(pages).get('/').set('cookie', `other-${session}=x`).expect(200, 'false');
  expect(holdsNone.get('Set-Cookie')?.[0]).toMatch(/^(__Host-)?session-hint=; .*Expires=Thu, 01 Jan 1970/);
});

test.each(['/', '/auth', '/subscribe/file-note-ai', '/development', '/no-such-page'])('%s may be a page', (path) => {
  expect(mayBePage(path)).toBe(true);
});

test.each([
  '/.env',
  '/.git/config',
  '/server/index.ts',
  '/assets/gone.js',
  '/assets/gone',
  '/assets',
  '/dev',
  '/dev/clock',
  '/metrics',
  '/sandbox/v1',
])('%s is missing, and is never a page', (path) => {
  expect(mayBePage(path)).toBe(false);
});
