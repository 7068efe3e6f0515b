import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Launch } from '#server/dev/sample-tool/adviserly.ts';
import { certificate } from './certificate.ts';
import { cookieOf, escapeHtml, html, redirect, right, type Otherwise, type Session } from './right-tool.ts';
import type { WrongSetting } from './wrong-arrivals.ts';

const sign = (text: string) => createHmac('sha256', 'of the tool').update(text).digest('base64url');
const [sealKey, iv] = [randomBytes(32), randomBytes(12)];
const seal = (text: string) => {
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
};
const unseal = (text: string) => {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKey, iv).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
};
const stateless = (launch: Launch): Session => ({ launch, token: '', key: '' });
const parsed = (text: string) => stateless(JSON.parse(text) as Launch);

const shell = (script: string) => `<!doctype html><title>Notes</title><div id="app"></div><script>${script}</script>`;

export type RightOne = [how: string, tool: Otherwise, setting?: WrongSetting & { path?: string; finish?: false }];

/** Tools that are built differently and do nothing wrong. */
export const rightOnes: RightOne[] = [
  ['a random id in memory', {}, { events: true }],
  [
    'a signed id, as express-session has it',
    {
      cookie: (key) =>
        `connect.sid=${encodeURIComponent(`s:${key}.${sign(key)}`)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=28800`,
      current(ask) {
        const [key = '', mac] = decodeURIComponent(cookieOf(ask, 'connect.sid') ?? '')
          .slice(2)
          .split('.');
        return mac === sign(key) ? this.sessions.get(key) : undefined;
      },
    },
    { events: true },
  ],
  [
    'a cookie and its signature, as Koa has it',
    {
      cookie: (key) => [
        `koa=${key}; path=/; httponly; samesite=lax`,
        `koa.sig=${sign(key)}; path=/; httponly; samesite=lax`,
      ],
      current(ask) {
        const key = cookieOf(ask, 'koa') ?? '';
        return cookieOf(ask, 'koa.sig') === sign(key) ? this.sessions.get(key) : undefined;
      },
    },
  ],
  [
    'a signed token that holds the session, as JWTs do',
    {
      key: (launch) => Buffer.from(JSON.stringify(launch)).toString('base64url'),
      cookie: (key) => `jwt=${key}.${sign(key)}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        const [body = '', mac] = (cookieOf(ask, 'jwt') ?? '').split('.');
        return body && mac === sign(body) ? parsed(Buffer.from(body, 'base64url').toString()) : undefined;
      },
    },
  ],
  [
    'a signed token, and a list of those whom events have ended',
    {
      key: (launch) => Buffer.from(JSON.stringify(launch)).toString('base64url'),
      cookie: (key) => `jwt=${key}.${sign(key)}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        const [body = '', mac] = (cookieOf(ask, 'jwt') ?? '').split('.');
        return mac === sign(body) ? this.sessions.get(body) : undefined;
      },
    },
    { events: true },
  ],
  [
    'a sealed cookie',
    {
      key: (launch) => seal(JSON.stringify({ ...launch, at: randomBytes(4).toString('hex') })),
      cookie: (key) => `sealed=${key}; Path=/; HttpOnly; SameSite=Lax`,
      current(ask) {
        try {
          return parsed(unseal(cookieOf(ask, 'sealed') ?? ''));
        } catch {
          return undefined;
        }
      },
    },
  ],
  [
    'a session for everybody, renewed at the launch, as PHP has it',
    {
      key: () => randomBytes(13).toString('hex'),
      refuse(ask) {
        if (cookieOf(ask) === undefined) ask.res.setHeader('set-cookie', this.cookie(randomBytes(13).toString('hex')));
        return right.refuse(ask);
      },
    },
  ],
  [
    'a key of its own in a header, after the redirect',
    {
      cookie: () => [],
      welcome: (ask, { key }) => redirect(ask, `/app#key=${key}`),
      answer(ask) {
        if (ask.url.pathname !== '/api/me')
          return ask.token === null && ask.req.method === 'GET'
            ? html(ask, shell(`fetch('/api/me', { headers: { authorization: 'Bearer ' + location.hash.slice(5) } })`))
            : right.answer.call(this, ask);
        const session = this.current(ask);
        return session ? ask.res.end(JSON.stringify(session.launch)) : ask.res.writeHead(401).end('{}');
      },
      current(ask) {
        return this.sessions.get(ask.req.headers.authorization?.slice(7) ?? '');
      },
      opened(session) {
        return this.report(session);
      },
    },
    { finish: false },
  ],
  [
    'a page of scripts with a session call of its own',
    {
      cookie: (key) => `sid=${key}; Path=/api; HttpOnly; SameSite=Strict`,
      opened(session) {
        return this.report(session);
      },
      answer(ask) {
        if (ask.token !== null) return right.answer.call(this, ask);
        if (ask.url.pathname === '/app.js') return ask.res.end(`fetch("/api/session").then(draw)`);
        if (ask.url.pathname !== '/api/session')
          return html(ask, '<!doctype html><div id="app"></div><script src="/app.js"></script>');
        const session = this.current(ask);
        return session ? ask.res.end(JSON.stringify(session.launch)) : ask.res.writeHead(401).end('{}');
      },
    },
    { finish: false },
  ],
  [
    'a path of its own on a shared host',
    {
      cookie: (key) => `sid=${key}; Path=/tools/notes; HttpOnly; SameSite=Lax`,
      home: '/tools/notes',
      page({ launch }) {
        return `<p>${launch.email}</p><p>Notes of the day</p><form method=post action=/tools/notes/finish><input name=minutes type=number></form>`;
      },
    },
    { path: 'tools/notes?tenant=1' },
  ],
  [
    'another host for the work, reached with a code that works once',
    {
      welcome(ask, { key }) {
        return redirect(ask, `${this.origin.replace('//in.', '//app.')}/enter?code=${key}`);
      },
      cookie: () => [],
      answer(ask) {
        const key = ask.url.searchParams.get('code') ?? '';
        const session = this.sessions.get(key);
        if (ask.url.pathname !== '/enter' || !session) return right.answer.call(this, ask);
        this.sessions.delete(key);
        this.sessions.set(`app-${sign(key)}`, session);
        ask.res.setHeader('set-cookie', right.cookie(`app-${sign(key)}`));
        return redirect(ask, '/');
      },
    },
    { host: 'in.notes.localhost' },
  ],
  [
    'two hosts with one cookie',
    {
      cookie: (key) => `sid=${key}; Domain=notes.localhost; Path=/; HttpOnly; SameSite=Lax`,
      welcome(ask) {
        return redirect(ask, `${this.origin.replace('//in.', '//app.')}/`);
      },
    },
    { host: 'in.notes.localhost' },
  ],
  [
    'refusals that lead back to the product',
    {
      refuse(ask) {
        return redirect(ask, 'https://adviserly.example/', 302);
      },
    },
  ],
  [
    'refusals with a page of its own',
    {
      refuse: (ask) =>
        ask.token === null
          ? html(ask, '<h1>Notes</h1><p>Notes that write themselves. Advisers open this from their dashboard.</p>')
          : html(ask, '<h1>This link was used</h1><p>Please open Notes again from your dashboard.</p>'),
    },
  ],
  [
    'a message kept for the next page',
    {
      refuse(ask) {
        if (ask.token === null)
          return html(ask, `<p>Open this from Adviserly.</p><p>${cookieOf(ask, 'flash') ?? ''}</p>`);
        return redirect(
          ask.res.setHeader('set-cookie', 'flash=That-link-was-used; Max-Age=60; SameSite=Lax') && ask,
          '/',
        );
      },
    },
  ],
  [
    'reports that come late, and every minute',
    {
      report: async () => undefined,
      opened(session) {
        const { session_id } = session.launch;
        const minute = (n: number) => ({ event_id: `${session_id}:${n}`, session_id, duration_seconds: n });
        setTimeout(() => this.send([minute(60)]).catch(() => undefined), 150);
      },
    },
    { finish: false },
  ],
  [
    'a page between, so that the cookie can be Strict',
    {
      cookie: (key) => `sid=${key}; Path=/; HttpOnly; SameSite=Strict`,
      welcome: (ask) => html(ask, '<meta http-equiv="refresh" content="0; url=/"><p>One moment</p>'),
    },
  ],
  [
    'https, with the strictest of cookies',
    {
      cookie: (key) => `__Host-sid=${key}; Path=/; Secure; HttpOnly; SameSite=Lax`,
      current(ask) {
        return this.sessions.get(cookieOf(ask, '__Host-sid') ?? '');
      },
    },
    { tls: certificate, trusted: true, host: 'localhost' },
  ],
  [
    'a form with a token against other sites',
    {
      page({ launch, key }) {
        return `<h1>Hi ${escapeHtml(launch.given_name)}</h1><p>Notes</p><form action="/finish" method="post"><input type="hidden" name="csrf" value="${sign(key)}"><button>Done</button></form>`;
      },
      finish(ask, session) {
        const isOwn = session && ask.form.get('csrf') === sign(session.key);
        return isOwn ? right.finish.call(this, ask, session) : this.refuse(ask);
      },
    },
  ],
  [
    'packed pages, another cookie for the theme, and a year for it',
    {
      cookie: (key) => [right.cookie(key) as string, 'theme=dark; Path=/; Max-Age=31536000; SameSite=Lax'],
      show({ res }, session) {
        return res
          .writeHead(200, { 'content-encoding': 'gzip', 'cache-control': 'private, no-cache' })
          .end(gzipSync(this.page(session)));
      },
    },
  ],
];
