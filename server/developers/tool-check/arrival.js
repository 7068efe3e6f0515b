// @ts-check
import { createHash } from 'node:crypto';
import { carries } from './exam.js';
import { isLocal, unescaped, whyNotSent } from './cookies.js';
import { fetchedBy, marksIn, mayBeKept, scriptsOf } from './page.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./browser.js').Visit} Visit
 * @typedef {import('./browser.js').Browser} Browser
 */

/** @param {string} token */
export const hashOf = (token) => createHash('sha256').update(token).digest('hex');

/** @param {string} address */
function withoutToken(address) {
  const url = new URL(address);
  url.searchParams.delete('auth_token');
  url.hash = '';
  return url.href;
}

/** Keeps only the tool's own parameters: one that the launch added may be what opens the page. @param {string} address @param {string} target */
function withoutQuery(address, target) {
  const url = new URL(address);
  url.search = new URL(target).search;
  url.hash = '';
  return url.href;
}

/** Addresses that may show the adviser: the page, else what its scripts fetch. @param {Exam} exam @param {Browser} browser @param {Visit} visit */
async function candidates(exam, browser, visit) {
  const { url, body } = /** @type {import('./browser.js').Hop} */ (visit.last);
  if (exam.target.page) return [new URL(exam.target.page, url).href];
  const fetched = fetchedBy(body, url);
  for (const script of scriptsOf(body, url)) {
    const loaded = (await browser.visit(script, { crossSite: false, stay: exam.origins })).last;
    if (loaded) fetched.push(...fetchedBy(loaded.body, url));
  }
  return [...new Set([withoutQuery(url, exam.target.url), withoutToken(url), ...fetched])];
}

/** Looks for a place where this browser is shown the adviser. @param {Exam} exam @param {string[]} places @param {Browser} browser @param {Visit} visit @param {string[]} stranger */
async function look(exam, places, browser, visit, stranger) {
  const adviser = /** @type {import('./page.js').Adviser} */ (exam.launcher.advisers[0]);
  for (const place of places) {
    exam.places = [place];
    const [open = null] = await exam.view(browser, visit);
    exam.marks = open ? marksIn(open.body, adviser).filter((mark) => !stranger.includes(mark)) : [];
    if (exam.marks.length === 0) continue;
    const [bare = null] = await exam.view(exam.browser());
    exam.pages = [{ open, bare }];
    return true;
  }
  exam.places = [];
  return false;
}

/**
 * Finds where the session shows. Returns why a browser loses it; null where it doesn't.
 * @param {Exam} exam @param {Browser} browser @param {Visit} visit @param {Visit} bare
 */
async function findSession(exam, browser, visit, bare) {
  const adviser = /** @type {import('./page.js').Adviser} */ (exam.launcher.advisers[0]);
  const last = /** @type {import('./browser.js').Hop} */ (visit.last);
  const places = await candidates(exam, browser, visit);
  const stranger = bare.last ? marksIn(bare.last.body, adviser) : [];
  const shown = marksIn(last.body, adviser).some((mark) => !stranger.includes(mark));
  if (await look(exam, places, browser, visit, stranger))
    return shown ||
      exam.target.page ||
      ![withoutQuery(last.url, exam.target.url), withoutToken(last.url)].includes(exam.places[0] ?? '')
      ? null
      : visit.unused.join('; ') || null;
  // Once more with every cookie that was ever set, whatever a browser's rules say.
  const { hostname } = new URL(last.url);
  const free = { domain: hostname, hostOnly: true, path: '/', secure: false, expires: null, sameSite: null };
  const lenient = exam.browser(browser.seen.map((cookie) => ({ ...cookie, ...free })));
  const asking = { crossSite: false, method: 'GET' };
  if (browser.seen.length > 0 && (await look(exam, places, lenient, visit, stranger))) {
    const held = browser.cookies.map((cookie) => [cookie.name, whyNotSent(cookie, exam.places[0] ?? last.url, asking)]);
    const why = [...visit.unused, ...held.flatMap(([name, not]) => (not ? [`“${name}”: ${not}`] : []))];
    return [...new Set(why)].join('; ') || 'the cookie did not come back';
  }
  return shown ? 'the page shows the adviser once; nothing opens it again without the token' : null;
}

