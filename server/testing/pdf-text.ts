import { inflateSync } from 'node:zlib';

type PdfObject = { head: string; stream: string | null };

/** The objects of a PDF as pdfkit writes them: numbered, none packed inside another, their streams deflated or plain. */
function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const end = text.indexOf('\nendobj', start);
    const opened = text.indexOf('\nstream\n', start);
    const hasStream = opened !== -1 && opened < end;
    const head = text.slice(start, hasStream ? opened : end);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const raw = pdf.subarray(opened + 8, opened + 8 + length);
    const stream = head.includes('/FlateDecode') ? inflateSync(raw) : raw;
    objects.set(match[1]!, { head, stream: hasStream ? stream.toString('latin1') : null });
  }
  return objects;
}

const fromHex = (hex: string) =>
  String.fromCharCode(...(hex.match(/[0-9a-f]{4}/gi) ?? []).map((unit) => Number.parseInt(unit, 16)));

/** Glyph to text, from a font's ToUnicode map: runs of `<first> <last> [<text> …]`. */
function glyphs(cmap: string): string[] {
  const texts: string[] = [];
  for (const [, first, , list] of cmap.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi))
    for (const [index, [, hex]] of [...list!.matchAll(/<([^>]*)>/g)].entries())
      texts[Number.parseInt(first!, 16) + index] = fromHex(hex!.replaceAll(' ', ''));
  return texts;
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string of a content stream: UTF-16 behind its mark, else a byte a character. */
function textOfString(written: string): string {
  const bytes = Buffer.from(
    written.replace(/\\(.)/gs, (_whole, letter: string) => escapes[letter] ?? letter),
    'latin1',
  );
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
  return isWide ? bytes.subarray(2).swap16().toString('utf16le') : bytes.toString('latin1');
}

/** How many letters a reader sees as boxes, because no font of the document has them. */
export const boxesIn = (pdf: Buffer): number =>
  [...objectsOf(pdf).values()]
    .flatMap(({ stream }) => [...(stream?.includes(' Tf') ? stream : '').matchAll(/<((?:[0-9a-f]{4})+)>/gi)])
    .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
    .filter((glyph) => glyph === '0000').length;

/** Where the first text sets a mark or a letter aside: right and up of its beginning, in thousandths of its size. */
export function placesIn(pdf: Buffer): [right: number, up: number][] {
  const drawn = [...objectsOf(pdf).values()].find(({ stream }) => stream?.includes(' Tf'))?.stream ?? '';
  const text = drawn.slice(0, drawn.indexOf('ET'));
  const size = Number(/\/F\d+ ([\d.]+) Tf/.exec(text)?.[1]);
  const [from, ...places] = [...text.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  const part = (point: number) => Math.round((point / size) * 1000);
  return places.map(([x, y]) => [part(x! - from![0]!), part(y! - from![1]!)]);
}

/**
 * The text a reader sees in a PDF made with pdfkit and embedded fonts: a line per piece of text, in the order written. `drawn` is that of
 * the letters alone, each font's from left to right.
 */
export function textOfPdf(pdf: Buffer, { drawn = false } = {}): string {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, string[]>();
  for (const { head } of objects.values()) {
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)?.head ?? '')?.[1];
      fonts.set(name!, glyphs(objects.get(unicode ?? '')?.stream ?? ''));
    }
  }
  const lines: string[] = [];
  let font: string[] = [];
  for (const { stream } of objects.values()) {
    if (!stream?.includes(' Tf')) continue;
    // Where the letters stand in another order, the document says what they say.
    let said = false;
    for (const [, name, shown, actual] of stream.matchAll(
      /\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]+>|[\s\d.-])*)\] TJ|\/ActualText \(((?:\\.|[^\\)])*)\)|\bEMC\b/gis,
    )) {
      if (name) font = fonts.get(name) ?? [];
      else if (actual !== undefined && !drawn) lines.push(textOfString(actual));
      if (shown === undefined) said = actual !== undefined || (said && name !== undefined);
      else if (!said || drawn) {
        const hex = [...shown.matchAll(/<([0-9a-f]+)>/gi)].map(([, part]) => part).join('');
        lines.push((hex.match(/.{4}/g) ?? []).map((glyph) => font[Number.parseInt(glyph, 16)] ?? '').join(''));
      }
    }
  }
  return lines.join('\n');
}
