import { clears } from './right-makers.ts';
import { cookieOf, html, redirect, type RightTool, right, type Otherwise, type Session } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const finishing = (cookie: string): Otherwise => ({ ...clears, cookie: (key) => `sid=${key}; ${cookie}` });
const last = (tool: RightTool) => [...tool.sessions.values()].at(-1);
const basic = ({ toolId, secret }: RightTool['us']) => Buffer.from(`${toolId}:${secret}`).toString('base64');
const withMore = (more: (tool: RightTool, session: Session) => string): Otherwise => ({
  page(session) {
    return right.page.call(this, session) + more(this, session);
  },
});
const quoted = (session: Session) =>
  right.page
    .call(null as never, session)
    .replaceAll('&#60;', '<')
    .replaceAll('&#62;', '>');
const refusals = 'used madeUp foreign expired';

/** Finish their session and clear its cookie, which must not hide what is wrong while it is open. */
export const finishers: Wrong[] = [
  ['clears a cookie that scripts can read', finishing('Path=/; SameSite=Lax'), 'httpOnly', /has no HttpOnly/],
  ['clears a cookie without attributes', finishing('Path=/'), 'httpOnly sameSite', /has no SameSite/],
  [
    'clears a cookie that lives a year',
    finishing('Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000'),
    'lifetime',
    /longer than a day/,
  ],
  ['clears a cookie that is the adviser’s id', { ...clears, key: ({ sub }) => sub }, 'guess', /anybody may know/],
  [
    'clears a cookie that it took over',
    {
      ...clears,
      key(launch, ask) {
        return cookieOf(ask) ?? right.key.call(this, launch, ask);
      },
    },
    'fixation',
    /before the launch opened/,
  ],
  [
    'clears a session that it kept for the next adviser',
    {
      ...clears,
      async enter(ask, launch) {
        const known = this.current(ask);
        return known ? this.welcome(ask, known) : right.enter.call(this, ask, launch);
      },
    },
    'next',
    /still shows the first/,
  ],
  [
    'knows a session by its IP address',
    {
      ...clears,
      current() {
        return last(this);
      },
    },
    `none others guarded obeyed ${refusals}`,
    /to a visitor without a session/,
  ],
];

/** What makers do in their first version. */
export const firstVersions: Wrong[] = [
  [
    'shows the last adviser who came to everybody with a session',
    {
      show(ask, _session) {
        return right.show.call(this, ask, last(this)!);
      },
    },
    'others',
    /one of them is shown the other/,
  ],
  [
    'ends everybody’s session at a launch',
    {
      enter(ask, launch) {
        this.sessions.clear();
        return right.enter.call(this, ask, launch);
      },
    },
    'others',
    /ended the session of the first/,
  ],
  [
    'writes its secret into the page',
    withMore(({ us }) => `<script>const key = "${us.secret}"</script>`),
    'secrets',
    /shows the secret/,
  ],
  [
    'writes the header of its calls into the page',
    withMore(({ us }) => `<script>fetch("https://x", {headers: {authorization: "Basic ${basic(us)}"}})</script>`),
    'secrets',
    /shows the secret/,
  ],
  [
    'writes its signing secret into the page',
    withMore(({ us }) => `<!-- ${us.signingSecret} -->`),
    'secrets',
    /the signing secret/,
  ],
  [
    'writes its secret where it refuses',
    {
      refuse(ask) {
        return html(ask, `<pre>${JSON.stringify({ env: this.us })}</pre>`, 403);
      },
    },
    'secrets',
    /shows the/,
  ],
  [
    'loads a script with its secret',
    {
      page: (session) => `<script src="/app.js"></script>${right.page.call(null as never, session)}`,
      answer(ask) {
        return ask.url.pathname === '/app.js'
          ? ask.res.end(`const k = '${this.us.secret}'`)
          : right.answer.call(this, ask);
      },
    },
    'secrets',
    /shows the secret/,
  ],
  ['writes names as markup', { page: quoted }, 'escaped', /became part of the page/],
  [
    'lets a name end an attribute',
    {
      page: (session) =>
        `<input value="${session.launch.name!.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">${right.page.call(null as never, session)}`,
    },
    'escaped',
    /became part of the page/,
  ],
  [
    'shows the adviser’s address to a counter',
    withMore((_tool, { launch }) => `<img src="https://count.example/p.gif?u=${encodeURIComponent(launch.email!)}">`),
    'person',
    /to count\.example/,
  ],
  [
    'shows it to a counter in base64',
    withMore(
      (_tool, { launch }) =>
        `<script>new Image().src = "//count.example/${Buffer.from(launch.email!).toString('base64')}"</script>`,
    ),
    'person',
    /to count\.example/,
  ],
  [
    'sends a file',
    {
      show: ({ res }, one) =>
        res
          .writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
          .end(right.page.call(null as never, one)),
    },
    'shown',
    /save as a file/,
  ],
  [
    'sends plain text',
    {
      show: ({ res }, one) =>
        res
          .writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
          .end(right.page.call(null as never, one)),
    },
    'shown',
    /show the markup/,
  ],
  [
    'says nothing of caches',
    { show: (ask, session) => html(ask, right.page.call(null as never, session)) },
    'cache',
    /no-store/,
  ],
  [
    'lets every site read the page',
    {
      show(ask, session) {
        const { origin } = ask.req.headers;
        if (origin)
          ask.res.setHeaders(
            new Map([
              ['access-control-allow-origin', origin],
              ['access-control-allow-credentials', 'true'],
            ]),
          );
        return right.show.call(this, ask, session);
      },
    },
    'readable',
    /repeats any origin/,
  ],
  [
    'keeps half of the token in the address',
    { welcome: (ask, { token }) => redirect(ask, `/?from=${token.slice(0, 22)}`) },
    'address',
    /or a part of it/,
  ],
  [
    'repeats the token in its redirect',
    { welcome: ({ res }, { token }) => res.writeHead(303, { location: '/' }).end(`Signed in with ${token}`) },
    'written',
    /holds the token it came with/,
  ],
  [
    'follows an address that begins with two slashes',
    {
      answer(ask) {
        const path = ask.req.url ?? '';
        return path.startsWith('//') ? redirect(ask, `${path.replace(/\/$/, '')}/`) : right.answer.call(this, ask);
      },
    },
    'redirect',
    /two slashes/,
  ],
  [
    'follows returnUrl from its sign-in page',
    {
      answer(ask) {
        const to = ask.url.pathname === '/login' && ask.url.searchParams.get('returnUrl');
        return to ? redirect(ask, to) : right.answer.call(this, ask);
      },
    },
    'redirect',
    /addresses of your own only/,
  ],
];
