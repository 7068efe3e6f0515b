// @ts-check
import { decoded, marksIn } from './page.js';
import { unescaped } from './cookies.js';

/**
 * What leaks in any answer of the tool, whichever check asked for it: tokens, the tool's secrets, and the adviser's name or address on
 * its way to another site.
 *
 * @typedef {import('./browser.js').Hop} Hop
 * @typedef {import('./page.js').Adviser} Adviser
 */

/** So many letters of a token in a row are no accident. */
const piece = 16;
const mostWords = 20_000;

/** @param {string} text @returns {string[]} */
function unpacked(text) {
  const packed = text.match(/[A-Za-z0-9+/_-]{20,}={0,2}/g) ?? [];
  return packed.slice(0, 2000).map((one) => Buffer.from(one, 'base64').toString('latin1'));
}

/** The text, what is percent-encoded or escaped in it, and what is base64 in it. @param {string} text */
const readings = (text) => {
  const plain = [...new Set([text, decoded(unescaped(text))])];
  return [...plain, ...unpacked(plain.join('\n'))];
};

/** Other sites' addresses that a browser asks by itself: not links and forms, which somebody presses. @param {string} body @param {string} base */
function askedBy(body, base) {
  const page = body.replaceAll(/<(?:a|form|area)\b[^>]*>/gi, ' ');
  const found = page.match(/(?:https?:|(?<=["'`(=\s]))\/\/[^\s"'`<>)\\]{3,2000}/gi) ?? [];
  return found
    .flatMap((text) => (URL.canParse(decoded(text), base) ? [new URL(decoded(text), base)] : []))
    .slice(0, 500);
}

export class Notice {
  /** @type {Set<string>} */
  #pieces = new Set();
  /** Words that may be a secret. @type {Set<string>} */
  words = new Set();
  /** Where a token was written. @type {string | null} */
  written = null;
  /** Who was told of an adviser. @type {Set<string>} */
  told = new Set();

  /** Everything that holds a part of this token is noticed from now on. @param {string} token */
  remember(token) {
    for (let at = 0; at + piece <= token.length; at += 1) this.#pieces.add(token.slice(at, at + piece));
  }

  /** Whether a text holds most of a token that was launched with. @param {string} text */
  holdsToken(text) {
    return readings(text).some((reading) =>
      (reading.match(/[\w-]{16,}/g) ?? []).some((run) => {
        for (let at = 0; at + piece <= run.length; at += 1)
          if (this.#pieces.has(run.slice(at, at + piece))) return true;
        return false;
      }),
    );
  }

  /** @param {Hop} hop @param {Set<string>} origins the tool's @param {Adviser[]} advisers */
  take({ url, to, status, headers, body, set }, origins, advisers) {
    this.#takeToken({ url, to, status, headers, body, set });
    for (const text of [body, JSON.stringify(headers)])
      for (const reading of readings(text))
        for (const word of reading.match(/(?:whsec_)?[A-Za-z0-9+/_-]{40,64}=?/g) ?? [])
          if (this.words.size < mostWords) this.words.add(word);
    const addresses = [...(to !== null && URL.canParse(to) ? [new URL(to)] : []), ...askedBy(body, url)];
    for (const address of addresses) {
      if (!/^https?:$/.test(address.protocol) || origins.has(address.origin)) continue;
      const text = `${address.pathname}${address.search}`;
      const texts = [text.replaceAll('+', ' '), text.replaceAll('/', ' ')].flatMap(readings);
      const named = advisers.some((adviser) =>
        texts.some((one) => marksIn(one, adviser).some((mark) => mark !== adviser.given_name.toLowerCase())),
      );
      if (named) this.told.add(address.host);
    }
  }

  /** @param {Pick<Hop, 'url' | 'to' | 'status' | 'headers' | 'body' | 'set'>} hop */
  #takeToken({ url, to, status, headers, body, set }) {
    if (this.written !== null) return;
    const cookie = set.find(({ value }) => this.holdsToken(value));
    if (cookie) this.written = `The cookie “${cookie.name}” is the token itself: make a session id of your own.`;
    const header = Object.entries(headers).find(
      ([name, value]) => !['location', 'set-cookie', 'refresh'].includes(name) && this.holdsToken(String(value)),
    );
    if (header) this.written ??= `The token stands in the header ${header[0]} of ${new URL(url).pathname}.`;
    // A redirect that passes the token on repeats it for browsers that don't follow.
    if (!(to !== null && this.holdsToken(to)) && this.holdsToken(body))
      this.written ??= `The page (${status}) holds the token it came with: never write one into HTML, scripts or links.`;
  }
}
