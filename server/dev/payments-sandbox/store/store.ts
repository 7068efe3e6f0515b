import type pg from 'pg';
import type Stripe from 'stripe';
import { missing } from '../http/error.ts';
import { apiVersion, newObject, type Fields } from '../schema/schema.ts';
import { dueAt } from '../subscriptions/periods.ts';
import { asSent, newId, type AnyObject, type Hidden, type Kind, type Made, type Objects } from './objects.ts';

/** The sandbox's advisory lock: held by every change, and while its tables are made (otherwise replicas that start together deadlock). */
const CHANGE_LOCK = 7_238_002;

/** `wanted` are the types of events that the webhook endpoint asks for; without it, it asks for all. */
export const createTables = (pool: pg.Pool, wanted: readonly string[] | undefined) =>
  change(pool, async (client) => {
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
        delivered_at timestamptz,
        -- an event can be posted more than once, out of turn, or be held back
        turn bigint, held boolean not null default false);
      create table if not exists sandbox.modes (name text primary key);
      create table if not exists sandbox.wanted (type text primary key);
      create index if not exists deliveries_open on sandbox.deliveries (position) where delivered_at is null;`);
    if (!wanted) return;
    await client.query('delete from sandbox.wanted where type <> all ($1)', [wanted]);
    await client.query('insert into sandbox.wanted select unnest($1::text[]) on conflict do nothing', [wanted]);
  });

/** One change at a time across all processes on this database, so that no call sees another half done. `work` may roll back to its beginning. */
export const change = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  inTransaction(pool, `begin; select pg_advisory_xact_lock(${CHANGE_LOCK}); savepoint work`, work);

/** Reads what all changes so far have left, and waits for none. */
export const look = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  inTransaction(pool, 'begin isolation level repeatable read read only', work);

type Work<T> = (client: pg.PoolClient) => Promise<T>;

async function inTransaction<T>(pool: pg.Pool, begin: string, work: Work<T>): Promise<T> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query(begin);
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

export type Filter = {
  /** fields that must be equal, nested as in the object; an undefined value filters nothing */
  equal?: Record<string, unknown>;
  /** a field that must have one of these values, or must not */
  oneOf?: [field: string, values: string[]];
  noneOf?: [field: string, values: string[]];
  /** seconds; created at that time or later */
  since?: number | undefined;
};
type Page = { limit: number; after?: string | undefined };

const selectText = `select data from sandbox.objects
  where kind = $1 and data @> $2
    and ($3::text is null or data ->> $3 = any ($4::text[]))
    and ($5::text is null or (data ->> $5 = any ($6::text[])) is not true)
    and created >= coalesce($7, 0)
    and ($8::text is null or position < (select position from sandbox.objects where id = $8))
  order by position desc limit $9`;
const saveText = `insert into sandbox.objects (id, kind, created, due_at, data) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set data = excluded.data, due_at = excluded.due_at`;
const queueText = `insert into sandbox.deliveries (event_id, held)
  select $1, exists (select from sandbox.modes where name = 'hold webhooks')
  where exists (select from sandbox.wanted where type = $2) or not exists (select from sandbox.wanted)`;

/** The request that caused an event; the passing of time has none. */
type Origin = { requestId: string; idempotencyKey: string | null };
type EventType = Stripe.Event['type'];

const eventOf = (type: EventType, at: number, about: { object: AnyObject; previous?: object; origin?: Origin }) =>
  ({
    id: newId('event'),
    object: 'event',
    api_version: apiVersion,
    created: at,
    data: { object: about.object, ...(about.previous && { previous_attributes: about.previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: about.origin?.requestId ?? null, idempotency_key: about.origin?.idempotencyKey ?? null },
    type,
  }) as Stripe.Event;

export type Store = ReturnType<typeof createStore>;

/** The objects for one change, which happens at `at` (seconds). */
export function createStore(client: pg.ClientBase, at: number, origin?: Origin) {
  /** What was read or written is not read again, since nobody else writes meanwhile. As JSON, so that every caller gets its own copy. */
  const seen = new Map<string, string>();
  const run = <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    client.query<R>({ name: `sandbox-${name}`, text, values });

  async function find(id: string): Promise<AnyObject | null> {
    const read = () =>
      run<{ json: string }>('find', 'select data::text as json from sandbox.objects where id = $1', [id]);
    const json = seen.get(id) ?? (await read()).rows[0]?.json;
    if (json === undefined) return null;
    seen.set(id, json);
    return JSON.parse(json) as AnyObject;
  }
  /** Throws Stripe's resource_missing; `param` names the request field the id came from. */
  async function get<K extends Kind>(kind: K, id: string, param?: string): Promise<Objects[K]> {
    const object = await find(id);
    if (object?.object !== kind || 'deleted' in object) throw missing(kind, id, param);
    return object as Objects[K];
  }
  /** Newest first. */
  async function select<K extends Kind>(kind: K, filter: Filter, page?: Page): Promise<Objects[K][]> {
    const { equal = {}, oneOf = [null, null], noneOf = [null, null], since = null } = filter;
    const values = [kind, JSON.stringify(equal), ...oneOf, ...noneOf, since, page?.after ?? null, page?.limit ?? null];
    return (await run<{ data: Objects[K] }>('select', selectText, values)).rows.map(({ data }) => data);
  }
  /** Records an event; where it is wanted, it is posted once the transaction is committed. `previous` is what the changed fields held before. */
  async function emit(type: EventType, object: AnyObject, previous?: object): Promise<void> {
    const { id } = await save(eventOf(type, at, { object: asSent(object), previous, origin }));
    await run('queue', queueText, [id, type]);
  }
  async function save<T extends AnyObject>(object: T, event?: EventType, previous?: object): Promise<T> {
    const json = JSON.stringify(object);
    // an invoice item has no `created` of its own, though lists are ordered by one
    const created = 'created' in object ? object.created : at;
    await run('save', saveText, [object.id, object.object, created, dueAt(object), json]);
    seen.set(object.id, json);
    if (event) await emit(event, object, previous);
    return object;
  }
  return {
    at,
    find,
    get,
    select,
    emit,
    save,
    create: <K extends Exclude<Kind, 'coupon'>>(kind: K, said: Fields<Made[K]>, event?: EventType) =>
      save<Objects[K]>(newObject(kind, at, said), event),
    async remove(id: string) {
      seen.delete(id);
      await run('remove', 'delete from sandbox.objects where id = $1', [id]);
    },
    hidden: async (id: string): Promise<Hidden> =>
      (await run<{ hidden: Hidden }>('hidden', 'select hidden from sandbox.objects where id = $1', [id])).rows[0]
        ?.hidden ?? {},
    hide: (id: string, hidden: Hidden) =>
      run('hide', 'update sandbox.objects set hidden = hidden || $2 where id = $1', [id, JSON.stringify(hidden)]),
  };
}

/** The first object that falls due at or before `until` (seconds). */
export async function selectDue(client: pg.ClientBase | pg.Pool, until: number) {
  const { rows } = await client.query<{ id: string; due_at: string }>(
    'select id, due_at from sandbox.objects where due_at <= $1 order by due_at, position limit 1',
    [until],
  );
  return rows[0] ? { id: rows[0].id, at: Number(rows[0].due_at) } : null;
}
