import { looksLikeBirthDate, numbersIn, personalDataIn } from './personal-numbers.ts';

const wordsOf = (text: string) => new Set(text.split(' '));

/** Words that are common in file numbers, planning software among them, so they don't count as names. */
const fileWords = wordsOf(
  'file client case ref job matter plan part policy soa roa smsf acct account crm trust household family estate super fund group entity xplan iress midwinter adviserlogic coin hub mr mrs ms dr',
);
/** Names as short as the code of an office or a practice's own letters. */
const shortNames = wordsOf(
  'ng wu li ho le do vo xu yu hu ma lu he al jo ed lee kim lim tan ngo cox fox roy ray guy day may gao lin luo yan sun zhu zhao tom sam bob jim joe tim ben dan ann amy eva ian leo max sue kay liz meg pat ron tony',
);

const looksLikeName = (word: string) => {
  const lower = word.toLowerCase();
  // Letters with accents or of other scripts suggest a name; so do small letters, and more than three capitals.
  if (!/^[a-z]+$/i.test(word)) return true;
  return !fileWords.has(lower) && (shortNames.has(lower) || word.length > 3 || (word.length > 1 && /[a-z]/.test(word)));
};

/** "JS1", "J.S. 1965": too few digits, or dots, for the letters to be those of a file. */
const looksLikeInitials = (text: string) => /^[a-z]{2}\W*\d{1,2}$/i.test(text) || /^(?:[a-z]\.\s*){2,}/i.test(text);

const instead = 'Please use your own file number, such as F-10234.';
const withLetter = (digits: string) => `If it is your file number, write a letter before it: F${digits}.`;

/** Why this can't be a client reference, which is a file number and never says who the client is; null where it can. */
export function clientReferenceFault(text: string): string | null {
  // Digits right after one letter are a file number, whatever they add up to.
  const [, own] = /^[a-z](\d+)$/i.exec(text) ?? [];
  const personal = own === undefined ? personalDataIn(text) : null;
  if (personal !== null)
    return /^\d+$/.test(text) && !/date|card|phone/.test(personal)
      ? `This looks like ${personal}. ${withLetter(text)}`
      : `This looks like ${personal}. ${instead}`;
  if ((text.match(/\p{L}+/gu) ?? []).some(looksLikeName)) return `This looks like a name. ${instead}`;
  if (numbersIn(text).length === 0) return `A client reference has a number in it. ${instead}`;
  if (looksLikeInitials(text)) return `This looks like somebody’s initials. ${instead}`;
  if (own === undefined && looksLikeBirthDate(text)) return `This looks like a date of birth. ${instead}`;
  if (/^[2-9]\d{3} \d{4}$/.test(text)) return `This looks like a phone number. ${instead}`;
  return /^[A-Za-z0-9 ./#_():+-]+$/.test(text)
    ? null
    : `A client reference can have only letters, digits, spaces and . / # _ ( ) : + -. ${instead}`;
}

/** What two ways of writing a client reference have in common: case, spaces and hyphens don't count. `referenceKey` in SQL is alike. */
export const keyOfReference = (text: string) => text.toLowerCase().replace(/[ -]/g, '');
