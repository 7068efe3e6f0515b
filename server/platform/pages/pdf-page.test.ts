import { describe, expect, it } from 'vitest';
import { boxesIn, placesIn, textOfPdf } from '#server/testing/pdf-text.ts';
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
    ['Greek with breathings', 'Ἀθηνᾶ Ῥοδία'],
    ['Cyrillic', 'Щербакова Ёлка'],
    ['Kazakh (PrestaShop#9817)', 'Қазақстан Өскемен'],
    ['Mongolian in Cyrillic beside English', 'Мөнхтүүл Ganbold & Co'],
    ['Arabic (invoiceninja#10248)', 'شركة النور للاستشارات'],
    ['Persian with a joiner', 'علی\u200Cرضا ۱۲'],
    ['Hebrew with brackets', 'שרה לוי (בע״מ)'],
    ['Devanagari', 'राजेश कुमार श्रीवास्तव'],
    ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
    ['Tamil', 'முத்துக்குமார் சுப்பிரமணியன்'],
    ['Sinhala', 'ශ්‍රීමත් චන්ද්‍රිකා'],
    ['Thai', 'สมชาย ศรีสุวรรณ'],
    ['Thai with a tone on a circle', 'น้ำทิพย์'],
    ['Gurmukhi with every kind of vowel', 'ਹਰਜੀਤ ਕੌਰ ਢਿੱਲੋਂ ਬਿੱਟੂ ਪੂਜਾ ਮੈਂ ਖ਼ਾਨ'],
    ['Chinese (InvoiceShelf#438)', '王小明'],
    ['traditional Chinese', '陳大文 鬱'],
    ['Japanese', '山田 太郎 さくらー'],
    ['Japanese letters that only Japan uses', '辻 畠山 髙橋 﨑 々 ㈱'],
    ['Japanese in half width', 'ﾔﾏﾀﾞ ﾀﾛｳ'],
    ['Korean (tutanota#7075)', '김민수 뷁'],
    ['emoji, a flag and a family', 'Kim 😀👩\u200D👧🇦🇺❤\uFE0F Lee'],
    ['several scripts in a line', 'Mixed: شركة Pty Ltd (王小明) & Σ'],
    ['full-width letters and signs', 'Ｔｏｋｙｏ「株」、〒'],
  ])('%s', async (_script, name) => {
    const pdf = await documentOf(name);
    expect(textOfPdf(pdf).split('\n')[0]).toBe(name);
    expect(boxesIn(pdf)).toBe(0);
  });

  it('every letter of Latin, Greek and Cyrillic that a word is written with', async () => {
    const letters = Array.from({ length: 0x2000 }, (_, code) => String.fromCodePoint(code)).filter((letter) =>
      /(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter),
    );
    // Letters of old manuscripts and of phonetics are in no name.
    const words = letters.filter((letter) => !/[\u1C80-\u1C8A\u1D00-\u1DBF]/.test(letter));
    expect(boxesIn(await documentOf(...words))).toBe(0);
    expect(boxesIn(await documentOf(`Ө${words.join('')}`))).toBe(0);
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

/** Recorded from HarfBuzz 1.6.4 of the Noto fonts; a mark with no place of its own stands where it is drawn. */
describe('a mark stands where HarfBuzz puts it', () => {
  it.each<[string, string, [number, number][]]>([
    ['Gurmukhi, after a letter that has no place for one (foliojs/fontkit#367)', 'ਮੰਟੂ', [[1193, 0]]],
    ['Gurmukhi, after a vowel in front', 'ਮਿੰਟੂ', [[1452, 0]]],
    ['Thai, a tone on the circle of a vowel (bpampuch/pdfmake#2677)', 'น้ำ', [[584, 0]]],
    [
      'Arabic, a vowel on a doubled letter',
      'مُحَمَّد',
      [
        [652, 104],
        [660, -96],
        [1104, -106],
        [1877, -100],
      ],
    ],
  ])('%s', async (_script, name, places) => {
    expect(placesIn(await documentOf(name))).toEqual(expect.arrayContaining(places));
  });
});

describe('a character that China, Japan and Korea draw differently', () => {
  const fontsOf = (text: string) =>
    new Set(
      linesOf(text, 1000, () => 1).flatMap(({ pieces }) =>
        pieces.map(({ file }) => /noto-sans-(\w+)\//.exec(file!)?.[1]),
      ),
    );
  it.each([
    ['is drawn as in Japan beside kana (excalidraw/excalidraw#8675)', '直美さくら', 'jp'],
    ['is drawn as in Japan beside katakana of half width', '直ﾅｵ', 'jp'],
    ['is drawn as in Korea beside Hangul', '김直', 'kr'],
    ['is drawn as in China where it stands alone (documenso/documenso#2728)', '直骨', 'sc'],
  ])('%s', (_form, text, font) => expect([...fontsOf(text)]).toEqual([font]));
});

describe('letters stand as they are read', () => {
  it.each([
    ['Arabic’s own, in an address (Hopding/pdf-lib#1450)', 'شارع ١٢', '١٢'],
    ['Persian’s, alone', '۱۳۹۸', '۱۳۹۸'],
    ['with a sign of thousands', 'مبلغ ١٬٢٣٤', '١٬٢٣٤'],
  ])('numbers from the left, whatever their script: %s', async (_whose, text, number) => {
    expect(textOfPdf(await documentOf(text), { drawn: true }).split('\n')).toContain(number);
  });

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
