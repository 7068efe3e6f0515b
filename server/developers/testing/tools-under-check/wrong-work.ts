import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificate } from './certificate.ts';
import { clears, inMilliseconds } from './right-makers.ts';
import { redirect, type RightTool, right, type Otherwise, type Session } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const reporting = (report: (session: Session, tool: RightTool) => object | object[]): Otherwise => ({
  report(session) {
    const said = report(session, this);
    return this.send(Array.isArray(said) ? said : [said]);
  },
});
let count = 0;
const fresh = () => `work-${process.pid}-${(count += 1)}`;

/** What they report. */
export const reporters: Wrong[] = [
  ['reports milliseconds', { ...inMilliseconds, ...clears }, 'length', /divide by 1000/],
  [
    'reports milliseconds, and gets our answers late, as on a busy machine',
    {
      ...inMilliseconds,
      ...clears,
      exchange(token) {
        return right.exchange.call(this, token).then((launch) => sleep(600, launch));
      },
    },
    'length',
    /divide by 1000/,
  ],
  [
    'always reports an hour',
    reporting(({ launch: { session_id } }) => ({ event_id: `${session_id}:end`, session_id, duration_seconds: 3600 })),
    'length',
    /was reported as 3600 s/,
  ],
  [
    'has one event_id for everything',
    reporting(({ launch: { session_id } }, { us }) => ({
      event_id: `report-${us.toolId}`,
      session_id,
      duration_seconds: 1,
    })),
    'refused each',
    /event_id_reused|one event_id/,
  ],
  [
    'reports the first session for all',
    {
      report() {
        const [first] = this.sessions.values();
        const { session_id } = first!.launch;
        return this.send([{ event_id: fresh(), session_id, duration_seconds: 1 + count }]);
      },
    },
    'reported',
    /Only other sessions were reported/,
  ],
  [
    'reports nothing again and again',
    reporting(({ launch: { session_id } }) =>
      Array.from({ length: 40 }, () => ({ event_id: fresh(), session_id, duration_seconds: 0 })),
    ),
    'once',
    /without any work/,
  ],
  [
    'reports work of no length twice',
    reporting(({ launch: { session_id } }) => ({
      event_id: fresh(),
      session_id,
      duration_seconds: 0,
      actions_performed: 2,
    })),
    'once',
    /reported again/,
  ],
  [
    'is finished by a link',
    {
      answer(ask) {
        const session = this.current(ask);
        return ask.url.pathname === '/finish' && session && ask.req.method === 'GET'
          ? Object.assign(Object.create(this), clears).finish(ask, session)
          : right.answer.call(this, ask);
      },
    },
    'link',
    /take a POST only/,
  ],
  [
    'goes on when it is told that access has ended',
    {
      finish(ask, session) {
        return session ? this.report(session).then(() => redirect(ask, '/')) : this.refuse(ask);
      },
    },
    'obeyed',
    /said access: false, and the session went on/,
  ],
];

/** Shows the adviser over plain http, after a launch over https. */
export const downgrades: Wrong[] = [
  [
    'leads from https to http',
    (() => {
      let plain: Promise<string> | undefined;
      return {
        async welcome(ask, session) {
          plain ??= new Promise((resolve) => {
            const server = http.createServer((req, res) => {
              const url = new URL(req.url ?? '/', 'http://tool');
              const on = { req, res, url, token: null, body: '', form: new URLSearchParams() };
              return void right.answer.call(this, on);
            });
            server
              .unref()
              .listen(0, '127.0.0.1', () => resolve(`http://localhost:${(server.address() as AddressInfo).port}/`));
          });
          return redirect(ask, (await plain) + session.key.slice(0, 0));
        },
      };
    })(),
    'encrypted secure',
    /leads from https to http:/,
    { tls: certificate, trusted: true, host: 'localhost', finish: false },
  ],
];
