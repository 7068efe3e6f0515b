import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client, type Pool, type PoolClient } from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { openQueueDatabase, type QueueDatabase, type Sql } from './queue-database.ts';
import { type ChangedJob, failedJobs, type FailedJob, retryFailed, settleFailed } from './queue-failures.ts';
import { traceToCarry } from '../logs/telemetry.ts';
import { createRunner, type Definition, type JobHandler, type QueueOptions, type Runner } from './queue-runner.ts';

export type SendOptions = {
  /** While a job with this key waits, no second one is queued. Not for work that depends on the data of each send. */
  singletonKey?: string;
  /** Seconds from now. */
  startAfter?: number;
};

/** A database handle: a job sent with a transaction's is queued when that commits. */
export type SendingDb = { $client: Pool | PoolClient };

export type Queue = {
  /** Declares a kind of job, in every process that sends or runs it, before `work`. */
  define<T extends object>(name: string, options: QueueOptions, handler: JobHandler<T>): Promise<void>;
  /** Sends the (defined) job, without data, by the cron expression, read in the time zone's real time. */
  schedule(name: string, cron: string, timeZone: string): Promise<void>;
  start(): Promise<void>;
  /** Waits at most ten seconds for the jobs that are running. */
  stop(): Promise<void>;
  /** The job's id, or null if the singleton key was taken. */
  send(db: SendingDb, name: string, data: object, options?: SendOptions): Promise<string | null>;
  /** Removes every job with exactly this data, except one that is running. */
  forget(db: SendingDb, name: string, data: object): Promise<void>;
  /** Starts to run jobs in this process. */
  work(): Promise<void>;
  /** Runs jobs until none is due or active anywhere. Retries that are not due stay queued. */
  drain(): Promise<void>;
  /** How many jobs failed their last attempt, by name. */
  failedCounts(): Promise<Record<string, number>>;
  /** Those jobs, newest first, without those whose work has been sent again since. */
  failed(limit: number): Promise<FailedJob[]>;
  /** Gives such a job one more attempt. Of several callers at once, one gets it `changed`; null means no such job. */
  retry(db: SendingDb, id: string): Promise<ChangedJob | null>;
  /** Ends such a job instead, likewise. */
  settle(db: SendingDb, id: string): Promise<ChangedJob | null>;
};

/** As pg-boss takes it. */
const sqlOf = ({ $client }: SendingDb): Sql => ({ executeSql: (text, values) => $client.query(text, values) });
/** For an insert of jobs: in one statement, wakes the workers of every replica when it commits. */
const wakingSqlOf = ({ $client }: SendingDb): Sql => ({
  executeSql: (text, values) => $client.query(`with sent as (${text}) select id, ${notifyWorkers} from sent`, values),
});

const DAY_SECONDS = 86_400;
const FIND_DEAD_EVERY_SECONDS = 10;
const DRAIN_LIMIT_MS = 120_000;
const RECONNECT_AFTER_MS = 1000;
/** The channel on which a committed send wakes the workers of every replica. */
const CHANNEL = 'adviserly_jobs';
const notifyWorkers = `pg_notify('${CHANNEL}', '')`;

type Plan = { cron: string; timeZone: string };
type Options = {
  databaseUrl: string;
  log: Logger;
  /** A number that grows with releases: schedules belong to the newest one that has started. */
  release?: number;
};

