import type { Launch } from '#server/dev/sample-tool/adviserly.ts';
import { exchange } from '#server/dev/sample-tool/adviserly.ts';
import { html, redirect, right, type Ask, type RightTool } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const refusals = 'used madeUp foreign expired';
const guest = { name: 'Guest', email: 'nobody@example' } as Launch;
const last = (tool: RightTool) => [...tool.sessions.values()].at(-1);
const next = ({ url }: Ask) => url.searchParams.get('next');

export const openings: Wrong[] = [
  [
    'greets a guest on a bad token',
    {
      async arrive(ask, token) {
        return this.enter(ask, (await this.exchange(token)) ?? guest);
      },
    },
    refusals,
    /what only a session should show/,
  ],
  [
    'greets a guest at once',
    {
      refuse(ask) {
        return ask.token === null ? right.refuse(ask) : html(ask, this.page({ launch: guest, token: '', key: '' }));
      },
    },
    refusals,
    /what only a session should show/,
  ],
  [
    'shows everything with its 403',
    {
      refuse(ask) {
        return ask.token === null
          ? right.refuse(ask)
          : html(ask, this.page({ launch: guest, token: '', key: '' }), 403);
      },
    },
    refusals,
    /what only a session should show/,
  ],
  [
    'is open to everybody without a name',
    {
      refuse(ask) {
        return html(ask, this.page({ launch: guest, token: '', key: '' }));
      },
    },
    'none',
    /the same page as the adviser/,
  ],
  [
    'shows the last adviser on a bad token',
    {
      refuse(ask) {
        const session = last(this);
        return session && ask.token !== null ? this.show(ask, session) : right.refuse(ask);
      },
    },
    refusals,
    /opened the session of/,
  ],
  [
    'shows the last adviser to everybody',
    {
      current() {
        return last(this);
      },
    },
    `none ${refusals} guarded others`,
    /to a visitor without a session/,
  ],
  [
    'remembers who came with a token',
    {
      async arrive(ask, token) {
        const known = [...this.sessions.values()].find((session) => session.token === token);
        return known ? this.enter(ask, known.launch) : right.arrive.call(this, ask, token);
      },
    },
    'used',
    /A used link: it opened the session of/,
  ],
  [
    'lets a made-up token in',
    {
      async exchange(token) {
        return (
          (await right.exchange.call(this, token)) ??
          (this.sessions.size > 0 && /^[\w-]{43}$/.test(token) ? last(this)!.launch : null)
        );
      },
    },
    refusals,
    /A made-up token: it opened/,
  ],
  [
    'lets an empty token in',
    {
      async exchange(token) {
        return token === '' && last(this) ? last(this)!.launch : right.exchange.call(this, token);
      },
    },
    'madeUp',
    /An empty token: it opened/,
  ],
  [
    'lets a very long token in',
    {
      async exchange(token) {
        return token.length > 500 ? last(this)!.launch : right.exchange.call(this, token);
      },
    },
    'madeUp',
    /A very long token: it opened/,
  ],
  [
    'takes another tool’s token with that tool’s secret',
    {
      async exchange(token) {
        return (await right.exchange.call(this, token)) ?? exchange(this.them, token);
      },
    },
    'foreign',
    /exchanged with the other tool’s secret/,
  ],
  [
    'breaks on a bad token',
    {
      refuse: ({ res }) => res.writeHead(500).end(),
    },
    refusals,
    /answered 500\. Tell the adviser/,
  ],
  [
    'writes the token into the refused page',
    {
      refuse: (ask) => html(ask, `<p>${ask.token} is not known.</p>`, 403),
    },
    'markup written',
    /runs scripts/,
  ],
  [
    'links the refused page to itself',
    { refuse: (ask) => html(ask, `<a href="/?auth_token=${encodeURIComponent(ask.token ?? '')}">Again</a>`, 403) },
    'written',
    /holds the token it came with/,
  ],
  [
    'puts the session into the address',
    {
      welcome: (ask, { key }) => redirect(ask, `/?sid=${key}`),
      current(ask) {
        return this.sessions.get(ask.url.searchParams.get('sid') ?? '') ?? right.current.call(this, ask);
      },
    },
    'steps',
    /in another browser: it opened/,
  ],
  [
    'hands over with a code that works twice',
    {
      welcome: (ask, { key }) => redirect(ask, `/in?code=${key}`),
      current(ask) {
        const key = ask.url.searchParams.get('code') ?? '';
        if (this.sessions.has(key)) ask.res.setHeader('set-cookie', this.cookie(key));
        return this.sessions.get(key) ?? right.current.call(this, ask);
      },
    },
    'steps',
    /The address \/in of the launch, in another browser/,
  ],
  [
    'follows next after a launch',
    { welcome: (ask) => redirect(ask, next(ask) ?? '/') },
    'redirect',
    /addresses of your own only/,
  ],
  [
    'follows next when it refuses',
    { refuse: (ask) => (next(ask) ? redirect(ask, next(ask)!) : right.refuse(ask)) },
    'redirect',
    /addresses of your own only/,
  ],
  [
    'follows next inside a session',
    {
      show(ask, session) {
        return next(ask) ? redirect(ask, next(ask)!) : right.show.call(this, ask, session);
      },
    },
    'redirect',
    /addresses of your own only/,
  ],
  [
    'follows whatever begins with a slash',
    { welcome: (ask) => redirect(ask, next(ask)?.startsWith('/') ? next(ask)! : '/') },
    'redirect',
    /addresses of your own only/,
  ],
];
