import { expect, it } from 'vitest';
import { packFormat } from './evidence.ts';
import { packHeader } from './evidence-chain.ts';
import { checkPack } from './evidence-check.ts';
import { peopleColumns } from './pack-people.ts';

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

const manifest = {
  format: packFormat,
  head: hash,
  practice: { id: '6dbd103e-0000', name: 'Harbour "Advice", Ballarat', abn: null, afsl: '234567' },
  people: [
    { id: '1fd69a73-0000', name: '=Mia', email: 'mia@x.example', adviserNumber: null, since: null, until: null },
  ],
  files: { csv: { sha256: hash }, pdf: { sha256: hash } },
};
const json = { name: 'a.json', bytes: text(JSON.stringify(manifest)) };
const people = (name: string) =>
  text(
    `\ufeff${peopleColumns.join(',')}\r\nPractice,6dbd103e,6dbd103e-0000,"Harbour ""Advice"", Ballarat",,234567,,,,\r\nPerson,1fd69a73,1fd69a73-0000,${name},mia@x.example,,,,,\r\n`,
  );

it('the check knows the list of people, and compares it with the manifest', async () => {
  const file = (name: string) => ({ name: 'people.csv', bytes: people(name) });
  const [alone] = await checkPack([file("'=Mia")]);
  expect(alone).toMatchObject({ kind: 'people', faults: [], comparedWith: null });
  const [fits] = await checkPack([file("'=Mia"), json]);
  expect(fits).toMatchObject({ kind: 'people', faults: [], comparedWith: 'manifest' });
  const [changed] = await checkPack([file('Mei'), json]);
  expect(changed).toMatchObject({ kind: 'people', faults: ['Line 3 is not what the manifest says.'] });
});

it('the check knows a time stamp, and says whether it is of this pack', async () => {
  const stamp = (head: string) => ({
    name: 'a.tsr',
    bytes: Uint8Array.from(Buffer.from(`3082000006060b2a864886f70d01091001040420${head}`, 'hex')),
  });
  expect(await checkPack([stamp(hash)])).toMatchObject([{ kind: 'stamp', faults: [], comparedWith: null }]);
  const [fits] = await checkPack([stamp(hash), json]);
  expect(fits).toMatchObject({ kind: 'stamp', faults: [], comparedWith: 'manifest' });
  const [other] = await checkPack([stamp('b2'.repeat(32)), json]);
  expect(other!.faults).toEqual(['This time stamp is for the final checksum of another pack.']);
});
