import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from 'pino';

const RETRY_EVERY_MS = 250;

type Rows = { rows: Record<string, unknown>[] };
export type Sql = { executeSql(text: string, values?: unknown[]): Promise<Rows> };
export type QueueDatabase = Sql & {
  /** For what is asked every second: planned once per connection under this name, since planning visits the partition of each kind of job. */
  executePrepared(name: string, text: string): Promise<Rows>;
  /** Runs `work` while no other process on this database is inside its own `exclusively`. */
  exclusively(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** The advisory lock of whoever changes the queue's tables. */
const TABLES_LOCK = 7216;

const isAway = (error: unknown) =>
  error instanceof Error &&
  (/^(08|25006|57P0|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(
    'code' in error ? String(error.code) : '',
  ) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message));

/**
 * The queue's own small pool. Statements are repeated while the database is away: a finished job has to be recorded, and
 * pg-boss does not handle a failure to do so.
 */
export async function openQueueDatabase(databaseUrl: string, log: Logger): Promise<QueueDatabase> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 3,
    connectionTimeoutMillis: 2000,
    query_timeout: 30_000,
    keepAlive: true,
    application_name: 'adviserly queue',
  });
  pool.on('error', (error) => log.warn({ err: error }, 'idle queue connection lost'));
  // A connection that is lost while it is lent fails its next query, and that is where it is handled. Without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  let closed = false;
  let lastExclusive: Promise<unknown> = Promise.resolve();

  async function locked(work: () => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [TABLES_LOCK]);
      await work();
    } finally {
      client.release(true); // the lock ends with the connection, whatever happened
    }
  }

  async function untilThere(query: { name?: string; text: string; values?: unknown[] | undefined }): Promise<Rows> {
    for (;;) {
      try {
        return await pool.query<Record<string, unknown>>(query);
      } catch (error) {
        if (closed || !isAway(error)) throw error;
        await sleep(RETRY_EVERY_MS);
      }
    }
  }

  return {
    // One at a time in this process too, so that waiting for the lock doesn't use up the pool.
    exclusively: (work) => {
      const result = lastExclusive.then(() => locked(work));
      lastExclusive = result.catch(() => undefined);
      return result;
    },
    executeSql: (text, values) => untilThere({ text, values }),
    executePrepared: (name, text) => untilThere({ name, text }),
    close: async () => {
      if (closed) return;
      closed = true;
      await pool.end();
    },
  };
}
