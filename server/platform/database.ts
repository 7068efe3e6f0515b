import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from 'pino';

/** A database handle: the pool, or one connection inside a transaction. */
export type Db = NodePgDatabase & { $client: pg.Pool | pg.PoolClient };
export type Database = NodePgDatabase & { $client: pg.Pool };

/**
 * Connection wait 1 s, answer wait 3 s: a frozen server never fires its own statement_timeout. A living one fires it before
 * we stop waiting, so that a lock held elsewhere does not pile up connections nobody listens to any more.
 */
export function createDatabase(url: string, log: Logger, max = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 1000,
    query_timeout: 3000,
    statement_timeout: 2500,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: 'adviserly',
  });
  // Without a listener the loss of an idle connection (a Postgres restart) would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  return drizzle(pool);
}

const retriable = new Set(['40001', '40P01']);

/** The Postgres error behind drizzle's wrapper, if any. */
export function databaseErrorOf(error: unknown): (Error & { code?: string; constraint?: string }) | null {
  if (!(error instanceof Error)) return null;
  return error.cause instanceof Error ? databaseErrorOf(error.cause) : error;
}

/** Is this the refusal of the named unique index? */
export function violates(error: unknown, constraint: string): boolean {
  const cause = databaseErrorOf(error);
  return cause?.code === '23505' && cause.constraint === constraint;
}

/**
 * Runs `work` in one transaction; inside another transaction it joins it. Serialisation failures and deadlocks are
 * tried three times. A connection that did not answer, or whose rollback fails, is destroyed: it may still be inside the
 * transaction, and the next borrower would write into it (drizzle's own `transaction` hands it back to the pool).
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

const gaveNoAnswer = (error: unknown) => databaseErrorOf(error)?.message === 'Query read timeout';

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
    return result;
  } catch (error) {
    // A frozen server would not answer the rollback either: no second wait.
    if (gaveNoAnswer(error)) broken = error as Error;
    else await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
