// @ts-check
import { randomBytes } from 'node:crypto';
import { changed, guessable } from './guess.js';
import { decoded } from './page.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Session} Session
 * @typedef {import('./browser.js').Visit} Visit
 * @typedef {import('./cookies.js').Cookie} Cookie
 */

const dayMs = 86_400_000;
const cookieChecks = /** @type {const} */ (['httpOnly', 'sameSite', 'secure', 'domain', 'lifetime', 'guess', 'forge']);

/** The cookies that open the session: sets of them, none of which could be smaller. @param {Exam} exam @param {Cookie[]} all @param {Visit} visit @returns {Promise<Cookie[][]>} */
export async function carriersOf(exam, all, visit) {
  const sets = [];
  let rest = all.slice(0, 20);
  while (rest.length > 0 && (await exam.showsAdviser(exam.browser(rest), visit))) {
    let needed = rest;
    for (const cookie of rest) {
      const without = needed.filter((other) => other !== cookie);
      if (await exam.showsAdviser(exam.browser(without), visit)) needed = without;
    }
    if (needed.length === 0) return [];
    sets.push(needed);
    rest = rest.filter((cookie) => !needed.includes(cookie));
  }
  return sets;
}

/** Whether a cookie that was used once still works; else each probe needs a launch of its own. @param {Exam} exam @param {Session} session */
async function rotates(exam, { browser, visit }) {
  const held = [...browser.cookies];
  const again = [
    await exam.showsAdviser(exam.browser(held), visit),
    await exam.showsAdviser(exam.browser(held), visit),
  ];
  return again[0] === true && again[1] === false;
}

/** The session's cookies and who else gets in with them. @param {Exam} exam @param {Session} session @param {boolean} open */
export async function examineSession(exam, session, open) {
  exam.unknown('expires', 'Not judged: nobody can wait for a working day. End sessions on your server after one.');
  if (!open) {
    if (exam.carriers.length > 0 && exam.carriers[0]?.length) examineAttributes(exam, exam.carriers);
    return;
  }
  exam.rotates = await rotates(exam, session);
  const fresh = await exam.opened(session);
  if (exam.rotates)
    for (const id of cookieChecks) exam.unknown(id, 'Not judged: the session’s cookie changes with every request.');
  else exam.carriers = await carriersOf(exam, fresh.browser.cookies, fresh.visit);
  const cookies = exam.carriers.flat();
  const anybody = exam.browser();
  if (cookies.length > 0) {
    examineAttributes(exam, exam.carriers);
    await examineGuesses(exam, fresh);
    await examineForgery(exam, await exam.opened(fresh));
  } else {
    const without = await exam.showsAdviser(anybody, fresh.visit);
    const why = without ? 'The session uses no cookie.' : 'Not judged: the session ended while it was looked at.';
    for (const id of cookieChecks) exam.unknown(id, why);
  }
  await examineReading(exam, await exam.opened(fresh));
  await examineFixation(exam, cookies);
}

/** What the attributes of these cookies allow: a set is as safe as the safest of its cookies. @param {Exam} exam @param {Cookie[][]} sets */
function examineAttributes(exam, sets) {
  /** @param {(cookie: Cookie) => boolean} wrong @param {string} advice */
  const first = (wrong, advice) => {
    const found = sets.find((set) => set.length > 0 && set.every(wrong))?.[0];
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
        ({ sameSite }) => sameSite === null || sameSite === 'none',
        'has no SameSite, and Safari and Firefox take that for None. Use Lax.',
      ),
  );
  const plain = first(({ secure }) => !secure, 'has no Secure: it is sent over plain http as well.');
  if (plain && new URL(exam.target.url).protocol !== 'https:')
    exam.unknown('secure', 'Over http nobody can see whether the cookie is Secure in production.');
  else exam.say('secure', plain);
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

