import { createRequire } from 'node:module';
import { isPlain, type Line, linesOf, type Piece, unpackFont } from './pdf-scripts.ts';

/** A4 in points, with its margins. */
const pageWidth = 595.28;
const pageBottom = 841.89 - 64;
export const margin = 48;
export const innerWidth = pageWidth - 2 * margin;

export const ink = { text: '#16202a', muted: '#55616d', rule: '#d4d9de', accent: '#0f5f5c' } as const;

const fontFile = (name: string) => createRequire(import.meta.url).resolve(`#server/platform/fonts/${name}.ttf`);

type Style = {
  width?: number;
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
  /** Its role for screen readers. */
  tag?: 'H1' | 'H2' | 'P';
};

export type PdfPage = {
  /** Writes at a position; returns the height of the text, in points. */
  write(text: string, x: number, y: number, style?: Style): number;
  height(text: string, style?: Style): number;
  rule(y: number): void;
  /** A bar of that height that points out what stands to the right of it. */
  bar(x: number, y: number, height: number): void;
  /** Where to go on: at this y, or at the top of a new page if `needed` points don't fit. */
  makeRoom(y: number, needed: number): number;
  finish(footer: string): Promise<Uint8Array>;
};

/** Inter's height above the baseline, as a part of its size. */
const ascent = 0.96875;
const lineGap = 2;

type Placer = { applyLookup(type: number, table: object): boolean };
type WithPlacer = { _font: { font: { _layoutEngine: { engine: { GPOSProcessor: Placer | null } | null } } } };

/**
 * fontkit, which shapes for pdfkit, fails at a mark for which a letter has no anchor (Gurmukhi's vowels on some consonants). OpenType has
 * this lookup not apply, and the next one is tried. The font is the one that is set.
 */
function tryNextAnchor(doc: PDFKit.PDFDocument): void {
  const placer = (doc as unknown as WithPlacer)._font.font._layoutEngine.engine?.GPOSProcessor;
  if (!placer) return;
  const apply = placer.applyLookup.bind(placer);
  placer.applyLookup = (type, table) => {
    try {
      return apply(type, table);
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  };
}

/** Writes lines of several fonts on Inter's baselines, with what they say, since the letters may stand in another order. */
function writeLines(doc: PDFKit.PDFDocument, fontOf: (piece: Piece) => string, drawn: Drawn): void {
  const { lines, x, y, width, size, align, lineHeight } = drawn;
  for (const [index, line] of lines.entries()) {
    const baseline = y + index * lineHeight + ascent * size;
    let at = align === 'right' ? x + width - line.width : x;
    doc.markContent('Span', { actual: line.text });
    for (const piece of line.pieces) {
      doc.font(fontOf(piece)).text(piece.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
      at += doc.widthOfString(piece.text);
    }
    doc.endMarkedContent();
  }
}
type Drawn = {
  lines: readonly Line[];
  x: number;
  y: number;
  width: number;
  size: number;
  align: 'left' | 'right';
  lineHeight: number;
};

/** One document in Inter, with other fonts for the scripts that Inter lacks, tagged for screen readers. pdfkit is loaded with the first one. */
export async function newPdf(title: string, about: { author: string; createdAt: Date }): Promise<PdfPage> {
  const { default: PDFDocument } = await import('pdfkit');
  // Fonts go by their files: under a registered name, pdfkit would read the default font anew each time.
  const [regular, semibold] = [fontFile('inter-regular'), fontFile('inter-semibold')];
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-AU',
    displayTitle: true,
    tagged: true,
    font: regular,
    info: { Title: title, Author: about.author, CreationDate: about.createdAt, ModDate: about.createdAt },
  });
  const chunks: Buffer[] = [];
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  const root = doc.struct('Document');
  doc.addStructure(root);

  const set = ({ size = 9.5, bold = false, color = ink.text }: Style) =>
    doc
      .font(bold ? semibold : regular)
      .fontSize(size)
      .fillColor(color);
  const options = ({ width = innerWidth, align = 'left' }: Style) => ({ width, align, lineGap });
  const registered = new Set<string>();
  const unpacked = (file: string) => {
    if (!registered.has(file)) tryNextAnchor(doc.registerFont(file, unpackFont(file)).font(file));
    registered.add(file);
    return file;
  };
  /** A text that Inter can't draw alone, in lines. */
  const laidOut = (text: string, { width = innerWidth, size = 9.5, align = 'left', ...style }: Style) => {
    set({ size, ...style });
    const lineHeight = doc.currentLineHeight(true) + lineGap;
    const fontOf = ({ file }: Piece) => (file === null ? (style.bold ? semibold : regular) : unpacked(file));
    const lines = linesOf(text, width, (piece) => doc.font(fontOf(piece)).widthOfString(piece.text));
    const draw = (x: number, y: number) => writeLines(doc, fontOf, { lines, x, y, width, size, align, lineHeight });
    return { draw, height: lines.length * lineHeight };
  };
  const decoration = (draw: () => void) => {
    doc.markContent('Artifact', { type: 'Layout' });
    draw();
    doc.endMarkedContent();
  };

  const page: PdfPage = {
    height: (text, style = {}) =>
      isPlain(text) ? set(style).heightOfString(text, options(style)) : laidOut(text, style).height,
    write: (text, x, y, style = {}) => {
      if (!isPlain(text)) {
        const { draw, height } = laidOut(text, style);
        root.add(doc.struct(style.tag ?? 'P', { actual: text }, () => draw(x, y)));
        return height;
      }
      root.add(doc.struct(style.tag ?? 'P', {}, () => void set(style).text(text, x, y, options(style))));
      return doc.y - y;
    },
    rule: (y) =>
      decoration(() => {
        doc
          .moveTo(margin, y)
          .lineTo(margin + innerWidth, y)
          .lineWidth(0.75)
          .strokeColor(ink.rule)
          .stroke();
      }),
    bar: (x, y, height) =>
      decoration(() => {
        doc
          .moveTo(x, y)
          .lineTo(x, y + height)
          .lineWidth(2.5)
          .strokeColor(ink.text)
          .stroke();
      }),
    makeRoom: (y, needed) => {
      if (y + needed <= pageBottom) return y;
      doc.addPage();
      return margin;
    },
    finish: (footer) => {
      root.end();
      const { start, count } = doc.bufferedPageRange();
      for (let index = start; index < start + count; index += 1) {
        doc.switchToPage(index);
        doc.page.margins.bottom = 0; // otherwise the footer would start another page
        const text = count > 1 ? `${footer} · Page ${index - start + 1} of ${count}` : footer;
        decoration(
          () => void set({ size: 8, color: ink.muted }).text(text, margin, pageBottom + 20, { width: innerWidth }),
        );
      }
      doc.end();
      return whole;
    },
  };
  return page;
}
