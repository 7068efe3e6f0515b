import { createHash } from 'node:crypto';
import { packColumns, type PackKind } from '#shared/rules/record/evidence.ts';
import { linked, packHeader } from '#shared/rules/record/evidence-chain.ts';
import { csvLine } from '#server/platform/http/csv.ts';

/** What a line says, by its column; the others are empty. */
export type PackLine = { Kind: PackKind } & Partial<
  Record<Exclude<(typeof packColumns)[number], 'Line' | 'Kind' | 'SHA-256'>, string | number | null>
>;

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A line of the file is one line of text: line breaks are shown as ↵. */
const inOneLine = (value: string) => value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ↵ ');

/** Writes a pack's CSV line by line, each with its link of the chain; see the README for the form. */
export function newChain() {
  const header = Buffer.from(packHeader);
  let [before, lines] = [hash(header), 1];
  return {
    begin: (): Buffer => Buffer.concat([Buffer.from('\ufeff'), header, Buffer.from('\r\n')]),
    /** The bytes of the next line, whose number is `lines` afterwards. */
    add: (line: PackLine): Buffer => {
      lines += 1;
      const cells = packColumns.slice(0, -1).map((column) => {
        if (column === 'Line') return lines;
        const value = line[column as keyof PackLine] ?? null;
        return typeof value === 'string' ? inOneLine(value) : value;
      });
      const body = Buffer.from(csvLine(cells));
      before = hash(linked(before, body));
      return Buffer.concat([body, Buffer.from(`,${before}\r\n`)]);
    },
    get lines() {
      return lines;
    },
    /** The link of the line that was added last. */
    get head() {
      return before;
    },
  };
}

/** No cell before the adviser's holds a comma. */
const adviserOf = /^\d+,(?:[^,]*,){3}([\da-f-]{36}),/;

/** The ids of everybody whom the lines of a pack's CSV name. */
export async function peopleIn(file: AsyncIterable<Uint8Array>): Promise<Set<string>> {
  const ids = new Set<string>();
  const text = new TextDecoder();
  let begun = '';
  for await (const piece of file) {
    const lines = (begun + text.decode(piece, { stream: true })).split('\r\n');
    begun = lines.pop()!;
    for (const line of lines) {
      const id = adviserOf.exec(line)?.[1];
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}
