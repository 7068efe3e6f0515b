import { hang, redirect, right, type Otherwise, type Session } from './right-tool.ts';
import { impatient, type Wrong } from './wrong-arrivals.ts';

const event = ({ launch: { session_id } }: Session) => ({
  event_id: `${session_id}:done`,
  session_id,
  duration_seconds: 300,
  actions_performed: 2,
});
/** Reports this instead. */
const sending = (events: (right: ReturnType<typeof event>) => unknown, type?: string): Otherwise => ({
  report(session) {
    return this.send(events(event(session)), type);
  },
});
let count = 0;
const fresh = () => `fresh-${(count += 1)}-${process.pid}`;
const none = 'reported refused';

export const reports: Wrong[] = [
  ['reports nothing', { report: async () => undefined }, 'reported', /No usage report came/],
  [
    'reports another session',
    sending((one) => [{ ...one, session_id: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b' }]),
    none,
    /refused: unknown_session \(session_id\)/,
  ],
  [
    'reports too long a session',
    sending((one) => [{ ...one, duration_seconds: 90_000 }]),
    none,
    /refused: out_of_range \(duration_seconds\)/,
  ],
  [
    'reports a negative one',
    sending((one) => [{ ...one, duration_seconds: -1 }]),
    none,
    /refused: out_of_range \(duration_seconds\)/,
  ],
  [
    'reports too good a score',
    sending((one) => [{ ...one, performance_score: 11 }]),
    none,
    /refused: out_of_range \(performance_score\)/,
  ],
  [
    'reports text for a number',
    sending((one) => [{ ...one, actions_performed: '2' }]),
    none,
    /refused: invalid \(actions_performed\)/,
  ],
  [
    'leaves a field out',
    sending(({ duration_seconds: _none, ...one }) => [one]),
    none,
    /refused: invalid \(duration_seconds\)/,
  ],
  [
    'misspells a field',
    sending((one) => [{ ...one, durationSeconds: 3 }]),
    none,
    /refused: invalid \(durationSeconds\)/,
  ],
  [
    'reports without an id',
    sending(({ event_id: _none, ...one }) => [one]),
    none,
    /Report without an id was refused: invalid \(event_id\)/,
  ],
  [
    'reports too much at once',
    sending((one) => Array.from({ length: 51 }, () => one)),
    none,
    /usage answered 400: At most 50/,
  ],
  ['reports 100 kB', sending((one) => [{ ...one, note: 'x'.repeat(110_000) }]), none, /usage answered 413/],
  [
    'reports a form',
    sending((one) => `event_id=${one.event_id}`, 'application/x-www-form-urlencoded'),
    none,
    /usage answered 415/,
  ],
  ['reports no JSON', sending(() => '{'), none, /usage answered 400/],
  [
    'reports with a wrong secret',
    {
      report(session) {
        return this.send([event(session)], undefined, { ...this.us, secret: 'wrong' });
      },
    },
    none,
    /usage answered 401/,
  ],
  [
    'reports right and wrong ones',
    sending((one) => [one, { ...one, event_id: fresh(), duration_seconds: -5 }]),
    'refused',
    /refused: out_of_range/,
  ],
  [
    'reports the same work twice',
    sending((one) => [one, { ...one, event_id: fresh() }]),
    'once',
    /give it one event_id/,
  ],
  [
    'reports again at the second press',
    sending((one) => [{ ...one, event_id: fresh() }]),
    'once',
    /give it one event_id/,
  ],
  [
    'reports for whoever posts',
    {
      finish(ask) {
        const [session] = this.sessions.values();
        return right.finish.call(this, ask, session);
      },
    },
    'guarded reported',
    /A post without a session made the tool report/,
  ],
  [
    'refuses who has a session',
    {
      async finish(ask, session) {
        if (session) await this.report(session);
        return this.refuse(ask);
      },
    },
    'finish obeyed',
    /A post to \/finish answered 403/,
  ],
  [
    'asks who has a session to sign in',
    { finish: async ({ res }) => res.writeHead(401).end() },
    'finish reported',
    /answered 401/,
  ],
  [
    'breaks when it is finished',
    { finish: async ({ res }) => res.writeHead(500).end() },
    'finish reported',
    /answered 500/,
  ],
  [
    'hangs when it is finished',
    { finish: async (ask, session) => (session ? hang() : redirect(ask, '/')) },
    'finish reported',
    /did not answer within/,
    impatient,
  ],
];
