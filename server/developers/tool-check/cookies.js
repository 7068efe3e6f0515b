// @ts-check
/**
 * A browser's cookie rules (RFC 6265bis, as Chrome, Firefox and Safari apply them), as far as they decide whether a tool's session
 * works and who else gets it.
 *
 * @typedef {{ name: string, value: string, domain: string, hostOnly: boolean, path: string, secure: boolean, httpOnly: boolean,
 *   sameSite: 'strict' | 'lax' | 'none' | null, expires: number | null, wideDomain: string | null }} Cookie
 * @typedef {{ crossSite: boolean, method: string }} Asking
 */

/** @param {string} host */
export const isLocal = (host) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** @param {string} host */
const isAddress = (host) => /^[\d.]+$/.test(host) || host.startsWith('[');

/** Names under which strangers register their own; only the usual ones. @param {string} domain */
const isPublic = (domain) => !domain.includes('.') || /^(com|net|org|edu|gov|asn|id|co|ac)\.[a-z]{2}$/.test(domain);

/** @param {string} host @param {string} domain */
const domainMatches = (host, domain) => host === domain || (!isAddress(host) && host.endsWith(`.${domain}`));

/** @param {string} path @param {string} prefix */
const pathMatches = (path, prefix) =>
  path === prefix || (path.startsWith(prefix) && (prefix.endsWith('/') || path[prefix.length] === '/'));

/** @param {string} pathname */
const defaultPath = (pathname) => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

/** Decoded byte by byte, since the value may not be UTF-8. @param {string} value */
export const unescaped = (value) =>
  value.replaceAll(/%([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));

/** @param {Map<string, string>} attributes @param {number} now @returns {number | null} */
function expiryOf(attributes, now) {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return now + Number(age) * 1000;
  const at = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(at) ? null : at;
}

/**
 * The cookie that a Set-Cookie line makes at this address.
 * @param {string} line @param {string} address @param {number} now @returns {Cookie}
 */
export function readCookie(line, address, now) {
  const { hostname, pathname } = new URL(address);
  const [pair = '', ...rest] = line.split(';');
  const at = pair.indexOf('=');
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const asked = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  const path = attributes.get('path') ?? '';
  const sameSite = (attributes.get('samesite') ?? '').toLowerCase();
  return {
    name: at < 0 ? '' : pair.slice(0, at).trim(),
    value: pair.slice(at + 1).trim(),
    domain: asked || hostname,
    hostOnly: asked === '',
    path: path.startsWith('/') ? path : defaultPath(pathname),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    sameSite: sameSite === 'strict' || sameSite === 'lax' || sameSite === 'none' ? sameSite : null,
    expires: expiryOf(attributes, now),
    wideDomain: asked && hostname.endsWith(`.${asked}`) ? asked : null,
  };
}

/** Why a browser throws this cookie away; null where it keeps it. @param {Cookie} cookie @param {string} address @param {number} now */
export function whyDropped(cookie, address, now) {
  const { hostname, protocol } = new URL(address);
  const secure = protocol === 'https:' || isLocal(hostname);
  if (!cookie.name && !cookie.value) return 'it has neither name nor value';
  if (cookie.name.length + cookie.value.length > 4096) return 'it is larger than 4096 bytes';
  if (!domainMatches(hostname, cookie.domain)) return `its Domain ${cookie.domain} is not that of ${hostname}`;
  if (cookie.wideDomain && isPublic(cookie.domain)) return `its Domain ${cookie.domain} belongs to everybody`;
  if (cookie.secure && !secure) return 'it is Secure, and was set over plain http';
  if (cookie.sameSite === 'none' && !cookie.secure) return 'SameSite=None is refused without Secure';
  if (cookie.name.startsWith('__Secure-') && !cookie.secure) return 'its prefix __Secure- demands Secure';
  if (cookie.name.startsWith('__Host-') && (!cookie.secure || !cookie.hostOnly || cookie.path !== '/'))
    return 'its prefix __Host- demands Secure, Path=/ and no Domain';
  if (cookie.expires !== null && cookie.expires <= now) return 'it has expired when it arrives';
  return null;
}

/** Why a kept cookie is not sent to this address; null where it is. @param {Cookie} cookie @param {string} address @param {Asking} asking */
export function whyNotSent(cookie, address, { crossSite, method }) {
  const { hostname, pathname, protocol } = new URL(address);
  if (cookie.hostOnly ? hostname !== cookie.domain : !domainMatches(hostname, cookie.domain))
    return `it belongs to ${cookie.domain}, not to ${hostname}`;
  if (!pathMatches(pathname, cookie.path)) return `its Path ${cookie.path} does not cover ${pathname}`;
  if (cookie.secure && protocol !== 'https:' && !isLocal(hostname))
    return 'it is Secure, and the address is plain http';
  if (crossSite && cookie.sameSite === 'strict')
    return 'SameSite=Strict holds it back, since the adviser comes from Adviserly, another site (on localhost it seems to work)';
  if (crossSite && cookie.sameSite !== 'none' && method !== 'GET') return 'it is not sent with posts of another site';
  return null;
}
