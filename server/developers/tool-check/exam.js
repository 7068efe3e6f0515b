// @ts-check
import { Browser } from './browser.js';
import { leaksAddress, marksIn, share, wordsOf } from './page.js';

/**
 * @typedef {import('./page.js').Adviser} Adviser
 * @typedef {import('./browser.js').Visit} Visit
 * @typedef {{ event_id: string | null, session_id: string | null, accepted: boolean, duplicate: boolean, reason?: string,
 *   field?: string, message?: string, figures: string, duration_seconds: number }} Report
 * @typedef {{ at: number, call: 'introspect' | 'usage', status: number, message?: string, tokenHash?: string, active?: boolean,
 *   session_id?: string, reports?: Report[] }} Call
 *   What Adviserly heard from the tool's server, oldest first; `at` in milliseconds, `tokenHash` SHA-256 in hex.
 * @typedef {object} Launcher What the examiner needs of Adviserly. What is left out is not judged.
 * @property {Adviser[]} advisers one or two who may open the tool
 * @property {(adviser: number) => Promise<string>} launch a fresh launch token for this tool
 * @property {(token: string, other?: boolean) => Promise<boolean>} [isUnused] asks with the tool's own secret (the `other` tool's),
 *   and uses the token up
 * @property {() => Promise<string | null>} [otherToolsToken] a live token for another tool
 * @property {() => Promise<string | null>} [expiredToken]
 * @property {() => Promise<Call[]>} [calls] what the tool's server has asked since the launcher was made
 * @property {string} [toolId] needed for events, as is each adviser's `sub`
 * @property {(message: { id: string, at: number, body: string }) => Promise<Record<string, string> | null>} [sign] the headers of an
 *   event, signed with the tool's own secrets; null where it has none
 * @property {() => Promise<{ id: string, reported: boolean } | null>} [newestSession] of the first adviser; asked where there is no `calls`
 *
 * @typedef {{ url: string, page?: string, finish?: string, events?: string }} Target
 *   `page`: an address that shows the adviser, where the first page does not. `finish`: one that ends the session when posted to.
 *   `events`: where the tool's server takes events.
 * @typedef {{ patienceMs?: number, waitMs?: number, pollMs?: number, ca?: string, lookup?: import('node:net').LookupFunction,
 *   onOpen?: () => void }} Options
 *   `waitMs`: for a report. `ca`: further authorities to trust, in PEM. `lookup`: how names are looked up, so that a server can keep to public addresses.
 * @typedef {keyof typeof checks} CheckId
 * @typedef {{ id: CheckId, check: string, result: 'ok' | 'wrong' | 'unknown', advice: string }} Finding
 */

const checks = {
  answers: 'The tool answers a launch',
  encrypted: 'The tool’s address is encrypted',
  exchanged: 'The token is exchanged',
  opened: 'The session opens and shows the adviser',
  kept: 'A browser keeps the session’s cookie and sends it back',
  address: 'The token leaves the address',
  elsewhere: 'The token goes to no other site',
  written: 'The token is in no page, header or cookie',
  cache: 'Nobody’s cache keeps the adviser’s page',
  httpOnly: 'Scripts can’t read the session’s cookie',
  sameSite: 'Other sites can’t use the session’s cookie',
  secure: 'The session’s cookie goes over https only',
  domain: 'The session’s cookie goes to the tool’s host only',
  lifetime: 'The session’s cookie lives a working day at most',
  guess: 'The session’s cookie can’t be guessed',
  forge: 'A changed cookie opens nothing',
  none: 'Without a token nothing opens',
  used: 'A used link opens nothing',
  steps: 'No address on the way opens the session in another browser',
  madeUp: 'A made-up token opens nothing, and is no fault',
  markup: 'What comes as a token is never markup',
  foreign: 'Another tool’s token opens nothing',
  expired: 'An expired token opens nothing',
  redirect: 'The tool sends nobody to an address that a stranger chose',
  fixation: 'A cookie from before the launch opens nothing after it',
  next: 'The next adviser at the same browser gets a session of their own',
  finish: 'The session can be finished',
  guarded: 'Nobody finishes or reports without a session',
  reported: 'Usage is reported',
  refused: 'No report is refused',
  once: 'Work is reported once',
  forged: 'A forged event is refused',
  old: 'An old event is refused, and one of the future',
  taken: 'An event that we signed is taken',
  ended: 'An event that says so ends the session',
  repeated: 'An event that comes twice is taken twice, and does no harm',
  rotated: 'An event is taken while two secrets sign it',
};

/** The checks made of a tool; two need an address that finishes a session. @param {boolean} finishes @returns {CheckId[]} */
export const checksFor = (finishes) =>
  /** @type {CheckId[]} */ (Object.keys(checks)).filter((id) => finishes || (id !== 'finish' && id !== 'guarded'));

/** One examination: the tool, what was seen of it, and what was found. */
export class Exam {
  /** @type {Finding[]} */
  findings = [];
  /** Addresses that show the adviser. @type {string[]} */
  places = [];
  /** What the first adviser saw there, and what a stranger sees. @type {{ open: Visit['last'], bare: Visit['last'] }[]} */
  pages = [];
  /** What their pages show of the first adviser. @type {string[]} */
  marks = [];
  /** Origins that are the tool's. @type {Set<string>} */
  origins;
  /** Where a token went but should not have. @type {string[]} */
  leaks = [];
  /** How many links that must be refused were never answered. */
  silent = 0;
  /** Where a token was written. @type {string | null} */
  written = null;

