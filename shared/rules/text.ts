/**
 * Nobody sees these, and each makes another text of one that looks the same: marks of width, of direction and of byte order, soft
 * hyphens. The two joiners stay, since Persian, Indian scripts and emoji are written with them; so do the two overrides of direction,
 * which nobody types by accident, for names to refuse.
 */
const invisible = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202C\u2060-\u2064\u2066-\u206F\uFEFF]/g;
const hyphens = /[\u2010\u2011\u2212\uFE58\uFE63\uFF0D]/g;
const blanks = /\p{Zs}+/gu;

/** One line as it is judged, kept and compared: composed, without invisible characters, with plain hyphens and single blanks. */
export const cleanLine = (text: string) =>
  text.normalize('NFC').replace(invisible, '').replace(hyphens, '-').replace(blanks, ' ').trim();

/** Text of several lines, whose blanks may be meant. */
export const cleanText = (text: string) =>
  text
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/\p{Zs}/gu, ' ')
    .trim();

/** What is read letter by letter (a number, a code, an address): also with full-width letters and digits as plain ones. */
export const cleanCode = (text: string) => cleanLine(text.normalize('NFKC').replace(/[\u202D\u202E]/g, ''));

/** A whole number as somebody typed it; NaN where it is none, which the schema of the number then refuses in its own words. */
export const typedWhole = (text: string) => (/^\d+$/.test(cleanCode(text)) ? Number(cleanCode(text)) : Number.NaN);

/** Letters that are no plain letter with an accent, as somebody types them who has no key for them. */
const typedAs = new Map(
  ['ø o', 'đ d', 'ł l', 'ı i', 'ð d', 'ħ h', 'ς σ', 'ß ss', 'æ ae', 'œ oe'].map(
    (pair) => pair.split(' ') as [string, string],
  ),
);

/**
 * Text as searches in the browser compare it: without accents, apostrophes, invisible characters, case and forms, in whatever way it was
 * typed. PostgreSQL's twin is `searchable.sql`.
 */
export const searchable = (text: string) =>
  cleanLine(text.normalize('NFKC'))
    .normalize('NFD')
    .replace(
      /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670'`\u00B4\u02B9\u02BB\u02BC\u2018\u2019\u201B\u2032\u200C-\u200D]/g,
      '',
    )
    .toLowerCase()
    .replace(/[øđłıðħςßæœ]/g, (letter) => typedAs.get(letter)!);
