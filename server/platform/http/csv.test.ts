import { expect, it } from 'vitest';
import { csv, type Cell } from './csv.ts';

type Row = [a: Cell, b: Cell];
const written = async (...rows: Row[]) => {
  const pages: number[] = [];
  let text = '';
  const columns = { A: ([a]: Row) => a, B: ([, b]: Row) => b };
  const file = csv(columns, async (limit, last?: Row) => {
    const from = last ? rows.indexOf(last) + 1 : 0;
    const page = rows.slice(from, from + limit);
    pages.push(page.length);
    return page;
  });
  for await (const part of file) text += part;
  return { text, pages };
};

it('writes RFC 4180 with a mark of UTF-8', async () => {
  expect((await written()).text).toBe('\ufeffA,B\r\n');
  expect((await written(['a,"b"', 1], ['two\nlines', null])).text).toBe(
    '\ufeffA,B\r\n"a,""b""",1\r\n"two\nlines",\r\n',
  );
});

it.each([
  [0, [0]],
  [999, [999]],
  [2000, [1000, 1000, 0]],
  [2001, [1000, 1000, 1]],
])('reads %i rows page by page, each row once', async (count, sizes) => {
  const { text, pages } = await written(...Array.from({ length: count }, (_, n): Row => [n, null]));
  expect(pages).toEqual(sizes);
  expect(text).toBe(`\ufeffA,B\r\n${Array.from({ length: count }, (_, n) => `${n},\r\n`).join('')}`);
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=1\n2', '＝1', '=cmd|"/c calc"!A0'])(
  'no spreadsheet runs %j',
  async (text) => {
    const cell = (await written([text, 0])).text.split('\r\n').slice(1).join('\r\n');
    expect(cell).toMatch(/^"?'/);
  },
);
