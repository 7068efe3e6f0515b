import { createHash, createHmac } from 'node:crypto';
import type { Launch } from '#server/dev/sample-tool/adviserly.ts';
import { certificate } from './certificate.ts';
import { cookieOf, escapeHtml, html, right, type Otherwise, type Session } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const attributes = (text: string): Otherwise => ({ cookie: (key) => `sid=${key}; ${text}` });
const keyed = (key: (launch: Launch, count: number) => string): Otherwise => ({
  key(launch) {
    return key(launch, this.sessions.size);
  },
});
const later = new Date(2099, 0).toUTCString();
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const sign = (text: string) => createHmac('sha256', 'of the tool').update(text).digest('base64url');
const guest = { name: 'Guest', email: 'nobody@example' } as Launch;

const holder = (packed: string): Session | undefined => {
  const text = Buffer.from(packed, 'base64url').toString();
  return /^\{.*\}$/.test(text) ? { launch: JSON.parse(text) as Launch, token: '', key: '' } : undefined;
};

/** A session that is nothing but its cookie, which says who it is. */
const told: Otherwise = {
  key: ({ name, email, session_id }) => Buffer.from(JSON.stringify({ name, email, session_id })).toString('base64url'),
  current(ask) {
    return holder(cookieOf(ask) ?? '');
  },
};

export const cookies: Wrong[] = [
  ['leaves HttpOnly out', attributes('Path=/; SameSite=Lax'), 'httpOnly', /has no HttpOnly/],
  ['leaves SameSite out', attributes('Path=/; HttpOnly'), 'sameSite', /has no SameSite/],
  [
    'lets other sites use it',
    attributes('Path=/; HttpOnly; SameSite=None; Secure'),
    'sameSite framed',
    /is SameSite=None/,
  ],
  [
    'says None without Secure',
    attributes('Path=/; HttpOnly; SameSite=None'),
    'kept sameSite',
    /refused without Secure/,
  ],
  [
    'is too strict for a launch',
    attributes('Path=/; HttpOnly; SameSite=Strict'),
    'kept',
    /SameSite=Strict holds it back/,
  ],
  ['has another path', attributes('Path=/notes; HttpOnly; SameSite=Lax'), 'kept', /Path \/notes does not cover/],
  ['has another domain', attributes('Domain=other.example; HttpOnly; SameSite=Lax'), 'kept', /is not that of/],
  ['has expired', attributes('Path=/; HttpOnly; SameSite=Lax; Max-Age=0'), 'kept', /expired when it arrives/],
  [
    'had expired',
    attributes('Path=/; HttpOnly; SameSite=Lax; Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    'kept',
    /expired when/,
  ],
  ['lives a year', attributes('Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000'), 'lifetime', /longer than a day/],
  ['lives for ever', attributes(`Path=/; HttpOnly; SameSite=Lax; Expires=${later}`), 'lifetime', /longer than a day/],
  [
    'has a prefix it breaks',
    {
      cookie: (key) => `__Host-sid=${key}; HttpOnly; SameSite=Lax`,
      current(ask) {
        return this.sessions.get(cookieOf(ask, '__Host-sid') ?? '');
      },
    },
    'kept',
    /prefix __Host- demands/,
  ],
  ['is larger than a cookie may be', keyed((_launch, n) => 'k'.repeat(4100) + n), 'kept', /larger than 4096/],
  ['goes over http too', {}, 'secure', /has no Secure/, { tls: certificate, trusted: true, host: 'localhost' }],
  [
    'goes to every host of its domain',
    attributes('Path=/; HttpOnly; SameSite=Lax; Domain=maker.localhost'),
    'domain',
    /every other host under it/,
    { host: 'notes.maker.localhost' },
  ],
  ['counts its sessions', keyed((_launch, n) => `s${n}`), 'guess forge', /hardly anything of it changes/],
  [
    'counts in hexadecimal',
    keyed((_launch, n) => `65f1c0ffee${(4096 + n).toString(16).padStart(14, '0')}`),
    'guess',
    /hardly anything/,
  ],
  ['takes a hash of its count', keyed((_launch, n) => md5(String(n))), 'guess', /hash of what anybody may know/],
  ['takes the address', keyed(({ email }) => encodeURIComponent(email!)), 'guess', /anybody may know/],
  ['takes a hash of the address', keyed(({ email }) => md5(email!)), 'guess', /hash of what anybody may know/],
  ['takes the session’s id', keyed(({ session_id }) => session_id), 'guess', /anybody may know/],
  [
    'never changes',
    keyed(({ sub }) => createHmac('sha256', 'secret').update(sub).digest('hex')),
    'guess',
    /same at every launch/,
  ],
  ['is short', keyed(() => Math.random().toString(36).slice(2, 8)), 'guess', /hardly anything of it changes/],
  ['says who it is, unsigned', told, 'forge', /sign it/],
  [
    'takes any cookie for a guest’s',
    {
      current(ask) {
        const known = right.current.call(this, ask);
        return known ?? (cookieOf(ask) ? { launch: guest, token: '', key: '' } : undefined);
      },
    },
    'forge',
    /was changed, and still accepted/,
  ],
  [
    'checks a signature only where there is one',
    {
      ...told,
      cookie: (key) => `sid=${key}.${sign(key)}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        const [body = '', mac] = (cookieOf(ask) ?? '').split('.');
        return body && (!mac || mac === sign(body)) ? holder(body) : undefined;
      },
    },
    'forge',
    /was changed, and still accepted/,
  ],
];

export const sessions: Wrong[] = [
  [
    'takes the cookie that was there',
    {
      key(launch, ask) {
        return cookieOf(ask) ?? right.key.call(this, launch, ask);
      },
    },
    'fixation',
    /before the launch opened/,
  ],
  [
    'takes a session id from the address',
    {
      key(launch, ask) {
        return ask.url.searchParams.get('sid') ?? right.key.call(this, launch, ask);
      },
    },
    'fixation',
    /before the launch opened/,
  ],
  [
    'gives out its cookie before the launch',
    {
      refuse(ask) {
        if (cookieOf(ask) === undefined)
          ask.res.setHeader('set-cookie', this.cookie(right.key.call(this, {} as Launch, ask)));
        return right.refuse(ask);
      },
      key(launch, ask) {
        return cookieOf(ask) ?? right.key.call(this, launch, ask);
      },
    },
    'fixation',
    /before the launch opened/,
  ],
  [
    'keeps the old session when another adviser comes',
    {
      cookie: (key) => right.cookie(key),
      async enter(ask, launch) {
        const known = this.current(ask);
        return known ? this.welcome(ask, known) : right.enter.call(this, ask, launch);
      },
    },
    'next',
    /still shows the first/,
  ],
  [
    'shows two advisers at once',
    {
      show(ask, session) {
        const names = [...this.sessions.values()].map(({ launch }) => launch.name);
        ask.res.setHeader('cache-control', 'no-store');
        return html(ask, `<h1>Hello</h1><p>${escapeHtml(`${session.launch.name}, after ${names.join(', ')}`)}</p>`);
      },
    },
    'next others',
    /still shows the first/,
  ],
];
