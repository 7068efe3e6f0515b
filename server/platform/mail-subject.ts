/** The subject of a mail: at most 45 characters, which is what a phone's list of mails shows. Only `mailSubject` makes one. */
export type MailSubject = string & { readonly madeBy: 'mailSubject' };

export const subjectLength = 45;

/** Cut after a word, with a mark, where that leaves at least half of what would fit. */
function cutTo(name: string, length: number): string {
  if (name.length <= length) return name;
  const fits = name.slice(0, Math.max(0, length - 1)).trimEnd();
  const words = fits.slice(0, fits.lastIndexOf(' ')).trimEnd();
  const isWhole = name.charAt(fits.length) === ' ';
  return fits === '' ? '' : `${!isWhole && words.length * 2 >= fits.length ? words : fits}…`;
}

const written = (texts: readonly string[], names: readonly string[]) =>
  texts.map((text, index) => text + (names[index] ?? '')).join('');

/** Tag of a template: where the whole is too long for a subject, the longest names in it are cut. */
export function mailSubject(texts: TemplateStringsArray, ...names: string[]): MailSubject {
  const room = subjectLength - texts.join('').length;
  const lengths = names.map((name) => name.length);
  const sum = () => lengths.reduce((total, length) => total + length, 0);
  while (sum() > room && sum() > 0) lengths[lengths.indexOf(Math.max(...lengths))]! -= 1;
  return written(
    texts,
    names.map((name, index) => cutTo(name, lengths[index]!)),
  ) as MailSubject;
}

/** What a notice is called in the app, and its mail's subject. */
export type Heading = { title: string; subject: MailSubject };

/** Tag of a template: the whole as title, and what fits as subject. */
export const heading = (texts: TemplateStringsArray, ...names: string[]): Heading => ({
  title: written(texts, names),
  subject: mailSubject(texts, ...names),
});
