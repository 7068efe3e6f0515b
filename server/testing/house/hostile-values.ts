/** What no field should take, or break at. */
export const hostile: [name: string, value: unknown][] = [
  ['NUL', 'a\0b'],
  ['control characters', 'a\r\nb'],
  ['a number', 42],
  ['a huge number', 1e308],
  ['null', null],
  ['an object', { $ne: '' }],
  ['a nested array', [[['x']]]],
  ['a boolean', true],
  ['a long string', 'x'.repeat(20_000)],
  ['a lone surrogate', '\ud800'],
  ['an empty string', ''],
];
