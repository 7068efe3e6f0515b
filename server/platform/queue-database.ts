import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { Logger } from 'pino';

/** The channel on which a committed send wakes the workers of every replica. */
const CHANNEL = 'adviserly_jobs';
const RETRY_EVERY_MS = 250;
const RECONNECT_AFTER_MS = 1000;

export type Sql = { executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> };
export type QueueDatabase = Sql & {
  /** Runs `work` while nobody else on this database is inside its `alone`. */
  alone(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** One number for everybody who changes the queue's tables. */
const ALONE_LOCK = 7216;

const isAway = (error: unknown) =>
  error instanceof Error &&
  (/^(08|57P0|53300|ECONNREFUSED|ECONNRESET|EPIPE)/.test('code' in error ? String(error.code) : '') ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message));

/**
 * The queue's own small pool. A statement that finds the database away is repeated until it is back: a job that was done
 * must be recorded as done, and pg-boss leaves a failure of that unhandled.
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
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function locked(work: () => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [ALONE_LOCK]);
      await work();
    } finally {
      client.release(true); // the lock ends with the connection, whatever happened
    }
  }

  return {
    // One at a time in this process too: those who wait for the lock must not use up the pool.
    alone: (work) => {
      const mine = turn.then(() => locked(work));
      turn = mine.catch(() => undefined);
      return mine;
    },
    executeSql: async (text, values) => {
      for (;;) {
        try {
          return await pool.query<Record<string, unknown>>(text, values);
        } catch (error) {
          if (closed || !isAway(error)) throw error;
          await sleep(RETRY_EVERY_MS);
        }
      }
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await pool.end();
    },
  };
}

/** Wakes the workers when (and if) the transaction that `db` belongs to commits. */
export async function announce(db: Sql): Promise<void> {
  await db.executeSql(`select pg_notify('${CHANNEL}', '')`, []);
}

/** Calls `wake` on every announcement, on a connection of its own that is made again when lost; answers how to end it. */
export function listen(databaseUrl: string, wake: () => void): () => Promise<void> {
  let ended = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
      application_name: 'adviserly queue listener',
    });
    client = fresh;
    fresh.on('notification', wake);
    fresh.on('error', () => undefined); // `end` follows
    fresh.on('end', () => {
      if (!ended) timer = setTimeout(() => void connect(), RECONNECT_AFTER_MS).unref();
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${CHANNEL}`);
      wake(); // for what was announced while nobody listened
    } catch {
      await fresh.end().catch(() => undefined);
    }
  }

  void connect();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
