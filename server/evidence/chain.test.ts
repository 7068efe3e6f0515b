import { expect, it } from 'vitest';
import { readChain } from '#shared/rules/record/evidence-chain.ts';
import { newChain, peopleIn, type PackLine } from './chain.ts';

const session = (Tool: string, Details: string | null = null): PackLine => ({ Kind: 'Session', Tool, Details });
const said: PackLine[] = [
  { Kind: 'Pack', Details: 'all my sessions' },
  session('Risk Profile AI'),
  session('File Note AI', '=HYPERLINK("http://evil.example")'),
  session('Fact Find AI', 'with "quotes", a comma\r\nand a second line'),
  session('Forms AI', 'Zoë – naïve'),
  session('Research AI'),
  { Kind: 'End', Details: 'five sessions' },
];

function write(lines: PackLine[]): Buffer {
  const chain = newChain();
  return Buffer.concat([chain.begin(), ...lines.map((line) => chain.add(line))]);
}
const whole = write(said);
/** Line 1 is the heading. */
const lines = whole.toString().slice(1).split('\r\n').slice(0, -1);
const joined = (changed: string[]) => Buffer.from(`\ufeff${changed.map((line) => `${line}\r\n`).join('')}`);
const edited = (edit: (copy: string[]) => unknown) => {
  const copy = [...lines];
  edit(copy);
  return joined(copy);
};
const read = (bytes: Uint8Array) => readChain(new Uint8Array(bytes));

it('a pack reads as it was written, one line of text a record, safe for spreadsheets', async () => {
  expect(joined(lines)).toEqual(whole);
  expect(lines).toHaveLength(8);
  expect(await read(whole)).toEqual({ faults: [], head: lines[7]!.slice(-64), lines: 8 });
  expect(lines[3]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
});

const cut = (line: string) => line.replace(/,[^,]*$/, '');

it.each<[string, Buffer, [number, string][]]>([
  ['a changed letter', edited((l) => (l[2] = l[2]!.replace('Risk', 'Disk'))), [[3, 'Line 3 was changed.']]],
  [
    'a changed link',
    edited((l) => (l[2] = `${cut(l[2]!)},${'0'.repeat(64)}`)),
    [[3, 'The SHA-256 in line 3 was changed.']],
  ],
  ['no link', edited((l) => (l[2] = cut(l[2]!))), [[3, 'The SHA-256 in line 3 was changed.']]],
  ['another number', edited((l) => (l[3] = l[3]!.replace(/^4/, '9'))), [[4, 'Line 4 was changed.']]],
  ['no number', edited((l) => (l[3] = l[3]!.replace(/^4/, 'x'))), [[4, 'Line 4 was changed.']]],
  ['a line missing', edited((l) => l.splice(3, 1)), [[4, 'Line 4 is missing.']]],
  ['lines missing', edited((l) => l.splice(2, 3)), [[3, 'Lines 3 to 5 are missing.']]],
  ['the first line missing', edited((l) => l.splice(1, 1)), [[2, 'Line 2 is missing.']]],
  ['lines swapped', edited((l) => l.splice(3, 2, l[4]!, l[3]!)), [[4, 'Line 4 is in the wrong place: it was line 5.']]],
  [
    'a line moved up',
    edited((l) => l.splice(2, 0, l.splice(5, 1)[0]!)),
    [[3, 'Line 3 is in the wrong place: it was line 6.']],
  ],
  ['a line added', edited((l) => l.splice(3, 0, `4,Session,${'0'.repeat(64)}`)), [[4, 'Line 4 was added.']]],
  ['a line twice', edited((l) => l.splice(3, 0, l[2]!)), [[4, 'Line 4 was added.']]],
  [
    'two lines added',
    edited((l) => l.splice(3, 0, 'x', 'y')),
    [
      [4, 'Line 4 was added.'],
      [5, 'Line 5 was added.'],
    ],
  ],
  ['a line after the end', edited((l) => l.push('9,Session')), [[9, 'Line 9 was added after the end.']]],
  ['the end missing', edited((l) => l.pop()), [[7, 'The file stops after line 7: its end is missing.']]],
  [
    'the heading changed',
    edited((l) => (l[0] = `${l[0]}!`)),
    [[1, 'Line 1 is not the heading of an evidence pack, or was changed.']],
  ],
  ['no mark', whole.subarray(3), [[1, 'The beginning of the file was changed.']]],
  ['the last line feed gone', whole.subarray(0, -2), [[8, 'The end of line 8 was cut off.']]],
  [
    'two changes',
    edited((l) => {
      l[2] = l[2]!.replace('Risk', 'Disk');
      l[5] = l[5]!.replace('Forms', 'Norms');
    }),
    [
      [3, 'Line 3 was changed.'],
      [6, 'Line 6 was changed.'],
    ],
  ],
  [
    'saved by an editor',
    Buffer.from(whole.toString().replaceAll('\r\n', '\n')),
    [[1, 'The ends of the lines were changed: a spreadsheet or an editor has saved this file again.']],
  ],
])('the check finds %s', async (_what, changed, faults) => {
  expect((await read(changed)).faults).toEqual(faults.map(([line, says]) => ({ line, says })));
});

it('the check finds any one byte that is changed, in its line', async () => {
  const ends = [...whole.toString('latin1').matchAll(/\r\n/g)].map(({ index }) => index + 2);
  for (let at = 0; at < whole.length; at += 1) {
    const copy = Buffer.from(whole);
    copy[at]! ^= 1;
    const { faults } = await read(copy);
    expect([at, faults[0]?.line]).toEqual([at, ends.findIndex((end) => at < end) + 1]);
  }
});

it('the check says that no line is a pack’s where something else is given', async () => {
  for (const other of [Buffer.alloc(0), Buffer.from('a,b\r\n1,2\r\n'), Buffer.from([0, 255, 10, 13])])
    expect((await read(other)).faults.length).toBeGreaterThan(0);
});

it('a pack made anew after a change fits in itself, but has another head', async () => {
  const anew = await read(write(said.with(1, session('Disk Profile AI'))));
  expect(anew.faults).toEqual([]);
  expect(anew.head).not.toBe((await read(whole)).head);
});

it('the check says whom a pack names, in whatever pieces it comes, and not whom a remark names', async () => {
  const [asker, adviser, other] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`);
  const file = write([
    { Kind: 'Pack', 'Adviser ID': asker!, Details: 'Zoë' },
    { Kind: 'Session', 'Session ID': other!, 'Adviser ID': adviser!, Purpose: 'a, b' },
    { Kind: 'Statement', 'Adviser ID': adviser!, Details: `,${other},\r\n9,Session,,,${other},` },
    { Kind: 'Review', 'Adviser ID': asker!, Details: `\u20289,Session,,,${other},` },
    { Kind: 'End' },
  ]);
  for (const length of [1, 7, file.length]) {
    const pieces = async function* () {
      for (let at = 0; at < file.length; at += length) yield await Promise.resolve(file.subarray(at, at + length));
    };
    expect([...(await peopleIn(pieces()))]).toEqual([asker, adviser]);
  }
});
