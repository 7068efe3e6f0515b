const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

export const isTaxFileNumber = (digits: string) =>
  digits.length === 9 && weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
export const isMedicareNumber = (digits: string) =>
  /^[2-6]\d{9,10}$/.test(digits) && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]);
const isPhone = (digits: string) => /^(?:61|0)[2-478]\d{8}$/.test(digits) || /^1[38]00\d{6}$/.test(digits);
/** Payment cards have 13 to 19 digits and end with a check digit (Luhn). */
const isCard = (digits: string) =>
  /^[2-6]\d{12,18}$/.test(digits) &&
  [...digits].reduceRight((sum, digit, i) => {
    const twice = (digits.length - 1 - i) % 2 === 1;
    const value = Number(digit) * (twice ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;

const isDay = (day: string, month: string) =>
  Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12;
/** A year in which a client may have been born; later ones are those of work. Two digits are of the last century from 26 on. */
const isBirthYear = (year: string) =>
  year.length === 2 ? Number(year) >= 26 || Number(year) <= 10 : Number(year) >= 1900 && Number(year) <= 2015;

const dates = [
  /(?<!\d)(?<d>\d{1,2})[./ -](?<m>\d{1,2})[./ -](?<y>\d{4})(?!\d)/g,
  /(?<!\d)(?<y>\d{4})[./ -](?<m>\d{1,2})[./ -](?<d>\d{1,2})(?!\d)/g,
  /(?<!\d)(?<d>\d{1,2})[/-](?<m>\d{1,2})[/-](?<y>\d{2})(?!\d)/g,
  /(?<!\d)(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})(?!\d)/g,
  /(?<!\d)(?<d>\d{2})(?<m>\d{2})(?<y>\d{4})(?!\d)/g,
];
/** Dates that are versions or amounts in running text, but not in a client reference. */
const shortDates = [
  /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{2})$/g,
  /(?<![\dA-Za-z])(?<d>\d{2})(?<m>\d{2})(?<y>\d{2})(?!\d)/g,
];
const hasBirthDate = (text: string, forms: readonly RegExp[]) =>
  forms.some((form) =>
    [...text.matchAll(form)].some(({ groups = {} }) => isDay(groups['d']!, groups['m']!) && isBirthYear(groups['y']!)),
  );
export const looksLikeBirthDate = (text: string) => hasBirthDate(text, [...dates, ...shortDates]);

const words: Record<string, string> = {
  tfn: 'a tax file number',
  crn: 'a Centrelink number',
  bsb: 'a bank account',
  dob: 'a date of birth',
  dl: 'a licence number',
};
const named = new RegExp(
  `\\b(${Object.keys(words).join('|')})\\b[\\s:.#-]*(?:no\\b\\.?|is\\b|number\\b)?[\\s:.#-]*\\d`,
  'i',
);

/** The numbers of a text, each without what stands between its digits. */
export const numbersIn = (text: string): string[] => text.replace(/(?<=\d)[ ().–-]+(?=\d)/g, '').match(/\d+/g) ?? [];

/** What of somebody's a text holds: a number, an address or a date of birth; null where it holds none. It does not look for names. */
export function personalDataIn(text: string): string | null {
  if (/[^\s@]+@[^\s@]+/.test(text)) return 'an email address';
  const word = named.exec(text)?.[1]?.toLowerCase();
  if (word !== undefined) return words[word]!;
  if (/(?<!\d)\d{3}[ -]?\d{3}[ -]?\d{3}[ -]?[A-Z](?![A-Za-z\d])/i.test(text)) return 'a Centrelink number';
  if (/(?<!\d)\d{3}-\d{3}[ ,]+\d{5,9}(?!\d)/.test(text)) return 'a bank account';
  if (hasBirthDate(text, dates)) return 'a date of birth';
  for (const digits of numbersIn(text)) {
    if (isTaxFileNumber(digits)) return 'a tax file number';
    if (isMedicareNumber(digits)) return 'a Medicare number';
    if (isPhone(digits)) return 'a phone number';
    if (isCard(digits)) return 'a card number';
  }
  return null;
}
