import { createHmac } from 'node:crypto';
import { realNow } from '#server/platform/clock.ts';
import { type AdviserlyEvent, readEvent } from '#server/dev/sample-tool/adviserly.ts';
import { type Ask, hang, right, type Otherwise } from './right-tool.ts';
import { impatient, type Wrong } from './wrong-arrivals.ts';

const events = { events: true } as const;
const read = ({ body }: Ask) => JSON.parse(body) as AdviserlyEvent;
const header = ({ req }: Ask, name: string) => String(req.headers[`webhook-${name}`] ?? '');

/** A tool with its own idea of a right signature. */
const where = (isOurs: (ask: Ask, secret: string) => boolean): Otherwise => ({
  readEvent(ask) {
    return isOurs(ask, this.us.signingSecret ?? '') ? read(ask) : null;
  },
});
const mac = (key: Buffer | string, text: string) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
const keyOf = (secret: string) => Buffer.from(secret.slice(6), 'base64');
const signedText = (ask: Ask) => `${header(ask, 'id')}.${header(ask, 'timestamp')}.${ask.body}`;
const isRight = (ask: Ask, secret: string) =>
  header(ask, 'signature')
    .split(' ')
    .includes(mac(keyOf(secret), signedText(ask)));
const age = (ask: Ask) => realNow().getTime() / 1000 - Number(header(ask, 'timestamp'));

/** Answers an event that it has had before with this status. */
const onRepeat = (status: number): Otherwise => {
  const had = new Set<string>();
  return {
    takeEvent(ask) {
      const id = header(ask, 'id');
      if (!this.readEvent(ask)) return ask.res.writeHead(401).end();
      if (had.has(id)) return ask.res.writeHead(status).end();
      had.add(id);
      return right.takeEvent.call(this, ask);
    },
  };
};

export const eventTools: Wrong[] = [
  [
    'takes events from anybody',
    where(() => true),
    'forged old',
    /An event without a signature was answered 204: anybody can end your sessions/,
    events,
  ],
  [
    'takes events with any signature',
    where((ask) => header(ask, 'signature').startsWith('v1,') && Math.abs(age(ask)) < 300),
    'forged',
    /An event signed with another secret was answered 204/,
    events,
  ],
  [
    'takes events that were changed on the way',
    where(
      (ask, secret) =>
        Math.abs(age(ask)) < 300 &&
        header(ask, 'signature') !== '' &&
        isRight({ ...ask, body: ask.body.replace('suspended', 'cancelled') }, secret),
    ),
    'forged kinds',
    /An event that was changed after it was signed was answered 204/,
    events,
  ],
  ['takes events of any age', where(isRight), 'old', /An event of ten minutes ago was answered 204/, events],
  [
    'takes events of the future',
    where((ask, secret) => isRight(ask, secret) && age(ask) < 300),
    'old',
    /An event dated ten minutes ahead was answered 204/,
    events,
  ],
  [
    'acts on an event before it looks at the signature',
    {
      takeEvent(ask) {
        this.end(read(ask).data.sub, read(ask));
        return right.takeEvent.call(this, ask);
      },
    },
    'forged',
    /ended the session all the same/,
    events,
  ],
  [
    'breaks over a forged event',
    {
      takeEvent(ask) {
        if (!this.readEvent(ask)) throw new Error('no event of Adviserly’s');
        return right.takeEvent.call(this, ask);
      },
    },
    'forged old',
    /An event without a signature was answered 500: refuse it with 400 to 403/,
    events,
  ],
  [
    'signs with the secret as it is written',
    where((ask, secret) => header(ask, 'signature') === mac(secret, signedText(ask))),
    'taken',
    /A rightly signed event was answered 401: the signature is of/,
    events,
  ],
  [
    'signs the body alone',
    where((ask, secret) => header(ask, 'signature') === mac(keyOf(secret), ask.body)),
    'taken',
    /A rightly signed event was answered 401/,
    events,
  ],
  [
    'has no such address',
    { takeEvent: ({ res }) => res.writeHead(404).end() },
    'taken',
    /was answered 404: take a POST at the address for events/,
    events,
  ],
  [
    'sends events elsewhere',
    { takeEvent: ({ res }) => res.writeHead(308, { location: '/hooks' }).end() },
    'taken',
    /was answered 308: redirects are not followed/,
    events,
  ],
  [
    'breaks over every event',
    { takeEvent: ({ res }) => res.writeHead(500).end() },
    'forged old taken',
    /A rightly signed event was answered 500: we would send it for two days/,
    events,
  ],
  [
    'hangs over events',
    { takeEvent: hang },
    'forged old taken',
    /A rightly signed event got no answer: it did not answer within/,
    { ...events, ...impatient },
  ],
  ['takes an event and goes on', { end: () => undefined }, 'ended', /After access.ended the session went on/, events],
  [
    'ends the session that an event names by another field',
    {
      readEvent(ask) {
        const event = right.readEvent.call(this, ask);
        return event && { ...event, data: { ...event.data, sub: (event.data as { user_id?: string }).user_id ?? '' } };
      },
    },
    'ended',
    /end all sessions of data.sub/,
    events,
  ],
  [
    'refuses an event that it had',
    onRepeat(409),
    'repeated',
    /An event that came before, under the same webhook-id, was answered 409: we would send it for two days/,
    events,
  ],
  ['breaks over an event that it had', onRepeat(500), 'repeated', /came before.*was answered 500/, events],
  [
    'knows one signature only',
    {
      readEvent({ req, body }) {
        const one = String(req.headers['webhook-signature']).includes(' ');
        return one ? null : readEvent(this.us.signingSecret ?? '', req.headers, Buffer.from(body));
      },
    },
    'rotated',
    /With two signatures in webhook-signature, as while two secrets are live, it was answered 401/,
    events,
  ],
];
