import { expect, it } from 'vitest';
import { safeReturnTo, withReturnTo } from '#client/lib/pages/paths.ts';

it.each([
  ['/profile', '/profile'],
  ['/dashboard?tab=billing', '/dashboard?tab=billing'],
  ['/accept-invitation?token=a', '/accept-invitation?token=a'],
  ['/', '/'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/a\\b', null],
  ['/\t/evil.example', null],
  ['https://evil.example', null],
  ['javascript:alert(1)', null],
  ['profile', null],
  ['', null],
  [null, null],
  ['/api/login', null],
  ['/auth?tab=sign-up', null],
  ['/complete-profile', null],
])('a sign-in returns to %s only within the app: %s', (value, expected) => {
  expect(safeReturnTo(value)).toBe(expected);
});

it('a link mentions where to go afterwards unless that is home', () => {
  expect(withReturnTo('/complete-profile', '/teams?x=1')).toBe('/complete-profile?returnTo=%2Fteams%3Fx%3D1');
  expect(withReturnTo('/complete-profile', '/')).toBe('/complete-profile');
  expect(withReturnTo('/complete-profile', '//evil.example')).toBe('/complete-profile');
});
