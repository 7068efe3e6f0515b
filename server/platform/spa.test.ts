import { expect, test } from 'vitest';
import { mayBePage } from './spa.ts';

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
])('%s is missing, never a page', (path) => {
  expect(mayBePage(path)).toBe(false);
});
