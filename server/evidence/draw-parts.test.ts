import { expect, it } from 'vitest';
import { newPdf } from '#server/platform/pages/pdf-page.ts';
import { bodyWidth, inLines, pair } from './draw-parts.ts';

const style = { width: bodyWidth, size: 8.5 } as const;
const newPage = () => newPdf('Lines', { author: 'Us', createdAt: new Date(0) });

it('facts of any length break before a fact, and no line begins or ends with a dot', async () => {
  const page = await newPage();
  const lineHeight = page.height('X\nX', style) - page.height('X', style);
  for (let letters = 1; letters < 90; letters += 1) {
    const facts = ['Grace Taylor (8bd95a9d)', 'File note (from the tool)', 'i'.repeat(letters), 'version 2026.11'];
    const lines = inLines(page, facts, style).split('\n');
    for (const line of lines) expect(line).not.toMatch(/^ ?·|· ?$/);
    // What is written has no other break than these.
    expect([letters, Math.round(page.height(lines.join('\n'), style) / lineHeight)]).toEqual([letters, lines.length]);
  }
});

it('a label and what stands for it begin a page together', async () => {
  const page = await newPage();
  const value = 'word '.repeat(120);
  const height = page.height(value, { width: bodyWidth, size: 9.5 });
  expect(pair(page, 760, 'Label', value)).toBeLessThan(48 + height + 10);
});
