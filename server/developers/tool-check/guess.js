// @ts-check
import { createHash } from 'node:crypto';
import { unescaped } from './cookies.js';

/** @param {string} value */
const readable = (value) => {
  const plain = unescaped(value);
  return [plain, Buffer.from(plain, 'base64').toString('utf8')];
};

/** @param {string[]} values */
function differing(values) {
  const [first = ''] = values;
  let [from, to] = [0, 0];
  const least = Math.min(...values.map(({ length }) => length));
  while (from < least && values.every((value) => value[from] === first[from])) from += 1;
  while (to < least - from && values.every((value) => value.at(-1 - to) === first.at(-1 - to))) to += 1;
  return values.map((value) => value.slice(from, value.length - to));
}

/** @type {[RegExp, number][]} */
const letters = [
  [/[a-f]/, 6],
  [/[g-z]/, 20],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 2],
];

/** @param {string} text */
function bitsOf(text) {
  const kinds = letters.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0);
  return kinds > 1 ? text.length * Math.log2(kinds) : 0;
}

/** @param {string} text */
const digestsOf = (text) =>
  ['md5', 'sha1', 'sha256'].flatMap((kind) => {
    const bytes = createHash(kind).update(text).digest();
    return [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  });
/** The digests of a counter's first numbers, made once. @type {Set<string> | undefined} */
let digestsOfNumbers;

/**
 * Why a stranger could guess the cookies of several launches; null where they couldn't.
 * @param {string[]} values of one adviser, one for each launch @param {string[]} known what a stranger may know
 */
export function guessable(values, known) {
  const ofNumbers = (digestsOfNumbers ??= new Set(
    Array.from({ length: 2000 }, (_, n) => String(n)).flatMap(digestsOf),
  ));
  const digests = new Set(known.flatMap(digestsOf));
  if (values.some((value) => known.some((text) => readable(value).includes(text))))
    return 'It is what anybody may know of the adviser or the launch. Use 32 random bytes.';
  if (values.some((value) => digests.has(value) || ofNumbers.has(value)))
    return 'It is a hash of what anybody may know. Use 32 random bytes.';
  if (values.length > 1 && new Set(values).size < values.length)
    return 'It is the same at every launch: whoever had it once has it for good. Use 32 random bytes.';
  if (values.length < 2) return null;
  const shortest = Math.min(...differing(values).map(bitsOf));
  return shortest < 64 ? 'From launch to launch hardly anything of it changes. Use 32 random bytes.' : null;
}

/** The cookie cut short, with a letter changed, without its signature, or naming somebody else. @param {string} value @param {string[]} marks */
export function changed(value, marks) {
  /** @param {string} letter */
  const other = (letter) => {
    if (/[0-8]/.test(letter)) return String(Number(letter) + 1);
    const [one, two] = /[a-z]/.test(letter) ? ['k', 'm'] : ['K', 'M'];
    return letter === one ? two : one;
  };
  const places = [0.2, 0.5, 0.8].map((part) => Math.floor(value.length * part));
  const flipped = places
    .filter((at) => /[a-zA-Z\d]/.test(value[at] ?? '') && value.slice(at - 2, at).indexOf('%') < 0)
    .map((at) => value.slice(0, at) + other(value[at] ?? '') + value.slice(at + 1));
  const [plain = '', unpacked = ''] = readable(value);
  /** @param {string} text */
  const renamed = (text) =>
    marks.reduce(
      (all, mark) => all.replaceAll(new RegExp(mark.replaceAll(/[.+]/g, String.raw`\$&`), 'gi'), `z${mark.slice(1)}`),
      text,
    );
  const parts = value.split('.');
  const unsigned = parts.slice(0, -1).join('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return [
    ...flipped,
    value.slice(0, Math.ceil(value.length / 2)),
    ...(parts.length > 1 ? [unsigned, `${unsigned}.`] : []),
    ...(parts.length === 3 ? [`${none}.${parts[1]}.`] : []),
    ...(renamed(plain) === plain ? [] : [encodeURIComponent(renamed(plain))]),
    ...(renamed(unpacked) === unpacked
      ? []
      : [
          Buffer.from(renamed(unpacked)).toString('base64url'),
          encodeURIComponent(Buffer.from(renamed(unpacked)).toString('base64')),
        ]),
  ];
}