/** Jobs in Postgres (pg-boss): sent in the caller's transaction, run by any replica, run again if that was killed. */
export function createQueue({ databaseUrl, log, release = 0 }: Options): Queue {
  const definitions = new Map<string, Definition>();
  const schedules = new Map<string, Plan>();
  let database: QueueDatabase | undefined;
  let boss: PgBoss | undefined;
  let runner: Runner | undefined;
  let maintenance: PgBoss | undefined;
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
  /** Most exist since the last start and need no change. */
  const store = async (started: PgBoss, wanted: Iterable<Definition>) => {
    const known = new Map((await started.getQueues()).map((queue) => [queue.name, queue]));
    for (const { name, retryLimit, retryDelaySeconds: retryDelay, expireInSeconds } of wanted) {
      const policy = 'short' as const; // one waiting job per singleton key
      const options = { name, policy, retryLimit, retryDelay, retryBackoff: true, expireInSeconds };
      const kept = known.get(name);
      if (!kept) await started.createQueue(name, { ...options });
      if (!isDeepStrictEqual({ ...kept, ...options }, kept)) await started.updateQueue(name, { ...options });
    }
  };
  const newer = ({ data = {} }: PgBoss.Schedule) => 'release' in data && Number(data.release) > release;
  /** Most stand there since the last start, as jobs do. */
  const keepSchedules = async (started: PgBoss, plans: Iterable<[name: string, Plan]>) => {
    const stored = (await started.getSchedules()) as (PgBoss.Schedule & { timezone: string })[];
    const known = new Map(stored.map((schedule) => [schedule.name, schedule]));
    for (const [name, { cron, timeZone }] of plans) {
      const kept = known.get(name);
      const isThere = kept?.cron === cron && kept.timezone === timeZone && isDeepStrictEqual(kept.data, { release });
      if (!isThere && !(kept && newer(kept))) await started.schedule(name, cron, { release }, { tz: timeZone });
    }
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
      const usual = { retryLimit: 5, retryDelaySeconds: 2, concurrency: 1, expireInSeconds: 30 };
      const definition = { ...usual, ...options, name, handler: handler as JobHandler<object> };
      definitions.set(name, definition);
      if (boss && database) await database.exclusively(() => store(running().boss, [definition]));
    },
    schedule: async (name, cron, timeZone) => {
      defined(name);
      schedules.set(name, { cron, timeZone });
      if (boss) await keepSchedules(boss, [[name, { cron, timeZone }]]);
    },
    start: async () => {
      if (boss) return;
      database = await openQueueDatabase(databaseUrl, log);
      const started = newBoss({ supervise: false, schedule: false });
      await started.start();
      // Each queue is a table with a foreign key, so replicas that create theirs at the same time would deadlock.
      await database.exclusively(() => store(started, definitions.values()));
      await keepSchedules(started, schedules);
      runner = createRunner({ boss: started, database, definitions, log });
      boss = started;
    },
    stop: async () => {
      if (!boss) return;
      await unlisten?.();
      await maintenance?.stop({ graceful: false });
      await runner?.stop();
      await boss.stop({ graceful: false });
      await database?.close();
    },
    send: async (db, name, data, { singletonKey = randomUUID(), startAfter } = {}) => {
      defined(name);
      const options = { db: wakingSqlOf(db), singletonKey, ...(startAfter !== undefined && { startAfter }) };
      return running().boss.send(name, { ...data, ...traceToCarry() }, options);
    },
    forget: async (db, name, data) => {
      for (const table of ['job', 'archive'])
        await db.$client.query(
          `delete from pgboss.${table} where name = $1 and data - 'traceparent' = $2 and state <> 'active'`,
          [name, JSON.stringify(data)],
        );
    },
    work: async () => {
      if (maintenance) return;
      const { boss: started, runner: working } = running();
      for (const schedule of await started.getSchedules())
        if (!schedules.has(schedule.name) && !newer(schedule)) await started.unschedule(schedule.name);
      maintenance = newBoss({ migrate: false, maintenanceIntervalSeconds: FIND_DEAD_EVERY_SECONDS });
      await maintenance.start();
      unlisten = listen(databaseUrl, working.wake);
      working.start();
    },
    drain: async () => {
      const { boss: started, runner: working } = running();
      const giveUpAt = performance.now() + DRAIN_LIMIT_MS;
      for (;;) {
        const names = await working.dueOrActive();
        if (names.length === 0) return;
        if (performance.now() > giveUpAt) throw new Error('Jobs are still due after two minutes.');
        const taken = await working.runDue(names);
        const finished = await working.allFinished();
        if (taken + finished > 0) continue;
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
      const job = await retryFailed(sqlOf(db), id);
      if (job?.changed) await db.$client.query(`select ${notifyWorkers}`);
      return job;
    },
    settle: (db, id) => settleFailed(sqlOf(db), id),
  };
}

/** Calls `wake` when workers are notified, on its own connection, which it renews when lost. Returns a function that stops it. */
function listen(databaseUrl: string, wake: () => void): () => Promise<void> {
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
      wake(); // something may have been sent while nobody listened
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
