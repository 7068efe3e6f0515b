/** Mail programs turn these into links even without `https://`. */
const address = new RegExp(
  String.raw`:\/\/|\bwww\.|@|[\p{L}\d]\.(?:com|net|org|info|biz|edu|gov|io|co|ai|app|dev|me|ly|gg|to|xyz|top|site|online|shop|store|link|click|live|club|icu|page|web|cloud|tech|finance|money|bank|au|nz|uk|us|eu|ca|de|fr|nl|in|cn|ru|br)(?![\p{L}\d])`,
  'iu',
);
/** Initials or a short title before a short name, `J.De Silva`, which only looks like one; nobody's name goes on with a path. */
const initials =
  /(?<![\p{L}\p{N}.-])(?:\p{L}\.)*(?:\p{L}\.\p{L}{2}|(?:\p{Lu}\p{L}|\p{Lu}\p{Ll}{2})\.\p{Lu}\p{L})(?![\p{L}\p{N}./:])/gu;
/** Full stops of other alphabets, and ways to write one that a reader undoes. */
const fullStops = /\s?[[(]\.[\])]\s?|[。․．｡]/gu;
/** Two words joined by a full stop: there are a thousand endings that make an address of them. */
const joined = /[\p{L}\d-]{2}\.(?:xn--|\p{L}{2,}(?![\p{L}\d]))/u;
const abbreviations = /(?<![\p{L}\d-])(?:Dr|Fr|Mr|Mrs|Ms|Mt|No|Prof|Pty|Rev|St|Ste)\.(?=\p{Lu})/gu;
/** Reverse the direction of what follows, so that a text reads as a different one. */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\p{M}\u2800]/u;

/** Why this can't be the name of a person or team, which others read in our mails; null: it can. */
export function nameFault(text: string): string | null {
  const read = text.replaceAll(fullStops, '.').replace(initials, ' ');
  if (address.test(read)) return 'Please leave out web and email addresses';
  if (joined.test(read.replaceAll(abbreviations, '')))
    return 'Please put a space after each full stop, or it reads as a web address';
  if (directions.test(text) || (text !== '' && !visible.test(text))) return 'Please use visible characters only';
  return null;
}
