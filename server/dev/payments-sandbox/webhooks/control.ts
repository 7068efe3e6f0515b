import type pg from 'pg';
import { missing } from '../http/error.ts';
import { change } from '../store/store.ts';

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
