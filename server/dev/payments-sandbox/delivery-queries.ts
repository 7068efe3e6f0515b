import type pg from 'pg';
import type Stripe from 'stripe';

export async function queueDelivery(client: pg.ClientBase, eventId: string) {
  await client.query('insert into sandbox.deliveries (event_id) values ($1)', [eventId]);
}

/** Leases the oldest event whose turn it is, so that no other process posts it at the same time. */
export async function claimDelivery(pool: pg.Pool, leaseSeconds: number) {
  const { rows } = await pool.query<{ event_id: string; attempts: number; data: Stripe.Event }>(
    `update sandbox.deliveries d set attempts = attempts + 1, leased_until = now() + make_interval(secs => $1)
     from sandbox.objects o
     where o.id = d.event_id and d.event_id = (
       select event_id from sandbox.deliveries
       where delivered_at is null and next_attempt_at <= now() and (leased_until is null or leased_until < now())
       order by position limit 1 for update skip locked)
     returning d.event_id, d.attempts, o.data`,
    [leaseSeconds],
  );
  return rows[0] ? { eventId: rows[0].event_id, attempts: rows[0].attempts, event: rows[0].data } : null;
}

export async function markDelivered(pool: pg.Pool, eventId: string) {
  await pool.query(`update sandbox.deliveries set delivered_at = now(), leased_until = null where event_id = $1`, [
    eventId,
  ]);
}

export async function postponeDelivery(pool: pg.Pool, eventId: string, seconds: number) {
  await pool.query(
    `update sandbox.deliveries set next_attempt_at = now() + make_interval(secs => $2), leased_until = null
     where event_id = $1`,
    [eventId, seconds],
  );
}

export async function countLeased(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'select count(*) from sandbox.deliveries where delivered_at is null and leased_until > now()',
  );
  return Number(rows[0]?.count ?? 0);
}
