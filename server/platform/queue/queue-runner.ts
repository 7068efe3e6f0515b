import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isPassing } from '../http/error-handler.ts';
import type { QueueDatabase } from './queue-database.ts';
import { traced } from '../logs/telemetry.ts';

export type JobHandler<T extends object> = (data: T, about: { attempt: number; lastAttempt: boolean }) => Promise<void>;

export type QueueOptions = {
  /** How often a failed job is tried again; 5 by default. */
  retryLimit?: number;
  /** Seconds before the first retry, 2 by default; each one after it waits about twice as long. */
  retryDelaySeconds?: number;
  /** How many run at once in one process; 1 by default. */
  concurrency?: number;
  /** Seconds after which another process takes over a job; no handler may take longer. 30 by default. */
  expireInSeconds?: number;
};

export type Definition = Required<QueueOptions> & { name: string; handler: JobHandler<object> };

export type Runner = {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
  /** Starts the jobs that are due, of these kinds or of all, within each kind's concurrency; returns how many. */
  runDue(names?: string[]): Promise<number>;
  /** Resolves when no job runs in this process, to how many it waited for. */
  allFinished(): Promise<number>;
  /** The kinds of which a job is due, or active anywhere. */
  dueOrActive(): Promise<string[]>;
};

type Parts = { boss: PgBoss; database: QueueDatabase; definitions: Map<string, Definition>; log: Logger };

const POLL_EVERY_MS = 1000;
const STOP_LIMIT_MS = 10_000;

/** The loop that runs jobs in one process: one query finds the kinds that are due, then each kind's jobs are fetched and run. */
export function createRunner({ boss, database, definitions, log }: Parts): Runner {
  const active = new Map<string, { name: string; done: Promise<void> }>();
  let stopping = false;
  let awake = false;
  let wakeUp: (() => void) | undefined;
  let loop: Promise<void> | undefined;

  // Without a condition on the name, PostgreSQL reads nothing from empty partitions, which most are.
  const namesWhere = async (what: string, condition: string): Promise<string[]> => {
    const { rows } = await database.executePrepared(what, `select distinct name from pgboss.job where ${condition}`);
    return rows.map(({ name }) => String(name)).filter((name) => definitions.has(name));
  };
  const isDue = `state < 'active' and start_after <= now()`;

  async function run(definition: Definition, job: PgBoss.JobWithMetadata): Promise<void> {
    const { name, handler } = definition;
    const attempt = job.retryCount + 1;
    try {
      const { traceparent: carried, ...data } = (job.data ?? {}) as { traceparent?: string };
      const about = { kind: 'CONSUMER', carried, attributes: { 'job.name': name, 'job.attempt': attempt } } as const;
      await traced(`job ${name}`, about, () =>
        handler(data, { attempt, lastAttempt: job.retryCount >= job.retryLimit }),
      );
      await boss.complete(name, job.id);
    } catch (error) {
      log[isPassing(error) ? 'warn' : 'error']({ err: error, job: name, jobId: job.id, attempt }, 'job failed');
      const message = error instanceof Error ? error.message.split('\nparams:')[0] : 'unknown fault';
      await boss.fail(name, job.id, { message }).catch((fault: unknown) => {
        log.error({ err: fault, job: name, jobId: job.id }, 'a failed job could not be recorded; it will expire');
      });
    }
  }

  async function runDue(names?: string[]): Promise<number> {
    let count = 0;
    for (const name of names ?? (await namesWhere('due jobs', isDue))) {
      const definition = definitions.get(name);
      const running = [...active.values()].filter((job) => job.name === name).length;
      if (!definition || stopping || running >= definition.concurrency) continue;
      const batchSize = definition.concurrency - running;
      const jobs = await boss.fetch<object>(name, { includeMetadata: true, batchSize });
      for (const job of jobs) {
        count += 1;
        const done = run(definition, job).finally(() => {
          active.delete(job.id);
          wake(); // another may run now
        });
        active.set(job.id, { name, done });
      }
    }
    return count;
  }

  function wake(): void {
    awake = true;
    wakeUp?.();
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_EVERY_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (awake || stopping) wakeUp();
    });
  }

  async function work(): Promise<void> {
    for (;;) {
      if (stopping) return;
      awake = false;
      await runDue().catch((error: unknown) => log.warn({ err: error }, 'jobs could not be looked for'));
      await rest();
    }
  }

  const allFinished = async () => (await Promise.all([...active.values()].map((job) => job.done))).length;

  return {
    start: () => (loop ??= work()),
    wake,
    runDue,
    allFinished,
    dueOrActive: () => namesWhere('due or active jobs', `state = 'active' or (${isDue})`),
    stop: async () => {
      stopping = true;
      wake();
      await loop;
      await Promise.race([allFinished(), sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
      // Fails what still runs, so that another replica needn't wait for it to expire.
      for (const [id, { name }] of active) await boss.fail(name, id, { message: 'the server stopped' });
    },
  };
}
