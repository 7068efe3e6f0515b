import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { announce, listen, openQueueDatabase, type QueueDatabase } from './queue-database.ts';
import { failedJobs, type FailedJob, retryFailed } from './queue-failures.ts';
import { createRunner, type Definition, type JobHandler, type Runner } from './queue-runner.ts';

export type QueueOptions = {
  /** How often a failed job is tried again; 5 unless told. */
  retryLimit?: number;
  /** Seconds before the first retry; 2 unless told. */
  retryDelaySeconds?: number;
  /** Each retry waits twice as long as the one before (with some chance in it); yes unless told. */
  retryBackoff?: boolean;
  /** How many run at once in one process; 1 unless told. */
  concurrency?: number;
  /** A job whose process died is given to another after this; no handler may take longer. 30 unless told. */
  expireInSeconds?: number;
};

export type SendOptions = {
  /** While a job with this key waits, another is not queued. Not for work that only the newest send knows about. */
  singletonKey?: string;
  /** Real time, or seconds from now. */
  startAfter?: Date | number;
};

/** A database handle as the context carries it: sending inside a transaction stands or falls with it. */
export type SendingDb = { $client: pg.Pool | pg.PoolClient };

export type Queue = {
  /** Declares a kind of job, in every process that sends or works it; before `start` or after, but before `work`. */
  define<T extends object>(name: string, options: QueueOptions, handler: JobHandler<T>): Promise<void>;
  /** Sends the (defined) job with empty data by the cron expression, in real time of the time zone. */
  schedule(name: string, cron: string, timeZone: string): Promise<void>;
  start(): Promise<void>;
  /** Finishes what runs, for at most ten seconds. */
  stop(): Promise<void>;
  /** The job's id, or null where the singleton key was taken. */
  send(db: SendingDb, name: string, data: object, options?: SendOptions): Promise<string | null>;
  /** Starts to work the queue in this process. */
  work(): Promise<void>;
  /** Works, here and now, until no job is due or active anywhere. Retries that wait for their time stay waiting. */
  drain(): Promise<void>;
  /** Jobs that used up their tries, by name. */
  failedCounts(): Promise<Record<string, number>>;
  /** Those jobs, newest first, without those whose work was sent again since. */
  failed(limit: number): Promise<FailedJob[]>;
  /** Tries such a job once more. Of any number of callers at once one gets `retried`; `settled` is no failed job, null none at all. */
  retry(db: SendingDb, id: string): Promise<{ name: string; outcome: 'retried' | 'settled' } | null>;
};

const DAY_SECONDS = 86_400;
const FIND_DEAD_EVERY_SECONDS = 10;
const DRAIN_LIMIT_MS = 120_000;

/** Jobs on Postgres (pg-boss): sent in the caller's transaction, done once, by any replica, again after a kill. */
export function createQueue({ databaseUrl, log }: { databaseUrl: string; log: Logger }): Queue {
  const definitions = new Map<string, Definition>();
  const schedules = new Map<string, { cron: string; timeZone: string }>();
  let database: QueueDatabase | undefined;
  let boss: PgBoss | undefined;
  let runner: Runner | undefined;
  let keeper: PgBoss | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  const running = () => {
    if (!boss || !runner || !database) throw new Error('The queue has not been started.');
    return { boss, runner, database };
  };
  const defined = (name: string) => {
    const definition = definitions.get(name);
    if (!definition) throw new Error(`No job is called ${name}.`);
    return definition;
  };
  const store = async (started: PgBoss, opened: QueueDatabase, definition: Definition) => {
    const { name, retryLimit, retryDelaySeconds, retryBackoff, expireInSeconds } = definition;
    const policy = 'short' as const; // one waiting job per singleton key
    const options = { name, policy, retryLimit, retryDelay: retryDelaySeconds, retryBackoff, expireInSeconds };
    // Each queue is a table of its own with a foreign key: replicas that make theirs at once deadlock.
    await opened.alone(async () => {
      await started.createQueue(name, { ...options });
      await started.updateQueue(name, { ...options });
    });
  };
  const newBoss = (options: PgBoss.ConstructorOptions) => {
    const made = new PgBoss({
      ...(database && { db: database }),
      archiveFailedAfterSeconds: 14 * DAY_SECONDS,
      ...options,
    });
    made.on('error', (error) => log.warn({ err: error }, 'queue fault'));
    return made;
  };

  return {
    define: async (name, options, handler) => {
      const definition = {
        name,
        retryLimit: options.retryLimit ?? 5,
        retryDelaySeconds: options.retryDelaySeconds ?? 2,
        retryBackoff: options.retryBackoff ?? true,
        concurrency: options.concurrency ?? 1,
        expireInSeconds: options.expireInSeconds ?? 30,
        handler: handler as JobHandler<object>,
      };
      definitions.set(name, definition);
      if (boss && database) await store(boss, database, definition);
    },
    schedule: async (name, cron, timeZone) => {
      defined(name);
      schedules.set(name, { cron, timeZone });
      if (boss) await boss.schedule(name, cron, {}, { tz: timeZone });
    },
    start: async () => {
      if (boss) return;
      database = await openQueueDatabase(databaseUrl, log);
      const started = newBoss({ supervise: false, schedule: false });
      await started.start();
      for (const definition of definitions.values()) await store(started, database, definition);
      for (const [name, { cron, timeZone }] of schedules) await started.schedule(name, cron, {}, { tz: timeZone });
      runner = createRunner({ boss: started, database, definitions, log });
      boss = started;
    },
    stop: async () => {
      if (!boss) return;
      await unlisten?.();
      await keeper?.stop({ graceful: false });
      await runner?.stop();
      await boss.stop({ graceful: false });
      await database?.close();
    },
    send: async (db, name, data, { singletonKey = randomUUID(), startAfter } = {}) => {
      defined(name);
      const sql = { executeSql: (text: string, values?: unknown[]) => db.$client.query(text, values) };
      const options = { db: sql, singletonKey, ...(startAfter !== undefined && { startAfter }) };
      const id = await running().boss.send(name, data, options);
      if (id !== null && startAfter === undefined) await announce(sql);
      return id;
    },
    work: async () => {
      if (keeper) return;
      const { boss: started, runner: working } = running();
      for (const { name } of await started.getSchedules()) if (!schedules.has(name)) await started.unschedule(name);
      keeper = newBoss({ migrate: false, maintenanceIntervalSeconds: FIND_DEAD_EVERY_SECONDS });
      await keeper.start();
      unlisten = listen(databaseUrl, working.wake);
      working.start();
    },
    drain: async () => {
      const { boss: started, runner: working } = running();
      const giveUpAt = performance.now() + DRAIN_LIMIT_MS;
      while (await working.isAnythingDue()) {
        if (performance.now() > giveUpAt) throw new Error('Jobs are still due after two minutes.');
        const begun = await working.runDue();
        const done = await working.settled();
        if (begun + done > 0) continue;
        await started.expire(); // what is active elsewhere may belong to a dead process
        await sleep(25);
      }
    },
    failedCounts: async () => {
      const { rows } = await running().database.executeSql(
        `select name, count(*)::int as count from pgboss.job where state = 'failed' group by name order by name`,
      );
      return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
    },
    failed: (limit) => failedJobs(running().database, limit),
    retry: async (db, id) => {
      const sql = { executeSql: (text: string, values?: unknown[]) => db.$client.query(text, values) };
      const job = await retryFailed(sql, id);
      if (job?.outcome === 'retried') await announce(sql);
      return job;
    },
  };
}
