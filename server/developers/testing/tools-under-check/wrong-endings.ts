import { createHmac } from 'node:crypto';
import { realNow } from '#server/platform/clock.ts';
import type { AdviserlyEvent } from '#server/dev/sample-tool/adviserly.ts';
import { type Ask, right, type Otherwise } from './right-tool.ts';
import type { Wrong } from './wrong-arrivals.ts';

const events = { events: true } as const;

/** Acts only on some events, and takes all. */
const only = (isHeard: (event: AdviserlyEvent) => boolean): Otherwise => ({
  end(sub, event) {
    if (isHeard(event)) right.end.call(this, sub, event);
  },
});
/** Answers some events with this status. */
const breaking = (status: number, isWrong: (event: AdviserlyEvent) => boolean): Otherwise => ({
  takeEvent(ask) {
    const event = this.readEvent(ask);
    return event && isWrong(event) ? ask.res.writeHead(status).end() : right.takeEvent.call(this, ask);
  },
});
const known = ['access.ended', 'member.removed', 'account.closed', 'person.erase', 'access.restored'];
const header = ({ req }: Ask, name: string) => String(req.headers[`webhook-${name}`] ?? '');

/** Compares one signature, chosen by `pick`, with that of `textOf` the body. */
const comparing = (pick: (all: string[]) => string | undefined, textOf = (body: string) => body): Otherwise => ({
  readEvent(ask) {
    const at = Number(header(ask, 'timestamp'));
    if (!(Math.abs(realNow().getTime() / 1000 - at) < 300)) return null;
    const key = Buffer.from((this.us.signingSecret ?? '').slice(6), 'base64');
    const text = `${header(ask, 'id')}.${at}.${textOf(ask.body)}`;
    const ours = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    return pick(header(ask, 'signature').split(' ')) === ours ? (JSON.parse(ask.body) as AdviserlyEvent) : null;
  },
});

export const endings: Wrong[] = [
  [
    'acts on one reason only',
    only(({ type, data }) => type !== 'access.ended' || data.reason === 'cancelled'),
    'kinds',
    /After access\.ended with the reason ended the session went on/,
    events,
  ],
  [
    'acts on one type only',
    only(({ type }) => type === 'access.ended'),
    'kinds',
    /After member\.removed the session went on\. After account\.closed the session went on/,
    events,
  ],
  [
    'does not act when an account is closed',
    only(({ type }) => type !== 'account.closed'),
    'kinds',
    /^After account\.closed the session went on\.$/,
    events,
  ],
  [
    'breaks where there is no reason',
    breaking(500, ({ data }) => data.reason === undefined),
    'kinds unheard erased',
    /member\.removed was answered 500/,
    events,
  ],
  [
    'breaks over a type that it does not know',
    breaking(500, ({ type }) => !known.includes(type)),
    'unheard',
    /A new type of event was answered 500/,
    events,
  ],
  [
    'breaks over an event about nobody',
    breaking(500, ({ data }) => (data as { sub?: string }).sub === undefined),
    'unheard',
    /An event without a sub was answered 500/,
    events,
  ],
  [
    'refuses a type that it does not know',
    breaking(400, ({ type }) => !known.includes(type)),
    'unheard',
    /A new type of event was answered 400/,
    events,
  ],
  [
    'breaks over a demand to erase somebody',
    breaking(500, ({ type }) => type === 'person.erase'),
    'erased',
    /person\.erase was answered 500/,
    events,
  ],
  [
    'ends everybody’s session at an event',
    {
      end() {
        this.sessions.clear();
      },
    },
    'apart',
    /ended another’s session/,
    events,
  ],
  [
    'never lets anybody in again',
    (() => {
      const gone = new Set<string>();
      return {
        end(sub, event) {
          gone.add(sub);
          right.end.call(this, sub, event);
        },
        async enter(ask, launch) {
          return gone.has(launch.sub) ? this.refuse(ask) : right.enter.call(this, ask, launch);
        },
      };
    })(),
    'again',
    /was not let in/,
    events,
  ],
  [
    'takes the last of two signatures only',
    comparing((all) => all.at(-1)),
    'rotated',
    /With two signatures in webhook-signature/,
    events,
  ],
  ['takes the first of two signatures only', comparing(([first]) => first), 'rotated', /it was answered 401/, events],
  [
    'signs the body as it would write it',
    comparing(
      ([first]) => first,
      (body) => JSON.stringify(JSON.parse(body)),
    ),
    'bytes rotated',
    /Don’t write the body anew/,
    events,
  ],
];