/** Whether somebody without the cookie can make one. @param {Exam} exam @param {Session} session */
async function examineGuesses(exam, { token }) {
  const { advisers, calls } = exam.launcher;
  const values = new Map(exam.carriers.flat().map(({ name, value }) => [name, [value]]));
  for (let again = 0; again < 2; again += 1) {
    const { browser } = await exam.enter(0);
    for (const { name, value } of browser.cookies) values.get(name)?.push(value);
  }
  const sessions = (await calls?.())?.flatMap(({ session_id }) => session_id ?? []) ?? [];
  const known = [token, ...sessions, ...(advisers[0] ? Object.values(advisers[0]) : [])];
  const faults = exam.carriers.map((set) => set.map(({ name }) => guessable(values.get(name) ?? [], known)));
  exam.say('guess', faults.find((set) => set.length > 0 && set.every((fault) => fault !== null))?.[0]);
}

/** @param {Exam} exam @param {Session} session */
async function examineForgery(exam, { browser }) {
  const sets = exam.carriers.map((set) => set.map(({ name }) => name));
  const carrying = sets.flat();
  let forged = null;
  for (const cookie of browser.cookies.filter(({ name }) => carrying.includes(name)))
    for (const value of changed(cookie.value, exam.marks)) {
      const set = sets.find((names) => names.includes(cookie.name)) ?? [];
      const kept = browser.cookies.filter(({ name }) => set.includes(name) || !carrying.includes(name));
      const forger = exam.browser(kept.map((one) => (one === cookie ? { ...one, value } : one)));
      const [page] = await exam.view(forger);
      const open = exam.pages[0]?.open;
      if (!page) break;
      if (!open || page.status !== open.status) continue;
      const renamed = exam.marks.some((mark) =>
        decoded(page.body)
          .toLowerCase()
          .includes(`z${mark.slice(1)}`),
      );
      if (renamed || exam.marksOf(page.body, 0).length > 0 || exam.isOpenPage(page))
        forged ??= `The cookie “${cookie.name}” was changed, and still accepted: sign it, or keep the session on your server under a random id.`;
    }
  exam.say('forge', forged);
}

/** What pages of other sites can do with the session: read it by a script, or show it in a frame. @param {Exam} exam @param {Session} session */
async function examineReading(exam, { browser, visit }) {
  const origin = 'https://elsewhere.invalid';
  const [place = exam.target.url] = exam.places;
  const key = new URL(visit.last?.url ?? place).hash.replace(/^#(?:[^=]*=)?/, '');
  const { last } = await exam.browser(browser.cookies).visit(place, {
    crossSite: false,
    stay: exam.origins,
    headers: { origin, ...(key && { authorization: `Bearer ${key}` }) },
  });
  const { headers = {} } = last ?? {};
  const reads =
    headers['access-control-allow-origin'] === origin && headers['access-control-allow-credentials'] === 'true';
  exam.say(
    'readable',
    reads && 'Access-Control-Allow-Origin repeats any origin, with credentials: name your own origins only.',
  );
  const shut =
    /deny|sameorigin/i.test(String(headers['x-frame-options'] ?? '')) ||
    /frame-ancestors/i.test(String(headers['content-security-policy'] ?? ''));
  const sent = exam.carriers.some((set) => set.length > 0 && set.every(({ sameSite }) => sameSite === 'none'));
  if (shut) exam.say('framed', null);
  else if (sent) exam.say('framed', 'The cookie comes along into other sites’ frames: send frame-ancestors ‘none’.');
  else exam.unknown('framed', 'No header forbids it; only the cookie’s SameSite keeps the session out of frames.');
}

/** @param {Exam} exam @param {Cookie[]} session */
async function examineFixation(exam, session) {
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
  await adviser.visit(exam.link(await exam.launch(0), planted));
  exam.say(
    'fixation',
    before.length > 0 &&
      (await exam.showsAdviser(exam.browser(before))) &&
      'A cookie that a stranger set before the launch opened the adviser’s session after it: make a new session id at every launch.',
  );
}
