import type pg from 'pg';
import type { AnyObject, Hidden, Kind, Objects } from './objects.ts';

/** The sandbox's advisory lock: held by every change, and while its tables are made (otherwise replicas that start together deadlock). */
const CHANGE_LOCK = 7_238_002;

export async function createTables(pool: pg.Pool): Promise<void> {
  await change(pool, async (client) => {
    await client.query(`
      create schema if not exists sandbox;
      create table if not exists sandbox.objects (
        id text primary key, kind text not null, position bigint generated always as identity,
        created bigint not null, due_at bigint, data jsonb not null, hidden jsonb not null default '{}');
      create index if not exists objects_kind on sandbox.objects (kind, position);
      create index if not exists objects_due on sandbox.objects (due_at, position) where due_at is not null;
      create index if not exists objects_data on sandbox.objects using gin (data jsonb_path_ops);
      create table if not exists sandbox.answers (
        idempotency_key text primary key, request text not null, status integer not null, body jsonb not null);
      create table if not exists sandbox.deliveries (
        event_id text not null references sandbox.objects, position bigint generated always as identity,
        attempts integer not null default 0, next_attempt_at timestamptz not null default now(),
        leased_until timestamptz, delivered_at timestamptz,
        -- an event can be posted more than once, out of turn, or be held back
        turn bigint, held boolean not null default false);
      create table if not exists sandbox.modes (name text primary key);
      create index if not exists deliveries_open on sandbox.deliveries (position) where delivered_at is null;`);
  });
}

/** One change at a time across all processes on this database, so that no call sees another half done. `work` may roll back to its beginning. */
export async function change<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${CHANGE_LOCK}); savepoint work`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
    await client.query('rollback').then(
      () => (fault = undefined),
      () => undefined, // the connection itself is gone: release() below discards it
    );
    throw error;
  } finally {
    client.release(fault);
  }
}

export async function findObject(client: pg.ClientBase, id: string) {
  const { rows } = await client.query<{ data: AnyObject }>({
    name: 'sandbox-find',
    text: 'select data from sandbox.objects where id = $1',
    values: [id],
  });
  return rows[0]?.data ?? null;
}

/** Returns the object as it is stored, in JSON. */
export async function saveObject(client: pg.ClientBase, object: AnyObject, created: number, dueAt: number | null) {
  const json = JSON.stringify(object);
  await client.query({
    name: 'sandbox-save',
    text: `insert into sandbox.objects (id, kind, created, due_at, data) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set data = excluded.data, due_at = excluded.due_at`,
    values: [object.id, object.object, created, dueAt, json],
  });
  return json;
}

export async function deleteObject(client: pg.ClientBase, id: string) {
  await client.query('delete from sandbox.objects where id = $1', [id]);
}

export async function readHidden(client: pg.ClientBase, id: string): Promise<Hidden> {
  const { rows } = await client.query<{ hidden: Hidden }>({
    name: 'sandbox-hidden',
    text: 'select hidden from sandbox.objects where id = $1',
    values: [id],
  });
  return rows[0]?.hidden ?? {};
}

export async function writeHidden(client: pg.ClientBase, id: string, hidden: Hidden) {
  await client.query('update sandbox.objects set hidden = hidden || $2 where id = $1', [id, JSON.stringify(hidden)]);
}

export type Filter = {
  /** fields that must be equal, nested as in the object */
  equal?: Record<string, unknown>;
  /** a field that must have one of these values, or must not */
  oneOf?: [field: string, values: string[]];
  noneOf?: [field: string, values: string[]];
  /** seconds; created at that time or later */
  since?: number | undefined;
};
export type Page = { limit: number; after?: string | undefined };

/** Newest first. An undefined value in `equal` filters nothing. */
export async function selectObjects<K extends Kind>(client: pg.ClientBase, kind: K, filter: Filter, page?: Page) {
  const { rows } = await client.query<{ data: Objects[K] }>({
    name: 'sandbox-select',
    text: `select data from sandbox.objects
     where kind = $1 and data @> $2
       and ($3::text is null or data ->> $3 = any ($4::text[]))
       and ($5::text is null or (data ->> $5 = any ($6::text[])) is not true)
       and created >= coalesce($7, 0)
       and ($8::text is null or position < (select position from sandbox.objects where id = $8))
     order by position desc limit $9`,
    values: [
      kind,
      JSON.stringify(filter.equal ?? {}),
      ...(filter.oneOf ?? [null, null]),
      ...(filter.noneOf ?? [null, null]),
      filter.since ?? null,
      page?.after ?? null,
      page?.limit ?? null,
    ],
  });
  return rows.map((row) => row.data);
}

/** The first object that falls due at or before `until` (seconds). */
export async function selectDue(client: pg.ClientBase | pg.Pool, until: number) {
  const { rows } = await client.query<{ id: string; due_at: string }>(
    'select id, due_at from sandbox.objects where due_at <= $1 order by due_at, position limit 1',
    [until],
  );
  return rows[0] ? { id: rows[0].id, at: Number(rows[0].due_at) } : null;
}

export type Answer = { status: number; body: object };

export async function findAnswer(client: pg.ClientBase, key: string) {
  const { rows } = await client.query<Answer & { request: string }>({
    name: 'sandbox-answer',
    text: 'select request, status, body from sandbox.answers where idempotency_key = $1',
    values: [key],
  });
  return rows[0] ?? null;
}

export async function saveAnswer(client: pg.ClientBase, key: string, request: string, { status, body }: Answer) {
  await client.query('insert into sandbox.answers (idempotency_key, request, status, body) values ($1, $2, $3, $4)', [
    key,
    request,
    status,
    JSON.stringify(body),
  ]);
}
