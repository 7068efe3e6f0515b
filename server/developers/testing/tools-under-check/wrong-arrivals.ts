import { exchange } from '#server/dev/sample-tool/adviserly.ts';
import { certificate } from './certificate.ts';
import { escapeHtml, hang, html, redirect, right, type Otherwise, type Setting } from './right-tool.ts';

/** What a tool does wrong → what is found, and the sentence that says so. */
export type Wrong = [what: string, tool: Otherwise, found: string, sentence: RegExp, setting?: WrongSetting];
export type WrongSetting = Setting & {
  address?: (url: string) => string;
  trusted?: boolean;
  patienceMs?: number;
  events?: true;
  finish?: false;
};

/** For tools that never answer: the examiner waits no longer than this. */
export const impatient = { patienceMs: 2000 };

const refusals = 'used madeUp foreign expired';
const dead = 'answers';
const shut = 'answers exchanged';

/** Sends the page's address, with whatever is in it, to another site. */
const leaky = '<meta name="referrer" content="unsafe-url"><img src="https://other.example/x.png">';

export const unreachable: Wrong[] = [
  ['hangs', { answer: hang }, dead, /did not answer within/, impatient],
  ['hangs at a launch', { arrive: hang }, dead, /did not answer within/, impatient],
  [
    'hangs only on refused links',
    { refuse: hang },
    `none ${refusals}`,
    /A used link: it did not answer within/,
    impatient,
  ],
  ['hangs up', { answer: ({ res }) => res.destroy() }, dead, /hung up without an answer/],
  [
    'hangs up in the middle',
    { answer: ({ res }) => res.writeHead(200, { 'content-length': 50 }).write('half', () => res.destroy()) },
    dead,
    /broke off in the middle/,
  ],
  [
    'drips without end',
    { answer: ({ res }) => res.writeHead(200).write('drip') },
    dead,
    /and did not end within/,
    impatient,
  ],
  ['speaks no HTTP', { answer: ({ req }) => req.socket.end('220 smtp ready\r\n\r\n') }, dead, /not HTTP/],
  ['sends more than anybody reads', { page: () => 'x'.repeat(2_500_000) }, 'answers opened', /larger than 2 MB/],
  [
    'says gzip and sends none',
    { show: ({ res }) => res.setHeader('content-encoding', 'gzip').end('plain') },
    'answers opened',
    /packed otherwise/,
  ],
  ['redirects in circles', { arrive: (ask) => redirect(ask, ask.req.url!) }, dead, /in circles/],
  ['redirects nowhere', { welcome: (ask) => redirect(ask, 'javascript:alert(1)') }, 'answers', /address that is none/],
  ['signed its certificate itself', {}, dead, /signed by itself/, { tls: certificate }],
  [
    'has a certificate for another host',
    {},
    dead,
    /another host/,
    { tls: certificate, trusted: true, host: 'notes.localhost' },
  ],
  [
    'is plain http where https is told',
    {},
    dead,
    /does not speak TLS/,
    { address: (url) => url.replace('http:', 'https:') },
  ],
  ['is nowhere', {}, dead, /nothing listens there/, { address: () => 'http://127.0.0.1:1/' }],
  ['has no host', {}, dead, /no such host/, { address: () => 'https://gone.example/' }],
  ['is plain http on a public address', {}, 'encrypted', /plain http/, { host: 'notes.example' }],
  ['breaks at a launch', { arrive: ({ res }) => res.writeHead(500).end() }, shut, /answered 500 to a launch/],
];

export const tokens: Wrong[] = [
  ['keeps the token in the address', { welcome: right.show }, 'address', /shown with auth_token in its address/],
  [
    'keeps it in the fragment',
    { welcome: (ask, { token }) => redirect(ask, `/#${token}`) },
    'address',
    /shown with auth_token in its address/,
  ],
  [
    'prints the token',
    { page: ({ launch, token }) => `${escapeHtml(launch.name)}: ${token}` },
    'written',
    /holds the token it came with/,
  ],
  [
    'sends the token in a header',
    { opened: ({ token }, { res }) => res.setHeader('x-launch', token) },
    'written',
    /header x-launch/,
  ],
  ['makes the token its cookie', { key: (_launch, { token }) => token! }, 'written guess', /is the token itself/],
  [
    'packs the token into its cookie',
    { key: (_launch, { token }) => Buffer.from(token!).toString('base64url') },
    'written guess',
    /is the token itself/,
  ],
  [
    'passes the token on to another site',
    {
      arrive(ask, token) {
        const elsewhere = this.origin.replace('127.0.0.1', 'localhost');
        return ask.url.pathname === '/in'
          ? right.arrive.call(this, ask, token)
          : redirect(ask, `${elsewhere}/in${ask.url.search}`);
      },
    },
    'elsewhere',
    /passed the token to http:\/\/localhost/,
  ],
  [
    'lets the refused page’s address out',
    { refuse: ({ res }) => res.writeHead(403, { 'referrer-policy': 'unsafe-url' }).end('Sorry') },
    'elsewhere',
    /Referrer-Policy of a page \(403\)/,
  ],
  [
    'lets it out by a tag',
    { refuse: (ask) => html(ask, leaky, 403) },
    'elsewhere',
    /Referrer-Policy of a page \(403\)/,
  ],
  ['never asks', { exchange: () => Promise.resolve(null) }, shut, /did not ask Adviserly/],
  [
    'asks with a wrong secret',
    {
      exchange(token) {
        return exchange({ ...this.us, secret: 'wrong' }, token).catch(() => null);
      },
    },
    shut,
    /answered your introspection with 401/,
  ],
  [
    'asks about half a token',
    {
      exchange(token) {
        return exchange(this.us, token.slice(0, 20));
      },
    },
    shut,
    /another token than the one/,
  ],
  [
    'asks in JSON',
    {
      async exchange(token) {
        await this.post('/api/tools/introspect', JSON.stringify({ token }));
        return null;
      },
    },
    shut,
    /introspection with 415/,
  ],
  [
    'shows whose session it is nowhere',
    { page: () => '<h1>Your notes</h1>' },
    'opened',
    /name the address that it asks/,
  ],
  [
    'lets every cache keep the page',
    { opened: (_session, { res }) => res.setHeader('cache-control', 'public, max-age=60') },
    'cache',
    /no-store/,
  ],
  [
    'lets the browser keep the page',
    {
      show(ask, session) {
        return ask.res.setHeader('cache-control', 'private, max-age=600').end(this.page(session));
      },
    },
    'cache',
    /no-store/,
  ],
];
