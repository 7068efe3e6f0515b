import { randomBytes } from 'node:crypto';
import { cookieOf, escapeHtml, html, redirect, right, type Otherwise, type Session } from './right-tool.ts';
import type { RightOne } from './right-ones.ts';

/** Ends the session when it is finished, and takes its cookie away, as express, Django and Rails do. */
export const clears: Otherwise = {
  finished(ask, session) {
    this.close(ask, session);
    return redirect(ask, this.home);
  },
};

const theme = 'theme=dark; Path=/; Max-Age=31536000; SameSite=Lax';
const csrf = randomBytes(24).toString('hex');
const page = (session: Session, more: string) => `<!doctype html>${more}${right.page.call(null as never, session)}`;
/** How long the session took, as most tools report it. */
const measured = (unit: number): Otherwise => {
  const begun = new Map<string, number>();
  const clock = () => performance.now();
  return {
    opened: ({ key }) => void begun.set(key, clock()),
    report({ key, launch: { session_id } }) {
      const duration_seconds = Math.ceil((clock() - begun.get(key)!) / unit);
      return this.send([{ event_id: `${session_id}:done`, session_id, duration_seconds }]);
    },
  };
};
export const { inSeconds, inMilliseconds } = { inSeconds: measured(1000), inMilliseconds: measured(1) };

/** Right tools in the ways of common frameworks, which an examiner may take for wrong. */
export const rightMakers: RightOne[] = [
  ['a session that its finish ends, cookie and all', clears, { events: true }],
  [
    'such a session beside a theme for a year',
    { ...clears, cookie: (key) => [right.cookie(key) as string, theme] },
    { events: true },
  ],
  [
    'a token against forgery in a readable cookie, as Django has it',
    {
      ...clears,
      cookie: (key) => [right.cookie(key) as string, `csrftoken=${csrf}; Path=/; Max-Age=31449600; SameSite=Lax`],
      page: (session) =>
        page(session, '').replace(
          '<form ',
          `<form data-x><input type="hidden" name="csrfmiddlewaretoken" value="${csrf}"></form><form `,
        ),
    },
  ],
  [
    'a finish that takes JSON only',
    {
      finish(ask, session) {
        const isJson = ask.req.headers['content-type'] === 'application/json';
        return isJson ? right.finish.call(this, ask, session) : ask.res.writeHead(415).end();
      },
      finished: (ask) => ask.res.writeHead(204).end(),
    },
  ],
  [
    'a token against forgery in a meta tag, which a script sends',
    {
      page: (session) => page(session, `<meta name="csrf-token" content="${csrf}">`),
      finish(ask, session) {
        const isOwn = ask.req.headers['x-csrf-token'] === csrf;
        return isOwn ? right.finish.call(this, ask, session) : ask.res.writeHead(403).end();
      },
      finished: (ask) => ask.res.writeHead(204).end(),
    },
  ],
  [
    'a finish that takes what nobody can guess',
    {
      finish(ask, session) {
        return ask.req.headers['x-app'] === 'notes' && session ? redirect(ask, '/') : ask.res.writeHead(422).end();
      },
    },
  ],
  [
    'a finish that leads to a page for nobody',
    {
      ...clears,
      home: '/',
      refuse: (ask) => html(ask, '<h1>Signed out</h1>', 403),
    },
  ],
  [
    'one session for each adviser, so that the newest launch ends the one before',
    {
      enter(ask, launch) {
        for (const [key, session] of this.sessions) if (session.launch.sub === launch.sub) this.sessions.delete(key);
        return right.enter.call(this, ask, launch);
      },
    },
    { events: true },
  ],
  [
    'either of two cookies',
    {
      cookie: (key) => [
        `sid=${key}; Path=/; HttpOnly; SameSite=Lax`,
        `again=${key}; Path=/; HttpOnly; SameSite=Lax; Max-Age=28800`,
      ],
      current(ask) {
        return this.sessions.get(cookieOf(ask) ?? '') ?? this.sessions.get(cookieOf(ask, 'again') ?? '');
      },
    },
  ],
  [
    'a cookie that is new with every page',
    {
      show(ask, session) {
        const key = randomBytes(32).toString('base64url');
        this.sessions.delete(session.key);
        this.sessions.set(key, Object.assign(session, { key }));
        ask.res.setHeader('set-cookie', this.cookie(key));
        return right.show.call(this, ask, session);
      },
    },
  ],
  [
    'a list of people who are shut out until their access returns',
    (() => {
      const shut = new Set<string>();
      return {
        takeEvent(ask) {
          const event = this.readEvent(ask);
          if (event?.type === 'access.restored') shut.delete(event.data.sub);
          else if (event) shut.add(event.data.sub);
          return right.takeEvent.call(this, ask);
        },
        async enter(ask, launch) {
          return shut.has(launch.sub) ? this.refuse(ask) : right.enter.call(this, ask, launch);
        },
      };
    })(),
    { events: true },
  ],
  [
    'events that it had are answered at once',
    (() => {
      const had = new Set<string>();
      return {
        takeEvent(ask) {
          const id = String(ask.req.headers['webhook-id']);
          if (!this.readEvent(ask)) return ask.res.writeHead(400).end();
          if (had.has(id)) return ask.res.writeHead(200).end();
          had.add(id);
          return right.takeEvent.call(this, ask);
        },
      };
    })(),
    { events: true },
  ],
  ['a session reported as long as it took', { ...inSeconds, ...clears }, { events: true }],
  [
    'names in an attribute and in a script',
    {
      page: (session) =>
        `<!doctype html><script>const me = ${JSON.stringify(session.launch.name).replaceAll('<', '\\u003c')}</script>
         <input value="${escapeHtml(session.launch.name)}"><a href="https://help.example/?about=notes">Help</a>${page(session, '')}`,
    },
  ],
  [
    'redirects to its own sign-in page',
    {
      refuse: (ask) =>
        ask.url.pathname === '/login' ? html(ask, '<h1>Open it from Adviserly</h1>') : redirect(ask, '/login'),
    },
  ],
];
