import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type Stripe from 'stripe';
import type { Log } from '../http/server.ts';
import { missing } from '../http/error.ts';
import { change } from '../store/store.ts';

const ATTEMPT_MS = 10_000;
const LOOK_EVERY_MS = 1000;
const LONGEST_PAUSE_SECONDS = 3600;

type Options = { webhookUrl: () => string; secret: string; realNow: () => Date; log: Log };

/** The signature header, made with real time: receivers refuse old ones. */
function signatureOf(payload: string, secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

const due = 'from sandbox.deliveries where delivered_at is null and not held and next_attempt_at <= now()';

/**
 * Has `post` try the event whose turn it is; false where none is due. Its row is locked meanwhile: other processes on this database wait
 * until it has been accepted or put off, and one that dies leaves it to them.
 */
async function deliverNext(pool: pg.Pool, post: (event: Stripe.Event, attempts: number) => Promise<boolean>) {
  if ((await pool.query(`select ${due} limit 1`)).rowCount === 0) return false;
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    const { rows } = await client.query<{ position: string; attempts: number; data: Stripe.Event }>(
      `select position, attempts + 1 as attempts, (select data from sandbox.objects where id = event_id) as data ${due}
       order by coalesce(turn, position), position limit 1 for update`,
    );
    for (const { position, attempts, data } of rows)
      await client.query(
        `update sandbox.deliveries set attempts = $2, delivered_at = case when $3 then now() end,
           next_attempt_at = clock_timestamp() + make_interval(secs => $4) where position = $1`,
        [position, attempts, await post(data, attempts), Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS)],
      );
    await client.query('commit');
    failed = false;
    return rows.length > 0;
  } finally {
    client.release(failed);
  }
}

export function createDeliveries(pool: pg.Pool, { webhookUrl, secret, realNow, log }: Options) {
  const stop = new AbortController();
  const stopped = () => stop.signal.aborted;
  let running: Promise<void> = Promise.resolve();
  /** A run that has not begun yet, so that it also posts what is due by now. */
  let next: Promise<void> | null = null;

  async function post(event: Stripe.Event, attempts: number): Promise<boolean> {
    const body = JSON.stringify(event);
    try {
      const response = await fetch(webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(body, secret, realNow()),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stop.signal]),
      });
      await response.arrayBuffer();
      if (response.ok) return true;
    } catch {
      // nobody listens yet, or not any more: it is tried again
    }
    log.debug({ eventId: event.id, attempts }, 'payments sandbox: webhook not accepted');
    return false;
  }

  /** Posts what is due, oldest first; resolves when each has been accepted or put off, here or in another process. */
  function deliverPending(): Promise<void> {
    next ??= running = running
      .then(async () => {
        next = null;
        while (!stopped() && (await deliverNext(pool, post)));
      })
      .catch((error: unknown) => {
        if (!stopped()) log.warn({ err: error }, 'payments sandbox: deliveries wait for the database');
      });
    return next;
  }

  const timer = setInterval(() => void deliverPending(), LOOK_EVERY_MS);
  timer.unref();

  return {
    deliverPending,
    /** After a change: does not wait. */
    kick: () => void deliverPending(),
    close: async () => {
      stop.abort();
      clearInterval(timer);
      await running;
    },
  };
}

type Release = {
  /** in any order instead of the order in which they happened */
  shuffle?: boolean;
  /** chance from 0 to 1 that an event comes a second time */
  duplicate?: number;
  /** chance from 0 to 1 that an event never comes */
  drop?: number;
  /** numbers from 0 to 1, from which all this is chosen */
  random?: () => number;
};

/** The ids of events in the order in which they are posted, an id twice for an event that comes twice. */
function planOf(ids: string[], { shuffle, duplicate = 0, drop = 0, random = Math.random }: Release): string[] {
  const posts = ids.flatMap((id) => {
    if (random() < drop) return [];
    return random() < duplicate ? [id, id] : [id];
  });
  const drawn = posts.map((id) => ({ id, place: random() }));
  return shuffle ? drawn.toSorted((a, b) => a.place - b.place).map(({ id }) => id) : posts;
}

async function waitingDeliveries(pool: pg.Pool | pg.ClientBase) {
  const { rows } = await pool.query<{ id: string; type: string }>(
    `select o.id, o.data ->> 'type' as type from sandbox.deliveries d join sandbox.objects o on o.id = d.event_id
     where d.held and d.delivered_at is null order by d.position`,
  );
  return rows;
}

/** Webhooks as a bad network delivers them, for tests and the development console. */
export const createWebhookControl = (pool: pg.Pool, deliverPending: () => Promise<void>) => ({
  /** From now on every process on this database keeps events back instead of posting them. */
  hold: () =>
    change(pool, async (client) => {
      await client.query(`insert into sandbox.modes (name) values ('hold webhooks') on conflict do nothing`);
    }),
  holding: async () => (await pool.query(`select from sandbox.modes where name = 'hold webhooks'`)).rowCount === 1,
  /** The events kept back now, oldest first. */
  held: () => waitingDeliveries(pool),
  /** Lets the kept events go as told; later ones are posted as they come. Resolves when they have been tried. */
  async release(how: Release = {}) {
    const { ids, plan } = await change(pool, async (client) => {
      await client.query(`delete from sandbox.modes where name = 'hold webhooks'`);
      const ids = (await waitingDeliveries(client)).map(({ id }) => id);
      const plan = planOf(ids, how);
      await client.query('delete from sandbox.deliveries where held and delivered_at is null');
      // every post is a row of its own, in the order of the plan
      await client.query(
        `insert into sandbox.deliveries (event_id, turn)
         select id, place from unnest($1::text[]) with ordinality as planned (id, place)`,
        [plan],
      );
      return { ids, plan };
    });
    await deliverPending();
    const posted = new Set(plan).size;
    return { posted, duplicated: plan.length - posted, dropped: ids.length - posted };
  },
  /** Posts an event (again). */
  async resend(eventId: string) {
    const { rowCount } = await pool.query(
      `insert into sandbox.deliveries (event_id) select id from sandbox.objects where id = $1 and kind = 'event'`,
      [eventId],
    );
    if (!rowCount) throw missing('event', eventId);
    await deliverPending();
  },
});
