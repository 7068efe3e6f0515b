import type { PackManifest, PackPerson } from './evidence.ts';

/** The list of people of a practice's pack. */
export const peopleColumns = [
  'Kind',
  'Number',
  'ID',
  'Name',
  'Email',
  'AFSL or adviser number',
  'Since (UTC)',
  'Until (UTC)',
  'ABN',
  'Role',
] as const;
/** Of packs from before people were named: as they were called when the list was downloaded. */
export const olderPeopleColumns = ['Kind', 'Number', 'ID', 'Name now', 'Email now'] as const;

type Row = (string | null)[];
const numberOf = (id: string) => id.slice(0, 8);

/** The rows of the list, as the manifest has them; null where it names nobody. */
export function peopleRows({ practice, people }: Pick<PackManifest, 'practice' | 'people'>): Row[] | null {
  if (!practice || !people) return null;
  const { id, name, afsl, abn } = practice;
  const ofPerson = (one: PackPerson): Row => [
    'Person',
    numberOf(one.id),
    one.id,
    one.name,
    one.email,
    one.adviserNumber,
    one.since,
    one.until,
    '',
    one.role ?? '',
  ];
  return [['Practice', numberOf(id), id, name, '', afsl, '', '', abn, ''], ...people.map(ofPerson)];
}

const headings = [peopleColumns, olderPeopleColumns].map((columns) => columns.join(','));
const withoutMark = (text: string) => text.replace(/^\ufeff/, '');

export const isPeopleList = (text: string): boolean =>
  headings.some((heading) => withoutMark(text).replaceAll('"', '').startsWith(heading));

/** The cells of a CSV (RFC 4180). */
function cellsIn(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [whole, quoted, plain = '', ending] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === '' && rows.at(-1)!.length === 0) break;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (ending !== ',' && ending !== '') rows.push([]);
    if (ending === '') break;
  }
  return rows.filter((row) => row.length > 0);
}

/** A cell that a spreadsheet would take for a formula has ' before it. */
const isCell = (cell: string, value: string | null) => cell === (value ?? '') || cell === `'${value}`;

/** What is wrong with a list of people, by the manifest of its pack. */
export function peopleFaults(text: string, manifest: PackManifest | null): string[] {
  const expected = manifest && peopleRows(manifest);
  if (!expected) return [];
  const [heading = [], ...rows] = cellsIn(withoutMark(text));
  const whole = [heading, ...rows];
  const wanted: Row[] = [[...peopleColumns], ...expected];
  if (whole.length !== wanted.length)
    return [`The list has ${whole.length} lines, and the manifest says ${wanted.length}.`];
  return wanted.flatMap((row, index) => {
    const cells = whole[index]!;
    const fits = cells.length === row.length && row.every((value, at) => isCell(cells[at]!, value));
    return fits ? [] : [`Line ${index + 1} is not what the manifest says.`];
  });
}
