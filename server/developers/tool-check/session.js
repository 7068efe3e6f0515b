// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { unescaped } from './cookies.js';
import { decoded } from './page.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./browser.js').Browser} Browser
 * @typedef {import('./cookies.js').Cookie} Cookie
 */

const dayMs = 86_400_000;

/** The cookies without which the page doesn't show the adviser. @param {Exam} exam @param {Browser} browser @returns {Promise<Cookie[]>} */
export async function sessionCookies(exam, browser) {
  const needed = [];
  for (const cookie of browser.cookies.slice(0, 8)) {
    const without = exam.browser(browser.cookies.filter((other) => other !== cookie));
    if (!(await exam.showsAdviser(without))) needed.push(cookie);
  }
  return needed;
}

/** What the attributes of these cookies allow. @param {Exam} exam @param {Cookie[]} cookies */
export function examineAttributes(exam, cookies) {
  const encrypted = new URL(exam.places[0] ?? exam.target.url).protocol === 'https:';
  /** @param {(cookie: Cookie) => boolean} wrong @param {string} advice */
  const first = (wrong, advice) => {
    const found = cookies.find(wrong);
    return found ? `The cookie “${found.name}” ${advice}` : null;
  };
  exam.say(
    'httpOnly',
    first(({ httpOnly }) => !httpOnly, 'has no HttpOnly: any script of the page can take it.'),
  );
  exam.say(
    'sameSite',
    first(({ sameSite }) => sameSite === 'none', 'is SameSite=None: any site can act with it. Use Lax.') ??
      first(
        ({ sameSite }) => sameSite === null,
        'has no SameSite, and Safari and Firefox take that for None. Use Lax.',
      ),
  );
  if (encrypted)
    exam.say(
      'secure',
      first(({ secure }) => !secure, 'has no Secure: it is sent over plain http as well.'),
    );
  else if (cookies.some(({ secure }) => !secure))
    exam.unknown('secure', 'Over http nobody can see whether the cookie is Secure in production.');
  else exam.say('secure', null);
  const hosts = new Set([...exam.origins].map((origin) => new URL(origin).hostname));
  exam.say(
    'domain',
    hosts.size === 1 &&
      first(
        ({ wideDomain }) => wideDomain !== null,
        'has a Domain: every other host under it gets the session too. Leave it out.',
      ),
  );
  exam.say(
    'lifetime',
    first(
      ({ expires }) => expires !== null && expires > Date.now() + dayMs + 60_000,
      'lives longer than a day: access may have ended long before.',
    ),
  );
}

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

/**
 * Why a stranger could guess the cookies of several launches; null where they couldn't.
 * @param {string[]} values of one adviser, one for each launch @param {string[]} known what a stranger may know
 */
export function guessable(values, known) {
  const numbers = Array.from({ length: 2000 }, (_, n) => String(n));
  const digests = [...known, ...numbers].flatMap((text) =>
    ['md5', 'sha1', 'sha256'].flatMap((kind) =>
      ['hex', 'base64', 'base64url'].map((form) =>
        createHash(kind)
          .update(text)
          .digest(/** @type {'hex'} */ (form)),
      ),
    ),
  );
  if (values.some((value) => known.some((text) => readable(value).includes(text))))
    return 'It is what anybody may know of the adviser or the launch. Use 32 random bytes.';
  if (values.some((value) => digests.includes(value)))
    return 'It is a hash of what anybody may know. Use 32 random bytes.';
  if (values.length > 1 && new Set(values).size < values.length)
    return 'It is the same at every launch: whoever had it once has it for good. Use 32 random bytes.';
  if (values.length < 2) return null;
  const shortest = Math.min(...differing(values).map(bitsOf));
  return shortest < 64 ? 'From launch to launch hardly anything of it changes. Use 32 random bytes.' : null;
}

/** The cookie with a letter changed, without its signature, or naming somebody else. @param {string} value @param {string[]} marks */
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

/** Whether somebody without the cookie can make one. @param {Exam} exam @param {Browser} browser @param {Cookie[]} cookies @param {string} token */
export async function examineGuesses(exam, browser, cookies, token) {
  const { advisers, launch, calls } = exam.launcher;
  const values = new Map(cookies.map(({ name, value }) => [name, [value]]));
  for (let again = 0; again < 2; again += 1) {
    const other = exam.browser();
    await other.visit(exam.link(await launch(0)));
    for (const { name, value } of other.cookies) values.get(name)?.push(value);
  }
  const sessions = (await calls?.())?.flatMap(({ session_id }) => session_id ?? []) ?? [];
  const known = [token, ...sessions, ...(advisers[0] ? Object.values(advisers[0]) : [])];
  const faults = cookies.map(({ name }) => guessable(values.get(name) ?? [], known));
  exam.say('guess', cookies.length > 0 && faults.every((fault) => fault !== null) && faults[0]);

  let forged = null;
  for (const cookie of cookies)
    for (const value of changed(cookie.value, exam.marks)) {
      const forger = exam.browser(browser.cookies.map((one) => (one === cookie ? { ...one, value } : one)));
      const [page] = await exam.view(forger);
      const open = exam.pages[0]?.open;
      if (!page) break;
      if (!open || page.status !== open.status) continue;
      const renamed = exam.marks.some((mark) =>
        decoded(page.body)
          .toLowerCase()
          .includes(`z${mark.slice(1)}`),
      );
      const opened = renamed || exam.marksOf(page.body, 0).length > 0 || exam.isOpenPage(page);
      if (opened)
        forged ??= `The cookie “${cookie.name}” was changed, and still accepted: sign it, or keep the session on your server under a random id.`;
    }
  exam.say('forge', forged);
}

/** @param {Exam} exam @param {Cookie[]} session */
export async function examineFixation(exam, session) {
  const stranger = exam.browser();
  await stranger.visit(exam.target.url, { stay: exam.origins });
  for (const cookie of session)
    if (!stranger.cookies.some(({ name }) => name === cookie.name))
      stranger.cookies.push({
        ...cookie,
        value: randomBytes(cookie.value.length).toString('hex').slice(0, Math.max(8, cookie.value.length)),
      });
  const planted = Object.fromEntries(
    session.map(({ name }) => [name, stranger.cookies.find((one) => one.name === name)?.value ?? '']),
  );
  const before = stranger.cookies.map((cookie) => ({ ...cookie }));
  const adviser = exam.browser(before);
  await adviser.visit(exam.link(await exam.launcher.launch(0), planted));
  exam.say(
    'fixation',
    before.length > 0 &&
      (await exam.showsAdviser(exam.browser(before))) &&
      'A cookie that a stranger set before the launch opened the adviser’s session after it: make a new session id at every launch.',
  );
}

/** @param {Exam} exam @param {Browser} first */
export async function examineNext(exam, first) {
  const { advisers, launch } = exam.launcher;
  if (!advisers[1]) return exam.unknown('next', 'There is no second adviser to launch as.');
  const shared = exam.browser(first.cookies);
  const visit = await shared.visit(exam.link(await launch(1)));
  const seen = (await exam.view(shared, visit)).flatMap((page) => page ?? []);
  const still = seen.some(({ body }) => exam.marksOf(body, 0).length > 0);
  const own = seen.some(({ body }) => exam.marksOf(body, 1).length > 0);
  exam.say(
    'next',
    visit.fault
      ? `The second launch: ${visit.fault}.`
      : still
        ? 'After another adviser’s launch the same browser still shows the first: replace the session at every launch.'
        : !own && 'After another adviser’s launch the same browser shows neither of them.',
  );
}
