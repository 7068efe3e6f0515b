// @ts-check
/**
 * What a page says, read without running its scripts.
 *
 * @typedef {{ email: string, name: string, given_name: string, sub?: string }} Adviser
 *   `sub`: the id by which the tool knows them.
 * @typedef {{ status: number, body: string }} Page
 */

/** @type {Record<string, string>} */
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** @param {string} text */
export const decoded = (text) =>
  text
    .replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (all, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : 0;
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : (entities[name] ?? all);
    })
    .replaceAll(/\\u([\da-f]{4})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/\\(["'/\\])/g, '$1');

/** @param {Adviser} adviser */
const marksOf = ({ email, name, given_name }) => [email, name, given_name].map((mark) => mark.toLowerCase());

/** @param {string} text */
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Which of this adviser's names and address are in the text, as whole words. @param {string} body @param {Adviser} adviser */
export const marksIn = (body, adviser) => {
  const text = decoded(body).toLowerCase();
  return marksOf(adviser).filter((mark) =>
    new RegExp(`(?<![\\p{L}\\d])${escaped(mark)}(?![\\p{L}\\d])`, 'u').test(text),
  );
};

/** Without a type, browsers look at the beginning. @param {Pick<import('./http.js').Answer, 'headers' | 'body'>} page */
export const isHtml = ({ headers, body }) =>
  headers['content-type'] ? headers['content-type'].includes('html') : /^\s*</.test(body);

/**
 * Whether an awkward name became part of the page's markup. Null where the page doesn't show it, or the name has no markup in it.
 * @param {import('./http.js').Answer} page @param {Adviser} adviser
 */
export function breaksOut(page, { name, given_name }) {
  const { body } = page;
  const [probe, tag] = /^[^<]*(<\/?\w+>)/.exec(given_name) ?? [];
  if (probe === undefined || tag === undefined || !isHtml(page)) return null;
  const shown = decoded(body).toLowerCase();
  if (![name, given_name].some((one) => shown.includes(one.toLowerCase()))) return null;
  // In a script, what looks like the end of an element can end the script.
  const scripts = (body.match(/<(script|style)\b[^]*?<\/\1>/gi) ?? []).join('');
  const markup = body.replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, ' ');
  const spelt = tag.replaceAll(/[<>]/g, (letter) => (letter === '<' ? '&(?:lt|#60|#x3c);' : '(?:>|&(?:gt|#62|#x3e);)'));
  // In an attribute, the name's own quotation mark ends the value.
  const cut = [`="[^"<>]*${spelt}"`, `='[^'<>]*${spelt}(?:"|&\\w+;|&#\\w+;)&(?:amp;)?'`];
  return (
    markup.includes(probe) ||
    (tag.startsWith('</') && scripts.includes(probe)) ||
    cut.some((pattern) => new RegExp(pattern, 'i').test(markup))
  );
}

/** The words of a page that name nobody; a form or a control counts as one word, with its name. @param {string} body @param {Adviser[]} advisers */
export function wordsOf(body, advisers) {
  const offers = [...body.matchAll(/<(form|button|input|textarea|select)\b[^>]*/gi)].map(([tag, kind]) => {
    const name = /\b(?:name|action)\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? '';
    return `<${kind}:${name}>`;
  });
  let text = decoded(body.replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, ' ').replaceAll(/<[^>]*>/g, ' ')).toLowerCase();
  for (const mark of advisers.flatMap(marksOf)) text = text.replaceAll(mark, ' ');
  return new Set([...(text.match(/\p{L}{2,}/gu) ?? []), ...offers]);
}

/** How much of `all` is in `part`, 0 to 1. @param {Set<string>} part @param {Set<string>} all */
export const share = (part, all) => (all.size === 0 ? 0 : [...all].filter((word) => part.has(word)).length / all.size);

/** The tool's own addresses that its scripts fetch, where they are written out in them. @param {string} body @param {string} base */
export const fetchedBy = (body, base) =>
  [...body.matchAll(/\bfetch\(\s*["'`]([^"'`$\s]{1,200})["'`]/g)]
    .map(([, path = '']) => (URL.canParse(path, base) ? new URL(path, base) : null))
    .filter((url) => url !== null && url.origin === new URL(base).origin && !/log-?out|sign-?out/i.test(url.pathname))
    .map((url) => /** @type {URL} */ (url).href)
    .slice(0, 10);

/** The tool's own scripts that a page loads. @param {string} body @param {string} base */
export const scriptsOf = (body, base) =>
  [...body.matchAll(/<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi)]
    .map(([, path = '']) => (URL.canParse(path, base) ? new URL(path, base) : null))
    .filter((url) => url !== null && url.origin === new URL(base).origin)
    .map((url) => /** @type {URL} */ (url).href)
    .slice(0, 20);

/** @param {string} tag @param {string} name */
const attribute = (tag, name) => {
  const [, quoted, single, bare] =
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag) ?? [];
  const value = quoted ?? single ?? bare;
  return value === undefined ? undefined : decoded(value);
};

/**
 * The page's form that posts to this address, filled in: with the values it holds, and a number where it asks for one. Without such a
 * form, minutes and actions.
 * @param {string} body @param {string} base @param {string} address
 */
export function formTo(body, base, address) {
  const fields = new URLSearchParams();
  for (const [, tag = '', inner = ''] of body.matchAll(/(<form\b[^>]*>)([^]*?)<\/form>/gi)) {
    const action = attribute(tag, 'action') ?? base;
    if (!URL.canParse(action, base) || new URL(action, base).pathname !== new URL(address).pathname) continue;
    for (const [input] of inner.matchAll(/<input\b[^>]*>/gi)) {
      const name = attribute(input, 'name');
      const usual = attribute(input, 'type') === 'number' ? '5' : '';
      if (name) fields.set(name, attribute(input, 'value') || usual);
    }
    return fields;
  }
  return new URLSearchParams({ minutes: '5', actions: '2' });
}

/** What a script would send with its call against forgery by other sites: from a meta tag, or from a cookie made for it. @param {string} body @param {import('./cookies.js').Cookie[]} cookies @returns {Record<string, string>} */
export function csrfOf(body, cookies) {
  const [tag = ''] = /<meta\b[^>]*\bname\s*=\s*["']?[\w-]*(?:csrf|xsrf)[\w-]*(?<!param)["'\s][^>]*>/i.exec(body) ?? [];
  const cookie = cookies.find(({ name, httpOnly }) => !httpOnly && /csrf|xsrf/i.test(name));
  const value = attribute(tag, 'content') ?? (cookie && decodeURIComponent(cookie.value));
  return value ? { 'x-csrf-token': value, 'x-xsrf-token': value, 'x-csrftoken': value } : {};
}

/** Addresses of the tool's own that a page leads to. @param {string} body @param {string} base */
export const linksOf = (body, base) =>
  [...body.matchAll(/<(?:a|form|iframe)\b[^>]*?\b(?:href|action|src)\s*=\s*["']?([^"'\s>#]+)/gi)]
    .map(([, path = '']) => (URL.canParse(decoded(path), base) ? new URL(decoded(path), base) : null))
    .filter((url) => url !== null && url.origin === new URL(base).origin)
    .map((url) => /** @type {URL} */ (url).href)
    .slice(0, 20);

/** Whether a page's links and pictures send its address to other sites. @param {import('./http.js').Answer} page */
export function leaksAddress({ headers, body }) {
  const leaky = /\b(unsafe-url|no-referrer-when-downgrade)\b/i;
  const known = String(headers['referrer-policy'] ?? '')
    .split(',')
    .map((policy) => policy.trim());
  const tags = [...body.matchAll(/<[^>]*\breferrerpolicy\s*=[^>]*>|<meta\b[^>]*name\s*=\s*["']?referrer\b[^>]*>/gi)];
  return leaky.test(known.at(-1) ?? '') || tags.some(([tag]) => leaky.test(tag));
}

/** Whether another person at the same browser, or a cache on the way, may get this page without asking. @param {import('./http.js').Answer} page */
export function mayBeKept({ headers }) {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/no-store|no-cache/.test(control)) return false;
  const age = Number(/max-age\s*=\s*"?(\d+)/.exec(control)?.[1] ?? 0);
  if (/\bprivate\b/.test(control)) return age > 0 && !/cookie|\*/i.test(headers['vary'] ?? '');
  const later = Date.parse(headers['expires'] ?? '') > Date.now();
  return (
    age > 0 || /\bpublic\b|s-maxage\s*=\s*"?[1-9]/.test(control) || later || (!control && 'last-modified' in headers)
  );
}

/** A page without any such header comes back with the browser's Back button. @param {import('./http.js').Answer} page */
export const saysNothing = (page) => isHtml(page) && !/\S/.test(page.headers['cache-control'] ?? '');
