import { expect, it } from 'vitest';
import { csv, type Cell } from './csv.ts';

async function* pages(...all: Cell[][][]) {
  yield* all;
}
const written = async (...all: Cell[][][]) => {
  let text = '';
  for await (const part of csv(['A', 'B'], pages(...all))) text += part;
  return text;
};

it('the download is RFC 4180 with a mark of UTF-8, whatever the pages hold', async () => {
  expect(await written()).toBe('\ufeffA,B\r\n');
  expect(await written([], [['a,"b"', 1]], [['two\nlines', null]])).toBe(
    '\ufeffA,B\r\n"a,""b""",1\r\n"two\nlines",\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=1\n2', '＝1', '=cmd|"/c calc"!A0'])(
  'no spreadsheet runs %j',
  async (text) => {
    const cell = (await written([[text, 0]])).split('\r\n').slice(1).join('\r\n');
    expect(cell).toMatch(/^"?'/);
  },
);
