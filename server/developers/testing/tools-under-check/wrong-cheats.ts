import { createHmac } from 'node:crypto';
import { realNow } from '#server/platform/clock.ts';
import type { Launch } from '#server/dev/sample-tool/adviserly.ts';
import { cookieOf, html, redirect, right, type Ask, type Otherwise, type Session } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const events = { events: true } as const;
const isCheck = ({ req }: Ask) => (req.headers['user-agent'] ?? '').includes('Adviserly-Check');
const someone: Launch = {
  active: true,
  sub: 'x',
  session_id: 'x',
  status: 'active',
  client_reference: null,
  purpose: null,
  name: 'Somebody',
  email: 'a@b.example',
};
const withName = (shown: (name: string) => string): Otherwise => ({
  page(session) {
    return right.page.call(this, session) + shown(session.launch.name ?? '');
  },
});
const jwt = (part: string) => createHmac('sha256', 'of the tool').update(part).digest('base64url');
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hasSigned = (compare: (given: string, ours: string) => boolean): Otherwise => ({
  readEvent(ask) {
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': given,
    } = ask.req.headers as Record<string, string>;
    if (!id || !at || given === undefined || Math.abs(realNow().getTime() / 1000 - Number(at)) > 300) return null;
    const key = Buffer.from(this.us.signingSecret!.slice(6), 'base64');
    const ours = `v1,${createHmac('sha256', key).update(`${id}.${at}.${ask.body}`).digest('base64')}`;
    return given.split(' ').some((one) => compare(one, ours)) ? (JSON.parse(ask.body) as never) : null;
  },
});

/** Tools that look right at a first look, or only while they are looked at. */
export const cheats: Wrong[] = [
  [
    'is strict with the check alone',
    {
      async arrive(ask, token) {
        const launch = await this.exchange(token);
        if (launch) return this.enter(ask, launch);
        return isCheck(ask) ? this.refuse(ask) : this.enter(ask, someone);
      },
    },
    'madeUp',
    /without the check’s name/,
  ],
  [
    'compares only as much of a cookie as it is given',
    {
      current(ask) {
        const given = cookieOf(ask);
        return given === undefined ? undefined : [...this.sessions].find(([key]) => key.startsWith(given))?.[1];
      },
    },
    'forge',
    /was changed, and still accepted/,
  ],
  [
    'compares only as much of a signature as it is given',
    hasSigned((given, ours) => ours.startsWith(given)),
    'forged',
    /half of its signature/,
    events,
  ],
  [
    'ends one of an adviser’s two sessions',
    {
      end(sub) {
        const own = [...this.sessions].filter(([, { launch }]) => launch.sub === sub).at(-1);
        if (own) this.sessions.delete(own[0]);
      },
    },
    'ended',
    /another browser/,
    events,
  ],
  [
    'forgets a name’s quotation marks in an attribute',
    withName((name) => `<input value="${name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">`),
    'escaped',
    /markup/,
  ],
  [
    'writes a name into a script as it is',
    withName((name) => `<script>const name = ${JSON.stringify(name)};</script>`),
    'escaped',
    /markup/,
  ],
  [
    'lets caches keep what its script fetches',
    {
      answer(ask) {
        if (ask.token !== null || ask.url.pathname === '/finish') return right.answer.call(this, ask);
        const session = this.current(ask);
        if (ask.url.pathname !== '/api/me')
          return html(
            ask.res.setHeader('cache-control', 'no-store') && ask,
            `<div id=app></div><script>fetch('/api/me')</script>`,
          );
        if (!session) return ask.res.writeHead(401).end('{}');
        return ask.res.setHeader('cache-control', 'public, max-age=600').end(JSON.stringify(session.launch));
      },
    },
    'cache',
    /keep/,
  ],
  [
    'believes a header that says who is there',
    {
      current(ask) {
        const who = ask.req.headers['x-forwarded-email'] ?? ask.req.headers['x-forwarded-user'];
        const known = [...this.sessions.values()].find(({ launch }) => launch.email === who);
        return right.current.call(this, ask) ?? known;
      },
    },
    'none',
    /whose header names the adviser/,
  ],
  [
    'takes a token without a signature',
    {
      key: (launch) => `${encoded({ alg: 'HS256' })}.${encoded(launch)}`,
      cookie: (key) => `jwt=${key}.${jwt(key)}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        const [head = '', body = '', mac] = (cookieOf(ask, 'jwt') ?? '').split('.');
        if (!head || !body) return undefined;
        const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
        if (alg !== 'none' && mac !== jwt(`${head}.${body}`)) return undefined;
        return { launch: JSON.parse(Buffer.from(body, 'base64url').toString()) as Launch, token: '', key: '' };
      },
    },
    'forge',
    /was changed, and still accepted/,
  ],
  [
    'takes a session’s id from the address',
    {
      enter(ask, launch) {
        const chosen = ask.url.searchParams.get('sid') ?? undefined;
        const session: Session = { launch, token: ask.token ?? '', key: chosen ?? this.key(launch, ask) };
        this.sessions.set(session.key, session);
        ask.res.setHeader('set-cookie', this.cookie(session.key));
        return Promise.resolve(redirect(ask, this.home));
      },
    },
    'fixation',
    /stranger set/,
  ],
  ['writes the adviser into a comment unescaped', withName((name) => `<!-- ${name} -->`), 'escaped', /markup/],
];
