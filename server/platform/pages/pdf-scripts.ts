import fs from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import bidiFactory from 'bidi-js';

/** The scripts of Australia's names that Inter lacks, and letters that ours lacks of others: a package of the Noto fonts for each. */
const alphabets = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-gurmukhi',
  'noto-sans-tamil',
  'noto-sans-sinhala',
  'noto-sans-thai',
  'noto-emoji',
] as const;

/**
 * One code point stands for forms of a character that Chinese, Japanese and Korean draw differently (Han unification). The letters beside
 * it say whose form is meant; a name of nothing else gets the Chinese one, as most such names in Australia are.
 */
const unified = [
  ['noto-sans-jp', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['noto-sans-kr', /\p{Script=Hangul}/u],
  ['noto-sans-sc', /^/],
] as const;

type Package = (typeof alphabets)[number] | (typeof unified)[number][0];

/** The packages that may draw a text; the first that has a letter draws it. */
function packagesFor(text: string): Package[] {
  const [own] = unified.find(([, sign]) => sign.test(text))!;
  const others = unified.map(([name]) => name).filter((name) => name !== own);
  return [...alphabets, own, ...others.toReversed()];
}

type Range = { from: number; to: number; file: string };

const { resolve } = createRequire(import.meta.url);

/** Which file draws what: a package has its letters in one file, or in a hundred small ones, of which a document gets those it needs. */
function rangesOf(name: Package): Range[] {
  const subsets = JSON.parse(fs.readFileSync(resolve(`@fontsource/${name}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  // A range may name letters that stand in the smaller file alone.
  const isMore = ([subset]: [string, string]) => Number(subset.endsWith('-ext'));
  return Object.entries(subsets)
    .toSorted((one, other) => isMore(one) - isMore(other))
    .filter(([subset]) => name === 'noto-sans' || subset.startsWith('[') || name.endsWith(subset))
    .flatMap(([subset, ranges]) => {
      const file = `@fontsource/${name}/files/${name}-${subset.replace(/[[\]]/g, '')}-400-normal.woff`;
      return ranges.split(',').map((range) => {
        const [from = '', to = from] = range.replace('U+', '').split('-');
        return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), file };
      });
    });
}

/**
 * A WOFF file as the TrueType font that it packs, table by table (W3C, WOFF 1.0). fontkit reads WOFF too, but its inflate fails at some
 * of these files.
 */
export function unpackFont(file: string): Buffer {
  const woff = fs.readFileSync(file);
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const tables: Buffer[] = [head];
  let offset = head.length;
  for (let at = 0; at < count; at += 1) {
    const [from, packed, length, sum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(44 + 20 * at + field)) as [
      number,
      number,
      number,
      number,
    ];
    const raw = woff.subarray(from, from + packed);
    const table = packed < length ? inflateSync(raw) : raw;
    woff.copy(head, 12 + 16 * at, 44 + 20 * at, 48 + 20 * at);
    [sum, offset, length].forEach((value, field) => head.writeUInt32BE(value, 16 + 16 * at + 4 * field));
    tables.push(table, Buffer.alloc(-length & 3));
    offset += (length + 3) & ~3;
  }
  return Buffer.concat(tables);
}

const known = new Map<Package, Range[]>();
let bidi: ReturnType<typeof bidiFactory> | undefined;

const european = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** Those that our Inter lacks, such as Kazakh’s and Mongolian’s. A text with one is drawn without Inter's letters, so that no word is of two fonts. */
const beyondInter =
  /[\u0149\u01C4\u0255\u027C\u027D\u0285\u0291\u02A5\u0370-\u0373\u0377\u03D8-\u03DB\u03DE-\u03E1\u03F7\u03F8\u03FB\u0460-\u0481\u048A-\u048F\u0492-\u04AF\u04B2-\u052F\u1E9C\u1F00-\u1FFF]/;
const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** Whether Inter draws the character; blanks and signs that several scripts share are its own. */
function isInters(letter: string): boolean {
  const code = letter.codePointAt(0)!;
  if (code >= 0x2190 || beyondInter.test(letter)) return false;
  return european.test(letter) || (shared.test(letter) && (code < 0x590 || code >= 0x2000));
}

/** Whether a text can be left to pdfkit: Inter has all of it, and nothing in it runs from right to left. */
export const isPlain = (text: string) => [...text].every(isInters);

/** The font file of a letter. */
function fileOf(letter: string, packages: readonly Package[]): string | null {
  const code = letter.codePointAt(0)!;
  for (const name of packages) {
    if (!known.has(name)) known.set(name, rangesOf(name));
    const range = known.get(name)!.find(({ from, to }) => from <= code && code <= to);
    if (range) return resolve(range.file);
  }
  return null;
}

/** Letters in a row of one font and one direction, or the blanks between words. `file` null is Inter. */
export type Piece = { text: string; file: string | null };
type Cluster = Piece & { level: number; isBlank: boolean };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What is seen as one character, with its font and its level: even levels run from left to right, odd ones from right to left. */
function clustersOf(text: string): Cluster[] {
  bidi ??= bidiFactory();
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr');
  const packages = packagesFor(text);
  const isMixed = beyondInter.test(text);
  const isOurs = (letter: string) => isInters(letter) && !(isMixed && european.test(letter));
  const fontOf = (letters: string) => {
    const letter = [...letters].find((one) => !isOurs(one));
    return letter === undefined ? null : fileOf(letter, packages);
  };
  return [...graphemes.segment(text)].flatMap(({ segment, index }) => {
    // A package may keep a letter and the mark on it in two files.
    const isOneFont = new Set([...segment].filter((letter) => !isOurs(letter)).map(fontOf)).size <= 1;
    return (isOneFont ? [segment] : [...segment]).map((part) => ({
      text: part,
      file: fontOf(part),
      level: levels[index] ?? 0,
      isBlank: /^\s+$/.test(part),
    }));
  });
}

/** Joins neighbours that are drawn together; in a script from right to left, the font itself turns the letters of a word around. */
function joined(clusters: readonly Cluster[]): Cluster[] {
  const pieces: Cluster[] = [];
  for (const cluster of clusters) {
    const last = pieces.at(-1);
    const isTurned = cluster.level % 2 === 1 && cluster.file === null;
    const fits = last?.file === cluster.file && last.level === cluster.level && last.isBlank === cluster.isBlank;
    if (last && fits && !isTurned) last.text += cluster.text;
    else pieces.push({ ...cluster, text: (isTurned && bidi?.getMirroredCharacter(cluster.text)) || cluster.text });
  }
  return pieces;
}

/** The order that a font expects, which fontkit leaves to its caller: Thai's circle below the tone, Arabic's doubling below the vowel. */
const forFont = (text: string) =>
  text.replace(/([\u0E48-\u0E4B])\u0E33/g, '\u0E4D$1\u0E32').replace(/([\u064B-\u0650\u0652]+)\u0651/g, '\u0651$1');

/** A font of a script from right to left turns all of its letters around, also numbers, which run from left to right. */
const forItsFont = ({ text, file, level }: Cluster) =>
  forFont(level % 2 === 0 && /noto-sans-(arabic|hebrew)/.test(file!) ? [...text].toReversed().join('') : text);

/** The pieces of a line from left to right (Unicode's rule L2), each as its font reads it. */
function inOrder(pieces: Cluster[]): Piece[] {
  const order = [...pieces];
  for (let level = Math.max(0, ...pieces.map((piece) => piece.level)); level > 0; level -= 1) {
    for (let from = 0; from < order.length; from += 1) {
      let to = from;
      while (to < order.length && order[to]!.level >= level) to += 1;
      order.splice(from, to - from, ...order.slice(from, to).toReversed());
      from = Math.max(from, to);
    }
  }
  return order.map((piece) => ({ text: piece.file === null ? piece.text : forItsFont(piece), file: piece.file }));
}

/** Where a line may end: after a blank, and between letters of scripts that are written without. */
const mayEnd = ({ isBlank, file }: Cluster) => isBlank || (file !== null && /noto-sans-(jp|kr|sc)/.test(file));

export type Line = { text: string; pieces: Piece[]; width: number };

/** A paragraph in parts that stay together, each with its blank: words, and letters of scripts that are written without blanks. */
function wordsOf(paragraph: string): Cluster[][] {
  const words: Cluster[][] = [[]];
  for (const cluster of clustersOf(paragraph)) {
    const last = words.at(-1)!;
    if (last.length > 0 && !cluster.isBlank && mayEnd(last.at(-1)!)) words.push([cluster]);
    else last.push(cluster);
  }
  return words;
}

const withoutEnd = (line: Cluster[]) => line.slice(0, line.findLastIndex(({ isBlank }) => !isBlank) + 1);

/** Breaks a text into lines of at most `width`, each with its pieces from left to right. A word that is too long is broken inside. */
export function linesOf(text: string, width: number, measure: (piece: Piece) => number): Line[] {
  const widthOf = (clusters: Cluster[]) => joined(withoutEnd(clusters)).reduce((sum, piece) => sum + measure(piece), 0);
  const lines = text.split('\n').flatMap((paragraph) => {
    const broken: Cluster[][] = [[]];
    const add = (part: Cluster[]) => {
      const line = broken.at(-1)!;
      if (line.length === 0 || widthOf([...line, ...part]) <= width) line.push(...part);
      else broken.push([...part]);
    };
    for (const word of wordsOf(paragraph)) {
      if (widthOf(word) <= width) add(word);
      else word.forEach((cluster) => add([cluster]));
    }
    return broken;
  });
  return lines.map((line) => ({
    text: line.map((cluster) => cluster.text).join(''),
    pieces: inOrder(joined(withoutEnd(line))),
    width: widthOf(line),
  }));
}
