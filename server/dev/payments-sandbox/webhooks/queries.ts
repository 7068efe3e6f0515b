import type pg from 'pg';
import type Stripe from 'stripe';
import { missing } from '../http/error.ts';
import { change } from '../store/queries.ts';

export async function queueDelivery(client: pg.ClientBase, eventId: string) {
  await client.query({
    name: 'sandbox-queue',
    text: `insert into sandbox.deliveries (event_id, held)
     values ($1, exists (select from sandbox.modes where name = 'hold webhooks'))`,
    values: [eventId],
  });
}

/** Leases the event whose turn it is, so that no other process posts it at the same time. */
export async function claimDelivery(pool: pg.Pool, leaseSeconds: number) {
  const { rows } = await pool.query<{ position: string; attempts: number; data: Stripe.Event }>({
    name: 'sandbox-claim',
    text: `update sandbox.deliveries d set attempts = attempts + 1, leased_until = now() + make_interval(secs => $1)
     from sandbox.objects o
     where o.id = d.event_id and d.delivered_at is null and d.position = (
       select position from sandbox.deliveries
       where delivered_at is null and not held and next_attempt_at <= now()
         and (leased_until is null or leased_until < now())
       order by coalesce(turn, position), position limit 1 for update skip locked)
     returning d.position, d.attempts, o.data`,
    values: [leaseSeconds],
  });
  return rows[0] ? { position: rows[0].position, attempts: rows[0].attempts, event: rows[0].data } : null;
}

export async function markDelivered(pool: pg.Pool, position: string) {
  await pool.query({
    name: 'sandbox-delivered',
    text: `update sandbox.deliveries set delivered_at = now(), leased_until = null
     where position = $1 and delivered_at is null`,
    values: [position],
  });
}

export async function postponeDelivery(pool: pg.Pool, position: string, seconds: number) {
  await pool.query(
    `update sandbox.deliveries set next_attempt_at = now() + make_interval(secs => $2), leased_until = null
     where position = $1 and delivered_at is null`,
    [position, seconds],
  );
}

export async function countLeased(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'select count(*) from sandbox.deliveries where delivered_at is null and leased_until > now()',
  );
  return Number(rows[0]?.count ?? 0);
}

export const holdDeliveries = (pool: pg.Pool): Promise<void> =>
  change(pool, async (client) => {
    await client.query(`insert into sandbox.modes (name) values ('hold webhooks') on conflict do nothing`);
  });

export const areDeliveriesHeld = async (pool: pg.Pool): Promise<boolean> =>
  (await pool.query(`select from sandbox.modes where name = 'hold webhooks'`)).rowCount === 1;

export async function waitingDeliveries(pool: pg.Pool | pg.ClientBase) {
  const { rows } = await pool.query<{ id: string; type: string }>(
    `select o.id, o.data ->> 'type' as type from sandbox.deliveries d join sandbox.objects o on o.id = d.event_id
     where d.held and d.delivered_at is null order by d.position`,
  );
  return rows;
}

/** Event ids: `post` in its order, an id twice for an event that comes twice. */
export type Plan = { post: string[]; drop: string[] };

/** Ends the hold; what was held goes the way `decide` says. */
export const releaseDeliveries = (pool: pg.Pool, decide: (ids: string[]) => Plan): Promise<Plan> =>
  change(pool, async (client) => {
    await client.query(`delete from sandbox.modes where name = 'hold webhooks'`);
    const plan = decide((await waitingDeliveries(client)).map(({ id }) => id));
    await client.query(
      `update sandbox.deliveries set delivered_at = now() where held and delivered_at is null and event_id = any ($1)`,
      [plan.drop],
    );
    // every post is a row of its own, in the order of the plan
    await client.query(`delete from sandbox.deliveries where held and delivered_at is null and event_id = any ($1)`, [
      plan.post,
    ]);
    await client.query(
      `insert into sandbox.deliveries (event_id, turn)
       select id, place from unnest($1::text[]) with ordinality as planned (id, place)`,
      [plan.post],
    );
    return plan;
  });

export async function repeatDelivery(pool: pg.Pool, eventId: string) {
  const { rowCount } = await pool.query(
    `insert into sandbox.deliveries (event_id) select id from sandbox.objects where id = $1 and kind = 'event'`,
    [eventId],
  );
  if (!rowCount) throw missing('event', eventId);
}