  /** @param {Target} target @param {Launcher} launcher @param {(finding: Finding) => void} onFinding @param {Options} options */
  constructor(target, launcher, onFinding, { patienceMs = 10_000, waitMs = 60_000, pollMs = 500, ca, lookup, onOpen }) {
    this.target = target;
    this.launcher = launcher;
    this.onFinding = onFinding;
    this.limits = { patienceMs, ...(ca && { ca }), ...(lookup && { lookup }) };
    this.waitMs = waitMs;
    this.pollMs = pollMs;
    this.onOpen = onOpen;
    this.origins = new Set([new URL(target.url).origin]);
  }

  /** @param {CheckId} id @param {string | null | false | undefined} fault */
  say(id, fault) {
    this.#found(id, fault ? 'wrong' : 'ok', fault || '');
  }

  /** @param {CheckId} id @param {string} why */
  unknown(id, why) {
    this.#found(id, 'unknown', why);
  }

  /** @param {CheckId} id @param {Finding['result']} result @param {string} advice */
  #found(id, result, advice) {
    if (this.findings.some((finding) => finding.id === id)) return;
    const finding = { id, check: checks[id], result, advice };
    this.findings.push(finding);
    this.onFinding(finding);
  }

  /** @param {import('./cookies.js').Cookie[]} [cookies] */
  browser(cookies) {
    return new Browser(this.limits, cookies);
  }

  /** The address of a launch. @param {string | null} token @param {Record<string, string>} [more] */
  link(token, more = {}) {
    const url = new URL(this.target.url);
    if (token !== null) url.searchParams.set('auth_token', token);
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
    return url.href;
  }

  /** What this browser sees where the session shows. @param {Browser} browser @param {Visit} [visit] */
  async view(browser, visit) {
    const key = new URL(visit?.last?.url ?? this.target.url).hash.replace(/^#(?:[^=]*=)?/, '');
    const headers = { ...(key && { authorization: `Bearer ${key}` }) };
    const seen = [];
    for (const place of this.places)
      seen.push((await browser.visit(place, { crossSite: false, stay: this.origins, headers })).last);
    return seen;
  }

  /** @param {Browser} browser @param {Visit} [visit] */
  async showsAdviser(browser, visit) {
    const seen = await this.view(browser, visit);
    return seen.some((page) => page && this.marksOf(page.body, 0).length > 0);
  }

  /** What a page shows of this adviser that no stranger sees. @param {string} body @param {number} which */
  marksOf(body, which) {
    const adviser = this.launcher.advisers[which];
    const found = adviser ? marksIn(body, adviser) : [];
    return which === 0 && this.marks.length > 0 ? found.filter((mark) => this.marks.includes(mark)) : found;
  }

  /** @param {string} body */
  words(body) {
    return wordsOf(body, this.launcher.advisers);
  }

  /**
   * How somebody got in: they were shown the adviser, or something else that only a session shows. Null where they didn't.
   * @param {Visit} visit @param {Browser} browser
   */
  async opens(visit, browser) {
    const seen = [visit.last, ...(this.places.length > 0 ? await this.view(browser, visit) : [])].filter(
      (page) => page !== null,
    );
    const shown = seen.flatMap((page) =>
      this.launcher.advisers.flatMap((_adviser, which) => this.marksOf(page.body, which)),
    );
    if (shown.length > 0) return `it opened the session of ${this.launcher.advisers[0]?.name ?? 'the adviser'}`;
    return seen.some((page) => this.isOpenPage(page)) ? 'it showed what only a session should show' : null;
  }

  /** Whether a page holds most of what only the session shows, whoever's name is on it. @param {import('./browser.js').Hop} page */
  isOpenPage({ status, body }) {
    const words = this.words(body);
    return this.pages.some(({ open, bare }) => {
      if (!open || !bare) return false;
      const strange = this.words(bare.body);
      const own = new Set([...this.words(open.body)].filter((word) => !strange.has(word)));
      if (share(words, own) < 0.6) return false;
      return own.size > 2 || (status < 400 && share(this.words(open.body), words) >= 0.5);
    });
  }

  /**
   * Opens a link that must open nothing, in a browser of its own; returns what is wrong.
   * @param {string} address @param {string} what
   */
  async refusalOf(address, what) {
    // Waiting for every one of them would take minutes.
    if (this.silent > 1) return `${what}: as before, it did not answer.`;
    const browser = this.browser();
    const visit = await browser.visit(address, { stay: this.origins });
    if (visit.fault?.includes('did not answer')) this.silent += 1;
    this.watch(visit, new URL(address).searchParams.get('auth_token'));
    if (visit.fault) return `${what}: ${visit.fault}.`;
    const status = visit.last?.status ?? 0;
    const opened = await this.opens(visit, browser);
    if (opened) return `${what}: ${opened}. Accept nobody whom introspection does not call active.`;
    if (status >= 500)
      return `${what}: it answered ${status}. Tell the adviser to open the tool again from the dashboard (400 to 403).`;
    return null;
  }

  /** Notes where a token went but should not have. @param {Visit} visit @param {string | null} token */
  watch({ hops }, token) {
    if (!token) return;
    for (const page of hops) {
      const { url, to, status } = page;
      if (to && URL.canParse(to) && new URL(to).origin !== new URL(url).origin && carries(to, token))
        this.leaks.push(`a redirect (${status}) passed the token to ${new URL(to).origin}`);
      if (to === null && carries(page.body, token))
        this.written ??= `The page (${status}) holds the token it came with: never write one into HTML, scripts or links.`;
      if (to === null && carries(url, token) && leaksAddress(page))
        this.leaks.push(`the Referrer-Policy of a page (${status}) sent its address with the token to other sites`);
    }
  }
}

/** Whether a text holds the token, plain or encoded. @param {string} text @param {string} token */
export const carries = (text, token) =>
  token.length > 15 &&
  [token, encodeURIComponent(token), Buffer.from(token).toString('base64url').slice(0, -2)].some((form) =>
    text.includes(form),
  );
