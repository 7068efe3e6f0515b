import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { realNow } from '#server/platform/clock.ts';
import type { Launch } from '#server/dev/sample-tool/adviserly.ts';
import { cookieOf, escapeHtml, html, redirect, right, type Ask, type Otherwise, type Session } from './right-tool.ts';
import { clears } from './right-makers.ts';
import type { RightOne } from './right-ones.ts';

const sign = (text: string) => createHmac('sha256', 'of the tool').update(text).digest('base64url');
const sealKey = randomBytes(32);
const seal = (text: string) => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
};
const unseal = (text: string) => {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
};
const stateless = (text: string): Session => ({ launch: JSON.parse(text) as Launch, token: '', key: '' });
const opened = (text: string | undefined): Session | undefined => {
  try {
    return stateless(unseal(text ?? ''));
  } catch {
    return undefined;
  }
};
/** JSON as frameworks write it into a script. */
const scripted = (value: unknown) =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
const hex = (text = '') => text.replaceAll(/[<>&"']/g, (letter) => `&#x${letter.codePointAt(0)!.toString(16)};`);
const add = ({ res }: Ask, ...cookies: string[]) => {
  const held = [res.getHeader('set-cookie') ?? []].flat().map(String);
  res.setHeader('set-cookie', [...held, ...cookies]);
};
const sealed = (name: string, more: string): Otherwise => ({
  key: (launch) => seal(JSON.stringify(launch)),
  cookie: (key) => `${name}=${key}; ${more}`,
  current: (ask) => opened(cookieOf(ask, name)),
  show(ask, session) {
    add(ask, `${name}=${seal(JSON.stringify(session.launch))}; ${more}`);
    return right.show.call(this, ask, session);
  },
});

/** Sessions in the ways of frameworks, whole. */
export const rightFrameworks: RightOne[] = [
  [
    'cookie-session: JSON and its signature, in two cookies',
    {
      key: (launch) => Buffer.from(JSON.stringify(launch)).toString('base64'),
      cookie: (key) => [
        `session=${key}; path=/; samesite=lax; httponly`,
        `session.sig=${sign(key)}; path=/; samesite=lax; httponly`,
      ],
      current(ask) {
        const body = cookieOf(ask, 'session') ?? '';
        if (!body || cookieOf(ask, 'session.sig') !== sign(body)) return undefined;
        return stateless(Buffer.from(body, 'base64').toString());
      },
    },
  ],
  ['iron-session: sealed, and anew with each answer', sealed('iron', 'Path=/; HttpOnly; SameSite=Lax; Max-Age=28800')],
  [
    'express-session, rolling',
    {
      ...clears,
      cookie: (key) =>
        `connect.sid=s%3A${key}.${sign(key)}; Path=/; HttpOnly; SameSite=Lax; Expires=${new Date(realNow().getTime() + 28_800_000).toUTCString()}`,
      current(ask) {
        const [key = '', mac] = decodeURIComponent(cookieOf(ask, 'connect.sid') ?? '')
          .slice(2)
          .split('.');
        return mac === sign(key) ? this.sessions.get(key) : undefined;
      },
      show(ask, session) {
        add(ask, this.cookie(session.key) as string);
        return right.show.call(this, ask, session);
      },
    },
    { events: true },
  ],
  [
    'Next: two 307s, and the name in a script too',
    {
      welcome: (ask) => redirect(ask, '/notes', 307),
      answer(ask) {
        if (ask.token === null && ask.url.pathname === '/notes' && ask.req.method === 'GET')
          return redirect(ask, '/', 307);
        return right.answer.call(this, ask);
      },
      show({ res }, session) {
        res.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'private, no-cache, no-store, max-age=0, must-revalidate',
          vary: 'RSC, Next-Router-State-Tree, Accept-Encoding',
        });
        res.end(
          `${this.page(session)}<script>self.__next_f.push([1,${scripted(JSON.stringify({ user: session.launch }))}])</script>`,
        );
      },
    },
  ],
  [
    'Laravel: a sealed cookie and one against forgery, both anew with each answer',
    {
      ...sealed('laravel_session', 'path=/; httponly; samesite=lax; max-age=7200'),
      finish(ask, session) {
        const isOwn = ask.form.get('_token') === session?.launch.session_id;
        if (!isOwn) return html(ask, 'Page Expired', 419);
        return right.finish.call(this, ask, session);
      },
      close(ask) {
        add(ask, 'laravel_session=; path=/; max-age=0');
      },
      page({ launch }) {
        return `<h1>${escapeHtml(launch.name)}</h1><p>Your notes</p><form method="POST" action="/finish"><input type="hidden" name="_token" value="${launch.session_id}" autocomplete="off"><button>Done</button></form>`;
      },
      show(ask, session) {
        add(
          ask,
          `XSRF-TOKEN=${seal('x')}; path=/; samesite=lax; max-age=7200`,
          `laravel_session=${seal(JSON.stringify(session.launch))}; path=/; httponly; samesite=lax; max-age=7200`,
        );
        return right.show.call(this, ask, session);
      },
    },
  ],
  [
    'ASP.NET: one sealed value in two cookies',
    {
      key: (launch) => seal(JSON.stringify(launch)),
      cookie: (key) => [
        '.AspNetCore.Cookies=chunks-2; path=/; samesite=lax; httponly',
        `.AspNetCore.CookiesC1=${key.slice(0, 150)}; path=/; samesite=lax; httponly`,
        `.AspNetCore.CookiesC2=${key.slice(150)}; path=/; samesite=lax; httponly`,
      ],
      current: (ask) =>
        cookieOf(ask, '.AspNetCore.Cookies') === 'chunks-2'
          ? opened(`${cookieOf(ask, '.AspNetCore.CookiesC1') ?? ''}${cookieOf(ask, '.AspNetCore.CookiesC2') ?? ''}`)
          : undefined,
      page(session) {
        const name = JSON.stringify(session.launch.name).replaceAll('</', String.raw`<\/`);
        return `${right.page.call(this, session)}<script>const name = ${name};</script>`;
      },
    },
  ],
  [
    'Flask: signed JSON with the time, and the name in an attribute',
    {
      key: (launch) =>
        `${Buffer.from(JSON.stringify(launch)).toString('base64url')}.${randomBytes(4).toString('base64url')}`,
      cookie: (key) => `session=${key}.${sign(key)}; HttpOnly; Path=/; SameSite=Lax`,
      current(ask) {
        const [body = '', at, mac] = (cookieOf(ask, 'session') ?? '').split('.');
        return body && mac === sign(`${body}.${at}`) ? stateless(Buffer.from(body, 'base64url').toString()) : undefined;
      },
      page({ launch }) {
        return `<input name="who" value="${escapeHtml(launch.name)}" disabled><p>Notes</p><form method=post action=/finish><button>Done</button></form>`;
      },
      show(ask, session) {
        ask.res.setHeader('vary', 'Cookie');
        return right.show.call(this, ask, session);
      },
    },
  ],
  [
    'Rails: a token in each form, Turbo, and hexadecimal escapes',
    {
      ...clears,
      page({ launch, key }) {
        return `<meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="${sign(key)}">
          <h1>${hex(launch.name)}</h1><p>Notes</p><form class="button_to" method="post" action="/finish"><button type="submit">Done</button><input type="hidden" name="authenticity_token" value="${sign(key)}"></form>`;
      },
      finish(ask, session) {
        const given = ask.form.get('authenticity_token') ?? ask.req.headers['x-csrf-token'];
        if (!session || given !== sign(session.key)) return html(ask, 'Unprocessable', 422);
        return right.finish.call(this, ask, session);
      },
    },
    { events: true },
  ],
  [
    'Spring: a new id at the launch, and one for every stranger',
    {
      key: () => randomBytes(16).toString('hex').toUpperCase(),
      cookie: (key) => `JSESSIONID=${key}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        return this.sessions.get(cookieOf(ask, 'JSESSIONID') ?? '');
      },
      refuse(ask) {
        if (cookieOf(ask, 'JSESSIONID') === undefined)
          add(ask, this.cookie(randomBytes(16).toString('hex').toUpperCase()) as string);
        return html(ask, '<title>Forbidden</title><h1>Open this from your dashboard</h1>', 403);
      },
      show(ask, session) {
        for (const [name, value] of Object.entries({
          'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
        }))
          ask.res.setHeader(name, value);
        return html(ask, this.page(session));
      },
    },
    { events: true },
  ],
  [
    'a page of scripts that gets names as JSON, and posts JSON with a header',
    {
      answer(ask) {
        if (ask.token !== null || ask.url.pathname === '/events') return right.answer.call(this, ask);
        const session = this.current(ask);
        if (ask.url.pathname === '/api/me') {
          ask.res.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store');
          return session
            ? ask.res.end(JSON.stringify({ name: session.launch.name }))
            : ask.res.writeHead(401).end('{}');
        }
        if (ask.req.method === 'POST') {
          if (ask.req.headers['content-type'] !== 'application/json') return ask.res.writeHead(415).end();
          return this.finish(ask, session);
        }
        return html(
          ask.res.setHeader('cache-control', 'no-store') && ask,
          `<div id="root"></div><script type="module">const me = await fetch('/api/me').then((r) => r.json())</script>`,
        );
      },
      finished: (ask) => ask.res.writeHead(204).end(),
    },
    { events: true },
  ],
  [
    'one session for each adviser, the newest',
    {
      enter(ask, launch) {
        this.end(launch.sub, null as never);
        return right.enter.call(this, ask, launch);
      },
    },
    { events: true },
  ],
];
