// @ts-check
import { readCookie, whyDropped, whyNotSent } from './cookies.js';
import { ask, sentenceOf } from './http.js';

/**
 * A browser's visit, every step of it kept.
 *
 * @typedef {import('./cookies.js').Cookie} Cookie
 * @typedef {import('./http.js').Answer & { url: string, to: string | null, set: Cookie[] }} Hop
 * @typedef {{ hops: Hop[], last: Hop | null, fault: string | null, at: string, unused: string[] }} Visit
 *   `at`: the address that was asked last. `last` is the page that was shown; a redirect where the visit left the tool. `unused`: cookies a browser drops or holds back.
 * @typedef {{ crossSite?: boolean, form?: URLSearchParams, json?: string, stay?: Set<string>, headers?: Record<string, string> }} How
 *   `stay`: the origins to follow to; all if left out.
 */

const mostHops = 10;

/** @param {import('./http.js').Answer} answer @param {string} url @returns {{ to: string, again: boolean } | null} */
function nextOf({ status, headers, body }, url) {
  if (status >= 300 && status < 400 && headers.location) return { to: headers.location, again: status > 306 };
  const tag = /<meta[^>]+http-equiv\s*=\s*["']?refresh[^>]*>/i.exec(body)?.[0] ?? '';
  const content = String(headers['refresh'] ?? /content\s*=\s*("[^"]*"|'[^']*')/i.exec(tag)?.[1]?.slice(1, -1) ?? '');
  const to = /^\s*[0-5]\s*[;,]\s*url\s*=\s*['"]?([^'"]+)/i.exec(content)?.[1];
  return to !== undefined && URL.canParse(to, url) && new URL(to, url).href !== url
    ? { to: to.replaceAll('&amp;', '&'), again: false }
    : null;
}

export class Browser {
  /** @param {import('./http.js').Limits} limits @param {Cookie[]} cookies @param {(hop: Hop) => void} [onHop] sees every answer */
  constructor(limits, cookies = [], onHop = () => undefined) {
    this.limits = limits;
    this.onHop = onHop;
    this.cookies = [...cookies];
    /** Every cookie that was set, kept or not. @type {Cookie[]} */
    this.seen = [];
  }

  /** @param {Cookie} cookie */
  keep(cookie) {
    this.cookies = this.cookies.filter(
      ({ name, domain, path }) => name !== cookie.name || domain !== cookie.domain || path !== cookie.path,
    );
    if (cookie.expires === null || cookie.expires > Date.now()) this.cookies.push(cookie);
  }

  /** Opens an address, and follows where it leads. @param {string} address @param {How} how @returns {Promise<Visit>} */
  async visit(address, { crossSite = true, form, json, stay, headers = {} } = {}) {
    /** @type {Visit} */
    const visit = { hops: [], last: null, fault: null, at: address, unused: [] };
    /** @type {{ type: string, text: string } | undefined} */
    let body = form && { type: 'application/x-www-form-urlencoded', text: form.toString() };
    if (json !== undefined) body = { type: 'application/json', text: json };
    let [url, foreign] = [address, crossSite];
    while (visit.hops.length <= mostHops) {
      const method = body ? 'POST' : 'GET';
      visit.at = url;
      const hop = await this.#step(url, { method, crossSite: foreign, body, headers }, visit).catch((error) => {
        visit.fault = sentenceOf(error);
        return null;
      });
      if (!hop) return visit;
      visit.hops.push(hop);
      visit.last = hop;
      this.onHop(hop);
      if (hop.to === null) return visit;
      if (!/^https?:/.test(hop.to) || !URL.canParse(hop.to)) {
        visit.fault = `it sends the browser to an address that is none: ${hop.to.slice(0, 100)}`;
        return visit;
      }
      if (new URL(hop.to).hostname.endsWith('.invalid') || (stay && !stay.has(new URL(hop.to).origin))) return visit;
      if (hop.status < 307 || hop.status > 308) body = undefined;
      // What a page sends the browser to comes from the tool's own site; a redirect still comes from the site where the visit began.
      foreign &&= hop.status >= 300 && hop.status < 400;
      // Only the page that is shown is kept: a stranger may write a lot into those that lead to it.
      hop.body = '';
      url = hop.to;
    }
    visit.fault = `it redirects in circles: more than ${mostHops} times`;
    return visit;
  }

  /**
   * @param {string} url @param {{ method: string, crossSite: boolean, body: { type: string, text: string } | undefined, headers: Record<string, string> }} asking
   * @param {Visit} visit @returns {Promise<Hop>}
   */
  async #step(url, { method, crossSite, body, headers }, visit) {
    const why = this.cookies.map((cookie) => ({ cookie, not: whyNotSent(cookie, url, { crossSite, method }) }));
    for (const { cookie, not } of why) if (not) visit.unused.push(`“${cookie.name}”: ${not}`);
    const pairs = why.filter(({ not }) => !not).map(({ cookie: { name, value } }) => `${name}=${value}`);
    const answer = await ask(
      url,
      {
        method,
        headers: {
          'sec-fetch-site': crossSite ? 'cross-site' : 'same-origin',
          'sec-fetch-mode': 'navigate',
          ...(pairs.length > 0 && { cookie: pairs.join('; ') }),
          ...(body && { 'content-type': body.type, origin: new URL(url).origin }),
          ...headers,
        },
        ...(body && { body: body.text }),
      },
      this.limits,
    );
    const set = (answer.headers['set-cookie'] ?? []).map((line) => readCookie(line, url, Date.now()));
    for (const cookie of set) {
      const dropped = whyDropped(cookie, url, Date.now());
      this.seen.push(cookie);
      // An expired cookie takes away the one there was, which is how a tool signs out.
      const takesAway = dropped?.includes('expired') && this.cookies.some(({ name }) => name === cookie.name);
      if (dropped === null || takesAway) this.keep(cookie);
      else visit.unused.push(`“${cookie.name}”: ${dropped}`);
    }
    const next = nextOf(answer, url);
    const to = next === null ? null : URL.canParse(next.to, url) ? new URL(next.to, url).href : next.to;
    return { ...answer, url, to, set };
  }
}
