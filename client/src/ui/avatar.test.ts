import { expect, it } from 'vitest';
import { initialsOf } from '#client/ui/avatar.tsx';

it.each([
  ['Jane', 'Whitfield', 'JW'],
  ['jane', '', 'J'],
  ['', 'whitfield', 'W'],
  [' élan', "o'brien", 'ÉO'],
  ['', ' ', 'U'],
  [null, undefined, 'U'],
])('user menu: %j %j has the initials %s', (firstName, lastName, initials) => {
  expect(initialsOf({ firstName, ...(lastName !== undefined && { lastName }) })).toBe(initials);
});
