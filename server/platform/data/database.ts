import { inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError } from '../http/app-error.ts';
import { traceQueries } from '../logs/telemetry.ts';

/** A database handle: the pool, or one connection inside a transaction. */
export type Db = NodePgDatabase & { $client: pg.Pool | pg.PoolClient };
export type Database = NodePgDatabase & { $client: pg.Pool };

/**
 * We wait 1 s for a connection and 3 s for an answer, since a frozen server's own statement_timeout never fires. A running
 * server's fires first, so that statements waiting for a lock don't go on after we have stopped waiting for them. `patience`
 * multiplies these waits. The limits are set by a statement on each connection: poolers refuse most startup parameters.
 */
export function createDatabase(url: string, log: Logger, max = 10, patience = 1): Database {
  const limits = `set statement_timeout = ${2500 * patience}; set idle_in_transaction_session_timeout = 30000`;
  const pool = new pg.Pool({
    connectionString: url,
    // If the server stops answering just then, the query that follows finds that out.
    onConnect: (client) => client.query(limits).catch(() => undefined),
    max,
    connectionTimeoutMillis: 1000 * patience,
    query_timeout: 3000 * patience,
    keepAlive: true,
    application_name: 'adviserly',
  });
  pool.on('release', (error) => {
    if (isReadOnly(error)) void renewConnections(pool);
  });
  // Without a listener the loss of an idle connection (a Postgres restart) would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  traceQueries(pool);
  return drizzle(pool);
}

/** Whether the server takes no writes: it is a standby, or was demoted while we stayed connected. */
const isReadOnly = (error: unknown): boolean => databaseErrorOf(error)?.code === '25006';

/** Drops idle connections, so that the next ones are made to wherever the address leads by then. */
async function renewConnections(pool: pg.Pool): Promise<void> {
  for (let idle = pool.idleCount; idle > 0; idle -= 1) {
    const client = await pool.connect().catch(() => null);
    client?.release(true);
  }
}

/** Throws (503) if the database does not answer, or takes no writes. */
export const refuseUnlessWritable = async (db: Db): Promise<void> =>
  void (await db.execute(
    sql`do $$ begin if current_setting('transaction_read_only')::bool then raise read_only_sql_transaction; end if; end $$`,
  ));

/** The moment a calendar day begins in Sydney, or the one some days later. */
export const sydneyMidnight = (day: string, later = 0) =>
  sql`(${day}::date + ${later}::int)::timestamp at time zone 'Australia/Sydney'`;

export const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const retriable = new Set(['40001', '40P01']);

export const first = async <Row>(query: PromiseLike<Row[]>): Promise<Row | null> => (await query)[0] ?? null;