/** Null where the token was exchanged, else the fault; undefined where nobody can tell. @param {Exam} exam @param {string} token */
async function exchangeFault({ launcher }, token) {
  const advice = 'Send it to POST /api/tools/introspect from your server when it arrives.';
  const calls = await launcher.calls?.();
  if (!calls) {
    if (!launcher.isUnused) return undefined;
    return (await launcher.isUnused(token)) ? `The token still worked after the launch. ${advice}` : null;
  }
  const asked = calls.filter(({ call }) => call === 'introspect');
  if (asked.some((call) => call.tokenHash === hashOf(token) && call.active)) return null;
  const refused = asked.findLast(({ status }) => status >= 400);
  if (refused) return `Adviserly answered your introspection with ${refused.status}: ${refused.message ?? ''}`;
  if (asked.length > 0) return 'Your server asked about another token than the one in the address.';
  return `Your server did not ask Adviserly about the token. ${advice}`;
}

/** @param {Visit} visit @param {string} token */
function writtenIn({ hops }, token) {
  for (const { url, headers, set } of hops) {
    const cookie = set.find(({ value }) => carries(unescaped(value), token));
    if (cookie) return `The cookie “${cookie.name}” is the token itself: make a session id of your own.`;
    const header = Object.entries(headers).find(
      ([name, value]) =>
        name !== 'location' && name !== 'set-cookie' && name !== 'refresh' && carries(String(value), token),
    );
    if (header) return `The token stands in the header ${header[0]} of ${new URL(url).pathname}.`;
  }
  return null;
}

/**
 * The first launch, hop by hop. In the result, `bare` is a visit without a token, and `open` says whether there is a session to examine.
 * @param {Exam} exam
 */
export async function examineArrival(exam) {
  const { hostname, protocol } = new URL(exam.target.url);
  if (protocol === 'http:' && isLocal(hostname))
    exam.unknown('encrypted', 'Not judged: the address is on this machine. For publication it has to be https.');
  else
    exam.say(
      'encrypted',
      protocol === 'http:' && 'The address is plain http: everybody on the way reads tokens and pages.',
    );
  const bare = await exam.browser().visit(exam.target.url, { stay: exam.origins });
  const browser = exam.browser();
  const token = await exam.launcher.launch(0);
  const visit = await browser.visit(exam.link(token));
  const { last } = visit;
  if (visit.fault || !last) {
    exam.say('answers', `${withoutToken(visit.last?.url ?? exam.target.url)}: ${visit.fault}.`);
    return { bare, token, browser, visit, open: false };
  }
  for (const { url } of visit.hops) exam.origins.add(new URL(url).origin);
  const fault = await exchangeFault(exam, token);
  if (fault === undefined) exam.unknown('exchanged', 'This environment does not say what became of the token.');
  else exam.say('exchanged', fault);
  exam.watch(visit, token);
  exam.say(
    'address',
    carries(last.url, token) &&
      'The page was shown with auth_token in its address: redirect (303) to an address without it after the exchange.',
  );
  exam.written ??= writtenIn(visit, token);
  const hidden = await findSession(exam, browser, visit, bare);
  const open = exam.pages.length > 0;
  // A page that is refused because the cookie is lost is reported below, as `kept`.
  exam.say(
    'answers',
    last.cut
      ? 'Its page is larger than 2 MB, or packed otherwise than it says: the rest was not read.'
      : last.status >= 400 && !hidden && `It answered ${last.status} to a launch; 200 is expected.`,
  );
  exam.say(
    'opened',
    !open &&
      hidden === null &&
      'No page shows the adviser’s name or address. Show whose session it is; where a script does, name the address that it asks.',
  );
  exam.say('kept', hidden && `The session is lost on the way: ${hidden}.`);
  exam.say(
    'cache',
    [...visit.hops.filter(({ set }) => set.length > 0), exam.pages[0]?.open].some((page) => page && mayBeKept(page)) &&
      'Caches may keep it, and show it to the next person at the browser: send Cache-Control: no-store.',
  );
  return { bare, token, browser, visit, open: open && !hidden };
}
