/** Words that are common in file numbers, so they don't count as names. */
const fileWords = new Set([
  'file',
  'client',
  'case',
  'ref',
  'job',
  'matter',
  'plan',
  'soa',
  'roa',
  'smsf',
  'acct',
  'account',
  'crm',
]);

const looksLikeName = (word: string) =>
  // Letters with accents or of other scripts suggest a name; three capitals may be initials or the code of an office.
  !/^[a-z]+$/i.test(word) || (!fileWords.has(word.toLowerCase()) && (word.length > 3 || /[a-z]{2}/.test(word)));

const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

const isTaxFileNumber = (digits: string) =>
  digits.length === 9 && weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
const isMedicareNumber = (digits: string) =>
  /^[2-6]\d{9,10}$/.test(digits) && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]);
const isPhone = (digits: string) => /^(?:61|0)[2-478]\d{8}$/.test(digits) || /^1[38]00\d{6}$/.test(digits);
const isDate = (text: string) => /(?:^|\D)\d{1,2}[./ -]\d{1,2}[./ -](?:19|20)\d\d(?:\D|$)/.test(text);

const instead = 'Please use your own file number, such as F-10234.';

/** Why this can't be a client reference, which is a file number and never says who the client is; null where it can. */
export function clientReferenceFault(text: string): string | null {
  if (text.includes('@')) return `This looks like an email address. ${instead}`;
  if ((text.match(/\p{L}+/gu) ?? []).some(looksLikeName)) return `This looks like a name. ${instead}`;
  const numbers = text.replace(/(?<=\d)[ ().–-]+(?=\d)/g, '').match(/\d+/g) ?? [];
  if (numbers.length === 0) return `A client reference has a number in it. ${instead}`;
  if (isDate(text)) return `This looks like a date of birth. ${instead}`;
  if (numbers.some(isTaxFileNumber)) return `This looks like a tax file number. ${instead}`;
  if (numbers.some(isMedicareNumber)) return `This looks like a Medicare number. ${instead}`;
  if (numbers.some(isPhone)) return `This looks like a phone number. ${instead}`;
  return /^[A-Za-z0-9 ./#_()+-]+$/.test(text)
    ? null
    : `Only letters, digits, spaces and . / # _ ( ) + - can stand here. ${instead}`;
}