/** These columns of a table or subquery, to be selected. */
export const pick = <From extends object, Name extends keyof From>(from: From, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;

export const only = async <Row>(statement: PromiseLike<Row[]>): Promise<Row> => (await statement)[0]!;

/** How many rows a statement changed. */
export const countChanged = async (statement: PromiseLike<{ rowCount: number | null }>): Promise<number> =>
  (await statement).rowCount ?? 0;

/** Whether a statement changed a row. Of any number of calls at once that change it only as it was, one gets true. */
export const hasChanged = async (statement: PromiseLike<{ rowCount: number | null }>): Promise<boolean> =>
  (await countChanged(statement)) > 0;

/** Runs the reads side by side; within a transaction, which has one connection, one after the other. */
export async function readTogether<Rows extends unknown[]>(
  db: Db,
  ...reads: { [read in keyof Rows]: () => Promise<Rows[read]> }
): Promise<Rows> {
  if (db.$client instanceof pg.Pool) return (await Promise.all(reads.map((read) => read()))) as Rows;
  const rows: unknown[] = [];
  for (const read of reads) rows.push(await read());
  return rows as Rows;
}

/** Repeats `work`, which handles at most `limit` rows and returns how many, until none are left: a statement has to end within 2.5 s. */
export async function inBatches(work: (limit: number) => Promise<number>, limit = 1000): Promise<number> {
  for (let total = 0; ;) {
    const handled = await work(limit);
    total += handled;
    if (handled < limit) return total;
  }
}

/** Each row of what `read` finds, a page at a time; a page begins after the row with that id. */
export async function* paged<Row>(
  read: (after: string | null, limit: number) => Promise<Row[]>,
  idOf: (row: Row) => string,
  limit = 200,
): AsyncGenerator<Row> {
  for (let after: string | null = null; ;) {
    const rows: Row[] = await read(after, limit);
    yield* rows;
    if (rows.length < limit) return;
    after = idOf(rows.at(-1)!);
  }
}

/** Deletes at most `limit` rows; returns how many. */
export async function deleteSome(db: Db, table: PgTable, key: PgColumn, where: SQL | undefined, limit: number) {
  const some = db.select({ key }).from(table).where(where).limit(limit);
  return countChanged(db.delete(table).where(inArray(key, some)));
}

/** The Postgres error inside drizzle's wrapper, if any. */
export function databaseErrorOf(error: unknown): (Error & { code?: string; constraint?: string }) | null {
  if (!(error instanceof Error)) return null;
  return error.cause instanceof Error ? databaseErrorOf(error.cause) : error;
}

/** Whether the named unique index refused the row. */
export function violates(error: unknown, constraint: string): boolean {
  const cause = databaseErrorOf(error);
  return cause?.code === '23505' && cause.constraint === constraint;
}

/** For a transaction that has just begun: all its reads see one moment, however many queries they take, and it can't write. */
export const atOneMoment = async (tx: Db): Promise<void> =>
  void (await tx.execute(sql`set transaction isolation level repeatable read, read only`));

/**
 * Runs `work` in one transaction, or in the one that `db` is. After serialisation failures and deadlocks it is tried up to three times. A
 * connection that did not answer, or whose rollback failed, is destroyed: it may still be inside the transaction, and its next
 * user would write into it. Drizzle's own `transaction` returns such a connection to the pool.
 */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db.$client as pg.Pool, work);
    } catch (error) {
      if (attempt === 3 || !retriable.has(databaseErrorOf(error)?.code ?? '')) throw error;
    }
  }
}

/** Takes the lock of this name until the transaction ends; false if another transaction has it. */
export async function tryLock(tx: Db, name: string): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`,
  );
  return rows[0]?.locked === true;
}

const committed = new WeakMap<object, (() => void)[]>();

/** Does the work once the transaction that `db` is has been committed, or at once if `db` is not one. */
export function afterCommit(db: Db, work: () => void): void {
  if (!isTransaction(db)) return work();
  committed.set(db.$client, [...(committed.get(db.$client) ?? []), work]);
}

const gaveNoAnswer = (error: unknown) => databaseErrorOf(error)?.message === 'Query read timeout';

/** Whether the database gave us no answer, or no connection, for as long as we wait. */
export const keptUsWaiting = (error: unknown) =>
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/.test(
    databaseErrorOf(error)?.message ?? '',
  );

const isTransaction = (db: Db) => 'release' in db.$client;

async function once<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    await client.query('begin');
    const result = await work(drizzle(client));
    await client.query('commit');
    for (const work of committed.get(client) ?? []) work();
    return result;
  } catch (error) {
    // A frozen server would not answer the rollback either: no second wait.
    if (gaveNoAnswer(error) || isReadOnly(error)) broken = error as Error;
    else await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    committed.delete(client);
    client.off('error', onError);
    client.release(broken);
  }
}

/**
 * Repeats a step until it returns something other than null. Null means that the rows have changed since the step read them, so it
 * has to read them again. After `tries` the caller gets a 409.
 */
export async function retryOnConflict<T>(step: () => Promise<T | null>, tries = 5): Promise<T> {
  for (let count = 1; count <= tries; count += 1) {
    const result = await step();
    if (result !== null) return result;
  }
  throw new AppError('conflict');
}
