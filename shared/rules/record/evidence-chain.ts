import { olderPackColumns, packColumns } from './evidence.ts';

/**
 * The chain of a pack's CSV. A line is the bytes between two CR LF. Its link, the last cell, is the SHA-256, in lower-case hexadecimal,
 * of the link of the line before, a line feed, and the line's bytes before the comma of its link. The header has no link: in its
 * place stands the SHA-256 of its bytes. The link of the last line is the head of the chain.
 */
export type ChainFault = { line: number; says: string };
export type ChainReading = {
  faults: ChainFault[];
  /** The last line's link; null where there is none. */
  head: string | null;
  /** Including the header. */
  lines: number;
};

type Line = { at: number; number: number | null; body: Uint8Array<ArrayBuffer>; link: string | null; isEnd: boolean };

const text = new TextEncoder();
const ascii = new TextDecoder('latin1');
export const packHeader = packColumns.join(',');
export const packHeaders = [packHeader, olderPackColumns.join(',')];
const mark = [0xef, 0xbb, 0xbf];

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that a line's link is made of. */
export function linked(before: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(65 + body.length);
  all.set(text.encode(`${before}\n`));
  all.set(body, 65);
  return all;
}

/** The bytes of each line, and whether the last one ends with CR LF. */
function split(bytes: Uint8Array<ArrayBuffer>): { lines: Uint8Array<ArrayBuffer>[]; isWhole: boolean } {
  const lines: Uint8Array<ArrayBuffer>[] = [];
  let start = 0;
  for (let at = bytes.indexOf(13); at !== -1; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] !== 10) continue;
    lines.push(bytes.subarray(start, at));
    start = at + 2;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return { lines, isWhole: start === bytes.length };
}

function lineOf(bytes: Uint8Array<ArrayBuffer>, index: number): Line {
  const comma = bytes.length - 65;
  const link = comma > 0 && bytes[comma] === 44 ? ascii.decode(bytes.subarray(comma + 1)) : '';
  const begins = /^([1-9]\d{0,8}),(End,)?/.exec(ascii.decode(bytes.subarray(0, 20)));
  return {
    at: index + 1,
    number: begins ? Number(begins[1]) : null,
    body: comma > 0 ? bytes.subarray(0, comma) : bytes,
    link: /^[\da-f]{64}$/.test(link) ? link : null,
    isEnd: begins?.[2] !== undefined,
  };
}

const listed = (from: number, to: number) =>
  to > from ? `Lines ${from} to ${to} are missing.` : `Line ${from} is missing.`;

/** Reads a pack's CSV and finds what was changed since it was made, the first fault first. */
export async function readChain(file: Uint8Array<ArrayBuffer>): Promise<ChainReading> {
  const hasMark = mark.every((byte, index) => file[index] === byte);
  const { lines: all, isWhole } = split(hasMark ? file.subarray(3) : file);
  const faults: ChainFault[] = [];
  const fault = (line: number, says: string) => void faults.push({ line, says });
  if (all.length < 2 && file.includes(10)) {
    fault(1, 'The ends of the lines were changed: a spreadsheet or an editor has saved this file again.');
    return { faults, head: null, lines: all.length };
  }
  if (!hasMark) fault(1, 'The beginning of the file was changed.');
  const header = packHeaders.find((one) => one === ascii.decode(all[0]));
  if (header === undefined) fault(1, 'Line 1 is not the heading of an evidence pack, or was changed.');
  const lines = all.slice(1).map((bytes, index) => lineOf(bytes, index + 1));
  await walk(lines, header ?? packHeader, fault);
  const last = lines.at(-1);
  if (last && !isWhole) fault(last.at, `The end of line ${last.at} was cut off.`);
  return { faults: faults.toSorted((a, b) => a.line - b.line), head: last?.link ?? null, lines: all.length };
}

async function walk(lines: Line[], header: string, fault: (line: number, says: string) => void): Promise<void> {
  const seed = await sha256(text.encode(header));
  const made = await linksAfterLineBefore(lines, seed);
  const positions = new Map<number, number[]>();
  for (const [index, { number }] of lines.entries())
    if (number !== null) positions.set(number, [...(positions.get(number) ?? []), index]);

  /** What the link of a line would be after the link `before`. */
  const linkAfter = async (before: string, index: number): Promise<string> =>
    before === (lines[index - 1]?.link ?? seed) ? made[index]! : sha256(linked(before, lines[index]!.body));
  const fits = async (before: string, index: number) =>
    lines[index] !== undefined && (await linkAfter(before, index)) === lines[index].link;

  /** Lines that come too early, by their number. */
  const moved = new Map<number, Line>();
  let [before, wanted, ended] = [seed, 2, false];
  const accept = (line: Line) => ([before, wanted, ended] = [line.link ?? before, wanted + 1, line.isEnd]);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    for (let early = moved.get(wanted); early; early = moved.get(wanted)) accept(early);
    if (ended) {
      fault(line.at, `Line ${line.at} was added after the end.`);
      continue;
    }
    if (line.number === wanted && (await fits(before, index))) {
      accept(line);
      continue;
    }
    // The line that belongs here may follow later: then this one was added, or comes too early.
    const own = (positions.get(wanted) ?? []).filter((position) => position > index);
    const follows = own.length > 0 && (await anyFits(own, (position) => fits(before, position)));
    const isLater = line.number !== null && line.number > wanted;
    if (follows && isLater && positions.get(line.number!)!.length === 1) {
      fault(line.at, `Line ${line.at} is in the wrong place: it was line ${line.number}.`);
      moved.set(line.number!, line);
    } else if (follows) {
      fault(line.at, `Line ${line.at} was added.`);
    } else if (line.number === wanted || lines[index + 1]?.number === wanted + 1 || !isLater) {
      // If only its link was changed, the next line still fits what the link was.
      const was = await linkAfter(before, index);
      const onlyLink = await fits(was, index + 1);
      fault(line.at, onlyLink ? `The SHA-256 in line ${line.at} was changed.` : `Line ${line.at} was changed.`);
      accept(onlyLink ? { ...line, link: was } : line);
    } else {
      fault(line.at, listed(wanted, line.number! - 1));
      wanted = line.number!;
      accept(line);
    }
  }
  const last = lines.at(-1)?.at ?? 1;
  if (!ended) fault(last, `The file stops after line ${last}: its end is missing.`);
}

async function anyFits(positions: number[], fits: (position: number) => Promise<boolean>): Promise<boolean> {
  for (const position of positions) if (await fits(position)) return true;
  return false;
}

/** What each line's link should be after the line before it; 500 at a time. */
async function linksAfterLineBefore(lines: Line[], seed: string): Promise<string[]> {
  const links: string[] = [];
  for (let from = 0; from < lines.length; from += 500)
    links.push(
      ...(await Promise.all(
        lines
          .slice(from, from + 500)
          .map(({ body }, index) => sha256(linked(lines[from + index - 1]?.link ?? seed, body))),
      )),
    );
  return links;
}
