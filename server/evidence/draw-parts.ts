import { businessZone, formatsByZone } from '#shared/rules/dates.ts';
import { ink, innerWidth, margin, type PdfPage } from '#server/platform/pages/pdf-page.ts';

const formatIn = formatsByZone('en-AU', {
  timeZoneName: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
/** An instant with its zone. */
export const at = (date: Date, zone: string = businessZone) => formatIn(date, zone);

/** Room for the longest time with its zone in one line. */
export const asideWidth = 122;
export const bodyX = margin + asideWidth + 10;
export const bodyWidth = innerWidth - asideWidth - 10;
export const small = { size: 8, color: ink.muted } as const;

/** A heading, with room for what follows it. */
export function title(page: PdfPage, start: number, text: string, needed = 100): number {
  const y = page.makeRoom(start + 8, needed);
  // At the top of a page, a rule would part it from nothing.
  const isTop = y < start;
  if (!isTop) page.rule(y);
  const top = isTop ? y : y + 12;
  return top + page.write(text, margin, top, { tag: 'H2', bold: true, size: 13 }) + 6;
}

/** A sentence between other things. */
export function paragraph(page: PdfPage, start: number, text: string): number {
  const y = page.makeRoom(start, page.height(text));
  return y + page.write(text, margin, y) + 8;
}

/** A label, and what stands for it. */
export function pair(page: PdfPage, start: number, label: string, value: string, size = 9.5): number {
  const y = page.makeRoom(start, pairHeight(page, label, value, size));
  const aside = page.write(label, margin, y, { ...small, width: asideWidth });
  return y + Math.max(aside, page.write(value, bodyX, y, { width: bodyWidth, size })) + 5;
}
export const pairHeight = (page: PdfPage, label: string, value: string, size = 9.5): number =>
  Math.max(page.height(label, { ...small, width: asideWidth }), page.height(value, { width: bodyWidth, size })) + 5;

type Facts = readonly [what: string, ...others: string[]];

/** What happened at a time: what it is about, other facts, and what was said. */
export function entry(page: PdfPage, start: number, when: string, [what, ...others]: Facts, text: string): number {
  const [bold, plain] = [{ bold: true, width: bodyWidth }, { width: bodyWidth }];
  const texts = [...(others.length > 0 ? [inLines(page, others, plain)] : []), text];
  const height = texts.reduce((sum, one) => sum + page.height(one, plain) + 1, page.height(what, bold) + 1);
  let y = page.makeRoom(start, height);
  page.write(when, margin, y, { ...small, width: asideWidth });
  y += page.write(what, bodyX, y, bold) + 1;
  for (const one of texts) y += page.write(one, bodyX, y, plain) + 1;
  return y + 7;
}

/** Facts with dots between them. A line breaks before a fact, and has no dot at either end. */
export function inLines(
  page: PdfPage,
  facts: readonly string[],
  style: { width: number; size?: number; bold?: boolean },
): string {
  // The break at the end of a line takes some room, too.
  const narrower = { ...style, width: style.width - 8 };
  const oneLine = page.height('X', style) * 1.5;
  const lines: string[] = [];
  for (const fact of facts) {
    const longer = lines.length === 0 ? fact : `${lines.at(-1)} · ${fact}`;
    if (lines.length > 0 && page.height(longer, narrower) > oneLine) lines.push(fact);
    else lines.splice(-1, 1, longer);
  }
  return lines.join('\n');
}
