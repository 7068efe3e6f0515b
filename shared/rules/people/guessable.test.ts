import { expect, it } from 'vitest';
import { isGuessable } from './guessable.ts';

const own = ['Mia', "O'Connor", 'mia.oconnor+work'];

it.each([
  ['Adviserly1', true],
  ['adv1serly!2026', true],
  ['Summer2026', true],
  ['P@ssw0rd1', true],
  ['Welcome123', true],
  ['MiaOConnor9', true],
  ['mia.oconnor+Work1', true],
  ['OConnor-Summer-26', true],
  ['Correct-Horse-7', false],
  ['Brave-Otter-42', false],
  ['Mia loves brave otters 7', false],
  ['12345678', false],
  ['X7-9_2vQ!', false],
])('a password that one can guess is recognised: %s, %s', (password, guessable) =>
  expect(isGuessable(password, own)).toBe(guessable),
);
