import { describe, expect, it } from 'vitest';
import { boxesIn, textOfPdf } from '#server/testing/pdf-text.ts';
import { margin, newPdf } from './pdf-page.ts';
import { linesOf } from './pdf-scripts.ts';

/** A document with these texts, each in a narrow column. */
async function documentOf(...texts: string[]): Promise<Buffer> {
  const page = await newPdf('Names', { author: 'Seller', createdAt: new Date(0) });
  let y = margin;
  for (const text of texts) y += page.write(text, margin, y, { width: 240 });
  return Buffer.from(await page.finish('Footer'));
}

describe('a document shows and says', () => {
  it.each([
    ['Latin with Vietnamese marks', 'Nguyễn Thị Đặng Hương'],
    ['Greek', 'Σωκράτης Παπαδόπουλος'],
    ['Cyrillic', 'Щербакова Ёлка'],
    ['Arabic (invoiceninja#10248)', 'شركة النور للاستشارات'],
    ['Persian with a joiner', 'علی\u200Cرضا ۱۲'],
    ['Hebrew with brackets', 'שרה לוי (בע״מ)'],
    ['Devanagari', 'राजेश कुमार श्रीवास्तव'],
    ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
    ['Tamil', 'முத்துக்குமார் சுப்பிரமணியன்'],
    ['Sinhala', 'ශ්‍රීමත් චන්ද්‍රිකා'],
    ['Thai', 'สมชาย ศรีสุวรรณ'],
    ['Chinese (InvoiceShelf#438)', '王小明'],
    ['traditional Chinese', '陳大文 鬱'],
    ['Japanese', '山田 太郎 さくらー'],
    ['Korean (tutanota#7075)', '김민수 뷁'],
    ['emoji, a flag and a family', 'Kim 😀👩\u200D👧🇦🇺❤\uFE0F Lee'],
    ['several scripts in a line', 'Mixed: شركة Pty Ltd (王小明) & Σ'],
    ['full-width letters and signs', 'Ｔｏｋｙｏ「株」、〒'],
  ])('%s', async (_script, name) => {
    const pdf = await documentOf(name);
    expect(textOfPdf(pdf).split('\n')[0]).toBe(name);
    expect(boxesIn(pdf)).toBe(0);
  });

  it('a box for a letter that no font has, which the test would notice', async () => {
    expect(boxesIn(await documentOf('\u{1F8B0}ꦲ'))).toBeGreaterThan(0);
  });

  it('a long name in lines, and loses nothing', async () => {
    const long = '王小明理财规划咨询有限公司'.repeat(6);
    expect(
      textOfPdf(await documentOf(long))
        .split('\n')
        .slice(0, -1)
        .join(''),
    ).toBe(long);
    const words = 'شركة النور للاستشارات المالية '.repeat(8).trim();
    expect(
      textOfPdf(await documentOf(words))
        .split('\n')
        .slice(0, -1)
        .join(''),
    ).toBe(words);
  });
});

describe('letters stand as they are read', () => {
  const drawn = (text: string, width = 1000) =>
    linesOf(text, width, (piece) => 10 * [...piece.text].length).map(({ pieces }) =>
      pieces.map((piece) => piece.text).join('|'),
    );
  it.each([
    ['words of a right-to-left script from the right', 'אב גד', ['גד| |אב']],
    ['numbers in them from the left', 'אב 12 גד', ['גד| |12| |אב']],
    ['brackets turned around', 'אב (גד)', ['(|גד|)| |אב']],
    ['a name in an English line', 'For אב גד now', ['For| |גד| |אב| |now']],
    ['lines in their order', 'אב גד הו', ['גד| |אב', 'הו']],
  ])('%s', (_what, text, lines) => expect(drawn(text, lines.length > 1 ? 55 : 1000)).toEqual(lines));
});
