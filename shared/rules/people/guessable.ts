/** Letters that people write as a digit or sign, as in P@ssw0rd. */
const lookalikes: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};

/** Includes our own name, which a test compares with the brand's. */
const common =
  `adviserly password passwort passcode secret welcome letmein login admin administrator changeme qwerty qwertyuiop asdfgh iloveyou
  user test demo temp hello adviser advisor advice summer autumn winter spring australia sydney melbourne brisbane perth adelaide
  january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/);

/** With this many other letters, it is more than a word with a digit. */
const enoughLetters = 4;

const lettersOf = (text: string) =>
  [...text.toLowerCase()]
    .map((character) => lookalikes[character] ?? character)
    .join('')
    .replace(/[^\p{L}]/gu, '');

/**
 * Whether a password, such as `Summer2026` or `P@ssw0rd1`, is little more than these words (names, an address) or those that everybody
 * tries first: without them, and without digits and signs, fewer than four letters are left.
 */
export function isGuessable(password: string, own: readonly string[]): boolean {
  const parts = own.flatMap((text) => [text, ...text.split(/[^\p{L}]+/u)]).map(lettersOf);
  const words = [...parts, ...common].filter((word) => word.length > 2).toSorted((a, b) => b.length - a.length);
  const letters = lettersOf(password);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), letters);
  return left.length < enoughLetters && left.length < letters.length;
}

type Named = { email: string; firstName: string; lastName: string };

/** Whether this person's new password is one that anybody would try. */
export const isGuessableFor = (password: string, { email, firstName, lastName }: Partial<Named>) =>
  isGuessable(password, [firstName ?? '', lastName ?? '', email?.split('@')[0] ?? '']);
