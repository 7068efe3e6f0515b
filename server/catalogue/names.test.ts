import { expect, it } from 'vitest';
import { lookAlike } from './names.ts';

it.each([
  ['another case', 'fact find ai'],
  ['two spaces', 'Fact  Find AI'],
  ['no spaces', 'FactFind AI'],
  ['a space that is none', 'Fact\u00A0Find AI'],
  ['an invisible space', 'Fact\u200B Find AI'],
  ['a line separator', 'Fact\u2028Find AI'],
  ['a soft hyphen', 'Fa\u00ADct Find AI'],
  ['a Cyrillic letter', 'F\u0430ct Find AI'],
  ['Greek capitals', 'Fact Find \u0391\u0399'],
  ['a small L for the I', 'Fact Find Al'],
  ['a one for the I', 'Fact Find A1'],
  ['full-width letters', '\uFF26act Find AI'],
  ['mathematical letters', '\u{1D405}act Find AI'],
  ['a hyphen', 'Fact-Find AI'],
  ['dots and quotation marks', '“Fact.Find AI”!'],
  ['an accent', 'F\u00E1ct Find AI'],
])('a name is taken for another in spite of %s', (_what, name) => {
  expect(lookAlike(name, 'Fact Find AI')).toBe(true);
});

it.each(['Fact Finder AI', 'Fact Find', 'File Note AI', 'Fact Find Pro', 'Фактура'])(
  'a name of its own is none: %s',
  (name) => {
    expect(lookAlike(name, 'Fact Find AI')).toBe(false);
  },
);
