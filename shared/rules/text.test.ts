import { expect, it } from 'vitest';
import { cleanCode, cleanLine, cleanText, searchable, typedWhole } from './text.ts';

const decomposed = 'Rene\u0301e';

it.each([
  [decomposed, 'Renée'],
  ['\u200BMia\uFEFF', 'Mia'],
  ['\u202AMia\u202C', 'Mia'],
  ['\u202Egro.live', '\u202Egro.live'],
  ['\u2067شركة\u2069', 'شركة'],
  ['O\u2060Brien', 'OBrien'],
  ['Anne\u2011Marie', 'Anne-Marie'],
  ['Anne\u2010Marie', 'Anne-Marie'],
  ['Level\u00A04,\u2009120\u3000Collins', 'Level 4, 120 Collins'],
  ['  two   blanks ', 'two blanks'],
  ['علی\u200Cرضا', 'علی\u200Cرضا'],
  ['👩\u200D👧', '👩\u200D👧'],
  ['a – b — c', 'a – b — c'],
  ['ﬁ', 'ﬁ'],
])('a line %j is kept as %j', (typed, kept) => expect(cleanLine(typed)).toBe(kept));

it.each([
  ['\u00A0２０００', '2000'],
  ['2000\u200E', '2000'],
  ['\u202D2000\u202C', '2000'],
  ['ＳＰＲＩＮＧ', 'SPRING'],
  ['0412\u2011345\u2011678', '0412-345-678'],
])('a code %j is read as %j', (typed, read) => expect(cleanCode(typed)).toBe(read));

it('a text keeps its lines and indents', () => {
  expect(cleanText(`\uFEFFDear ${decomposed},\n\n  yours\u00A0truly \n`)).toBe('Dear Renée,\n\n  yours truly');
});

it.each([cleanLine, cleanText, cleanCode])('cleaning what is clean changes nothing: %o', (clean) => {
  for (const text of [decomposed, '\u00A0a\u2011b ', '１２', 'a\u200Bb']) expect(clean(clean(text))).toBe(clean(text));
});

it.each([
  ['won’t', "WON'T"],
  ['O`Brien', 'o’brien'],
  ['Rene\u0301e', 'renée'],
  ['Renée', 'renee'],
  ['Strauß', 'STRAUSS'],
  ['\u200Bfact\u00A0find', 'Fact Find'],
  ['ＡＩ', 'ai'],
  ['Anne\u2011Marie', 'anne-marie'],
])('a search for %j finds %j', (typed, found) => expect(searchable(typed)).toBe(searchable(found)));

it.each([
  ['lodz', 'Łódź'],
  ['soren dang', 'Søren Đặng'],
  ['παππας', 'ΠΑΠΠΆΣ'],
  ['aegis', 'Ægis'],
  ['משה', 'מֹשֶׁה'],
])('a search for %j finds %j, a letter of its own (actualbudget/actual#3449)', (typed, found) =>
  expect(searchable(typed)).toBe(searchable(found)),
);

it.each([
  ['125', 125],
  [' 15\u00A0', 15],
  ['\u200B１５', 15],
  ['12,5', Number.NaN],
  ['', Number.NaN],
  ['1e3', Number.NaN],
  ['-4', Number.NaN],
  ['0x10', Number.NaN],
])('a number is typed as text: %j is %d (kubermatic/dashboard#7642)', (typed, read) =>
  expect(typedWhole(typed)).toBe(read),
);
