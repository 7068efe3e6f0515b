import { expect, it } from 'vitest';
import { packHeader } from './evidence-chain.ts';
import { checkPack } from './evidence-check.ts';

const text = (value: string) => new TextEncoder().encode(value);
const notOfPack = 'This is not a file of an evidence pack.';
const hash = 'a1'.repeat(32);

it.each<[string, Uint8Array<ArrayBuffer>]>([
  ['holiday.csv', text('Day,Place\n1,Hobart\n')],
  ['empty.csv', text('')],
  ['empty.json', text('{}')],
  ['photo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
])('the check does not call %s a changed pack, which never was one', async (name, bytes) => {
  expect(await checkPack([{ name, bytes }])).toEqual([
    { name, kind: 'other', sum: null, lines: null, faults: [notOfPack] },
  ]);
});

it.each<[string, Uint8Array<ArrayBuffer>, string]>([
  ['its heading alone', text(packHeader), 'csv'],
  ['a line, with the heading gone', text(`2,Session,${hash}\r\n`), 'csv'],
  ['saved again by a spreadsheet', text(`Line\n2,Session,${hash}\n`), 'csv'],
  ['saved with two bytes a letter', text([...`2,Session,${hash}`].join('\0')), 'csv'],
  ['a manifest of another format', text(JSON.stringify({ format: 'x', head: hash })), 'manifest'],
])('the check finds that what is left of a pack was changed: %s', async (_, bytes, kind) => {
  const [checked] = await checkPack([{ name: 'pack', bytes }]);
  expect(checked).toMatchObject({ kind });
  expect(checked!.faults).not.toContain(notOfPack);
  expect(checked!.faults.length).toBeGreaterThan(0);
});
