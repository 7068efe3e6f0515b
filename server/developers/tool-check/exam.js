// @ts-check
import { Browser } from './browser.js';
import { checks } from './checks.js';
import { Notice } from './notice.js';
import { leaksAddress, marksIn, share, wordsOf } from './page.js';

/**
 * @typedef {import('./page.js').Adviser} Adviser
 * @typedef {import('./browser.js').Visit} Visit
 * @typedef {{ event_id: string | null, session_id: string | null, accepted: boolean, duplicate: boolean, reason?: string,
 *   field?: string, message?: string, figures: string, duration_seconds: number, access?: boolean | null }} Report
 *   `access`: whether the answer let the session go on. `figures`: what distinguishes the work of two reports.
 * @typedef {{ at: number, call: 'introspect' | 'usage' | 'erasure', status: number, message?: string, tokenHash?: string, active?: boolean,
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
 * @property {(words: string[]) => Promise<string | null>} [secretAmong] which of the tool's secrets is among these words, as a maker calls it
 * @property {(token: string) => Promise<boolean>} [shut] from now on, answers to reports of this token's session say that access has ended
 * @property {() => Promise<string | null>} [erasure] the id of a demand to erase somebody, which the tool can confirm
 * @property {string} [toolId] needed for events, as is each adviser's `sub`
 * @property {(message: { id: string, at: number, body: string }) => Promise<Record<string, string> | null>} [sign] the headers of an
 *   event, signed with the tool's own secrets; null where it has none
 * @property {() => Promise<{ id: string, reported: boolean } | null>} [newestSession] of the first adviser; asked where there is no `calls`
 *
 * @typedef {{ url: string, page?: string, finish?: string, events?: string }} Target
 *   `page`: an address that shows the adviser, where the first page does not. `finish`: one that ends the session when posted to.
 *   `events`: where the tool's server takes events.
 * @typedef {{ which: number, token: string, begunAt: number, browser: Browser, visit: Visit }} Session `begunAt`: by performance.now()
 * @typedef {{ patienceMs?: number, waitMs?: number, pollMs?: number, ca?: string, lookup?: import('node:net').LookupFunction,
 *   onOpen?: () => void }} Options
 *   `waitMs`: for a report. `ca`: further authorities to trust, in PEM. `lookup`: how names are looked up, so that a server can keep to public addresses.
 * @typedef {import('./checks.js').CheckId} CheckId
 * @typedef {{ id: CheckId, check: string, result: 'ok' | 'wrong' | 'unknown', advice: string }} Finding
 */

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
  /** Cookies without which the session dies: each set of them opens it by itself. @type {import('./cookies.js').Cookie[][]} */
  carriers = [];
  /** Whether the session's cookie changes with every request. */
  rotates = false;
  /** How many links that must be refused were never answered. */
  silent = 0;
  notice = new Notice();

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

  /** @param {CheckId} id */
  isWrong(id) {
    return this.findings.some((finding) => finding.id === id && finding.result === 'wrong');
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
    return new Browser(this.limits, cookies, (hop) => this.notice.take(hop, this.origins, this.launcher.advisers));
  }

  /** A launch token that is noticed wherever it is written. @param {number} which */
  async launch(which) {
    const token = await this.launcher.launch(which);
    this.notice.remember(token);
    return token;
  }

  /** A launch: what an adviser's browser holds afterwards. @param {number} which @param {Browser} [browser] @returns {Promise<Session>} */
  async enter(which, browser = this.browser()) {
    const token = await this.launch(which);
    const begunAt = performance.now();
    return { which, token, begunAt, browser, visit: await browser.visit(this.link(token)) };
  }

  /** @param {Session} session */
  isOpen({ browser, visit, which }) {
    return this.showsAdviser(browser, visit, which);
  }

  /** This session, or a new one where it has ended. @param {Session} session */
  async opened(session) {
    return (await this.isOpen(session)) ? session : this.enter(session.which);
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

  /** @param {Browser} browser @param {Visit} [visit] @param {number} [which] */
  async showsAdviser(browser, visit, which = 0) {
    const seen = await this.view(browser, visit);
    return seen.some((page) => page && this.marksOf(page.body, which).length > 0);
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
   * @param {string} address @param {string} what @param {Record<string, string>} [headers]
   */
  async refusalOf(address, what, headers = {}) {
    // Waiting for every one of them would take minutes.
    if (this.silent > 1) return `${what}: as before, it did not answer.`;
    const browser = this.browser();
    const token = new URL(address).searchParams.get('auth_token');
    if (token?.length === 43) this.notice.remember(token);
    const visit = await browser.visit(address, { stay: this.origins, headers });
    if (visit.fault?.includes('did not answer')) this.silent += 1;
    this.watch(visit, token);
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
    if (!token || token.length < 16) return;
    for (const page of hops) {
      const { url, to, status } = page;
      if (to && URL.canParse(to) && new URL(to).origin !== new URL(url).origin && this.notice.holdsToken(to))
        this.leaks.push(`a redirect (${status}) passed the token to ${new URL(to).origin}`);
      if (to === null && this.notice.holdsToken(url) && leaksAddress(page))
        this.leaks.push(`the Referrer-Policy of a page (${status}) sent its address with the token to other sites`);
    }
  }
}
