// @ts-check
import { createHash } from 'node:crypto';
import { carriersOf } from './session.js';
import { isLocal, whyNotSent } from './cookies.js';
import { fetchedBy, isHtml, marksIn, mayBeKept, saysNothing, scriptsOf } from './page.js';

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
  const fetched = fetchedBy(body, url);
  for (const script of scriptsOf(body, url)) {
    const loaded = (await browser.visit(script, { crossSite: false, stay: exam.origins })).last;
    if (loaded) fetched.push(...fetchedBy(loaded.body, url));
  }
  if (exam.target.page) return [new URL(exam.target.page, url).href];
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
  // A given name may stand on any page; a whole name or an address is the session's.
  const stranger = bare.last
    ? marksIn(bare.last.body, adviser).filter((mark) => mark === adviser.given_name.toLowerCase())
    : [];
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
    const needed = (await carriersOf(exam, lenient.cookies, visit)).flat().map(({ name }) => name);
    exam.carriers = [browser.seen.filter(({ name }) => needed.includes(name)).slice(-needed.length)];
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

/** @param {Exam} exam @param {Visit} visit */
function examineAddresses(exam, { hops, last, at }) {
  const asked = new URL(exam.target.url);
  const plain = [...hops.map(({ url }) => url), last?.to ?? at]
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url))
    .find((url) => url.protocol === 'http:' && (asked.protocol === 'https:' || !isLocal(url.hostname)));
  if (plain)
    exam.say(
      'encrypted',
      plain.href === asked.href || asked.protocol === 'http:'
        ? 'The address is plain http: everybody on the way reads tokens and pages.'
        : `The launch leads from https to ${plain.origin}, plain http: everybody on the way reads what is there.`,
    );
  else if (asked.protocol === 'http:')
    exam.unknown('encrypted', 'Not judged: the address is on this machine. For publication it has to be https.');
  else exam.say('encrypted', null);
}

/** Whether a browser shows the page, by its type. @param {import('./browser.js').Hop} page */
function typeFault(page) {
  const { headers, body } = page;
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  if (/attachment/i.test(headers['content-disposition'] ?? ''))
    return 'Its Content-Disposition makes browsers save the page as a file.';
  if (/^text\/plain/i.test(type) && /<[a-z!][^>]*>/i.test(body))
    return 'Its Content-Type is text/plain, so that browsers show the markup: send text/html.';
  if (type === '' || isHtml(page) || /^(text\/|image\/)|[/+](json|xml)\s*$/i.test(type)) return null;
  return `Its Content-Type is ${type}, which browsers save as a file: send text/html.`;
}

/**
 * The first launch, hop by hop. Where the token was not exchanged, nothing more is asked of the address, which may be anybody's. In the
 * result, `bare` is a visit without a token, and `open` says whether there is a session to examine.
 * @param {Exam} exam
 */
export async function examineArrival(exam) {
  const session = await exam.enter(0);
  const { token, browser, visit } = session;
  examineAddresses(exam, visit);
  const { last } = visit;
  const fault = await exchangeFault(exam, token);
  exam.watch(visit, token);
  if (visit.fault || !last) exam.say('answers', `${withoutToken(visit.at)}: ${visit.fault}.`);
  if (fault === undefined) exam.unknown('exchanged', 'This environment does not say what became of the token.');
  else if (!visit.fault || fault === null) exam.say('exchanged', fault);
  if (fault || visit.fault || !last) {
    if (last && last.status >= 400) exam.say('answers', `It answered ${last.status} to a launch; 200 is expected.`);
    return { session, bare: null, proved: false, open: false };
  }
  for (const { url } of visit.hops) exam.origins.add(new URL(url).origin);
  exam.say(
    'address',
    exam.notice.holdsToken(last.url) &&
      'The page was shown with auth_token in its address, or a part of it: redirect (303) to an address without it after the exchange.',
  );
  const bare = await exam.browser().visit(exam.target.url, { stay: exam.origins });
  const hidden = await findSession(exam, browser, visit, bare);
  const open = exam.pages.length > 0;
  // A page that is refused because the cookie is lost is reported below, as `kept`.
  exam.say(
    'answers',
    last.cut
      ? 'Its page is larger than 2 MB, or packed otherwise than it says: the rest was not read.'
      : last.status >= 400 && !hidden && `It answered ${last.status} to a launch; 200 is expected.`,
  );
  exam.say('shown', typeFault(last));
  exam.say(
    'opened',
    !open &&
      hidden === null &&
      'No page shows the adviser’s name or address. Show whose session it is; where a script does, name the address that it asks.',
  );
  exam.say('kept', hidden && `The session is lost on the way: ${hidden}.`);
  const shown = exam.pages[0]?.open;
  exam.say(
    'cache',
    ([...visit.hops.filter(({ set }) => set.length > 0), shown].some((page) => page && mayBeKept(page)) ||
      (shown && saysNothing(shown))) &&
      'Caches may keep it, and show it to the next person at the browser: send Cache-Control: no-store.',
  );
  return { session, bare, proved: true, open: open && !hidden };
}
