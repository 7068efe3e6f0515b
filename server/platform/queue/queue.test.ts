import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { testEnv } from '#server/testing/test-env.ts';
import { createDatabase, transaction, type Database } from '../data/database.ts';
import { createLog } from '../logs/log.ts';
import { openQueueDatabase } from './queue-database.ts';
import { createQueue, type Queue } from './queue.ts';

const log = createLog(testEnv());
let database: TestDatabase;
let db: Database;
let queues: Queue[];

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, log);
  queues = [];
});
afterEach(async () => {
  for (const queue of queues) await queue.stop();
  await db.$client.end();
  await database.drop();
});

/** Newer than the release whose database the test starts from. */
const nextRelease = Number.MAX_SAFE_INTEGER - 1;

function newQueue({ release = nextRelease } = {}): Queue {
  const queue = createQueue({ databaseUrl: database.url, log, release });
  queues.push(queue);
  return queue;
}

async function started(name: string, options: Parameters<Queue['define']>[1], handler: Parameters<Queue['define']>[2]) {
  const queue = newQueue();
  await queue.define(name, options, handler);
  await queue.start();
  return queue;
}

const rows = async (sql: string) => (await db.$client.query<Record<string, unknown>>(sql)).rows;

test('a job is queued or not with the transaction that sent it', async () => {
  const done: object[] = [];
  const queue = await started('count', {}, async (data) => void done.push(data));
  const failing = transaction(db, async (tx) => {
    await queue.send(tx, 'count', { n: 1 });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await transaction(db, async (tx) => void (await queue.send(tx, 'count', { n: 2 })));
  await queue.drain();
  expect(done).toEqual([{ n: 2 }]);
  expect(await rows('select state from pgboss.job')).toEqual([{ state: 'completed' }]);
});

test('replicas that start at once declare the same jobs without getting in each other’s way', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `declared-${index}`);
  const replicas = [newQueue(), newQueue(), newQueue()];
  await Promise.all(replicas.map((queue) => queue.start()));
  await Promise.all(
    replicas.map(async (queue) => {
      for (const name of names) await queue.define(name, {}, () => Promise.resolve());
    }),
  );
  const declared = await rows(`select name from pgboss.queue where name like 'declared-%' order by name`);
  expect(declared.map(({ name }) => name)).toEqual(names);
});

test('a failed job is tried again with growing waits, knows its attempt, and is counted when it is given up', async () => {
  const attempts: object[] = [];
  const options = { retryLimit: 2, retryDelaySeconds: 60 };
  const queue = await started('flaky', options, async (_data, about) => {
    attempts.push(about);
    throw new Error('not today');
  });
  await queue.send(db, 'flaky', {});
  const waits: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    await queue.drain(); // a retry that waits for its time is not due
    const [job] = await rows('select extract(epoch from start_after - now())::float as wait from pgboss.job');
    waits.push(Number(job?.wait));
    await db.$client.query(`update pgboss.job set start_after = now() where state = 'retry'`);
  }
  expect(attempts).toEqual([
    { attempt: 1, lastAttempt: false },
    { attempt: 2, lastAttempt: false },
    { attempt: 3, lastAttempt: true },
  ]);
  expect(waits[0]).toBeGreaterThan(50);
  expect(waits[1]).toBeGreaterThan(110);
  expect(await queue.failedCounts()).toEqual({ flaky: 1 });
  expect(await rows('select output from pgboss.job')).toEqual([{ output: { message: 'not today' } }]);
});

test('two workers do each of 60 jobs once, and a third that only sends does none', async () => {
  const done: unknown[] = [];
  const options = { concurrency: 5 };
  const handler = (worker: string) => async (data: object) => void done.push(worker, JSON.stringify(data));
  const workers = [await started('count', options, handler('a')), await started('count', options, handler('b'))];
  const sender = await started('count', options, handler('sender'));
  for (const worker of workers) await worker.work();
  const sent = Array.from({ length: 60 }, (_, n) => sender.send(db, 'count', { n }));
  await Promise.all(sent);
  await vi.waitFor(
    async () => {
      expect(await rows(`select count(*)::int as n from pgboss.job where state = 'completed'`)).toEqual([{ n: 60 }]);
    },
    { timeout: 10_000, interval: 20 },
  );
  const numbers = done.filter((entry) => String(entry).startsWith('{'));
  expect(new Set(numbers).size).toBe(60);
  expect(numbers).toHaveLength(60);
  expect(done).not.toContain('sender');
});

test('the commit wakes a worker of another replica, before it would look by itself', async () => {
  let finish: (at: number) => void = () => undefined;
  const worker = await started('wake', {}, async () => finish(performance.now()));
  const sender = await started('wake', {}, async () => undefined);
  await worker.work();
  const delays: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const finished = new Promise<number>((resolve) => (finish = resolve));
    await transaction(db, async (tx) => void (await sender.send(tx, 'wake', {})));
    const committed = performance.now();
    delays.push((await finished) - committed);
  }
  delays.sort((a, b) => a - b);
  expect(delays[2]).toBeLessThan(600); // by itself it looks once a second
});

test('another process does the job of one that died', async () => {
  const done: object[] = [];
  const queue = await started('survive', { expireInSeconds: 1, retryDelaySeconds: 1 }, async (_data, about) => {
    done.push(about);
  });
  await queue.send(db, 'survive', {});
  // As left by a worker that was killed after taking it, two seconds ago.
  await db.$client.query(`update pgboss.job set state = 'active', started_on = now() - interval '2 seconds'`);
  await queue.drain();
  await db.$client.query(`update pgboss.job set start_after = now() where state = 'retry'`);
  await queue.drain();
  expect(done).toEqual([{ attempt: 2, lastAttempt: false }]);
});

test('a drain also does what a job sends, and leaves what is sent for later', async () => {
  const done: number[] = [];
  const queue = newQueue();
  await queue.define<{ n: number }>('chain', {}, async ({ n }) => {
    done.push(n);
    if (n < 5) await queue.send(db, 'chain', { n: n + 1 });
  });
  await queue.start();
  await queue.send(db, 'chain', { n: 1 });
  await queue.send(db, 'chain', { n: 99 }, { startAfter: 3600 });
  await queue.drain();
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('a singleton key is taken while its job waits; another key and no key are free', async () => {
  const queue = await started('unique', {}, async () => undefined);
  const send = (singletonKey?: string) => queue.send(db, 'unique', {}, singletonKey ? { singletonKey } : {});
  expect(await send('a')).toEqual(expect.any(String));
  expect(await send('a')).toBeNull();
  for (const key of ['b', undefined, undefined]) expect(await send(key)).toEqual(expect.any(String));
  await queue.drain();
  expect(await send('a')).toEqual(expect.any(String));
});

test('a schedule is kept by its name, and one that the code no longer has is removed', async () => {
  const first = newQueue();
  await first.define('daily', {}, async () => undefined);
  await first.define('old', {}, async () => undefined);
  await first.start();
  await first.schedule('daily', '0 7 * * *', 'Australia/Sydney');
  await first.schedule('old', '0 8 * * *', 'Australia/Sydney');
  const second = newQueue();
  await second.define('daily', {}, async () => undefined);
  await second.schedule('daily', '0 9 * * *', 'Australia/Sydney');
  await second.start();
  await second.work();
  const schedules = await rows('select name, cron, timezone from pgboss.schedule');
  expect(schedules).toEqual([{ name: 'daily', cron: '0 9 * * *', timezone: 'Australia/Sydney' }]);
});

test('the schedules of a newer release stay when an older replica starts', async () => {
  const newest = newQueue({ release: nextRelease + 1 });
  for (const name of ['daily', 'new']) await newest.define(name, {}, async () => undefined);
  await newest.start();
  await newest.schedule('daily', '0 9 * * *', 'Australia/Sydney');
  await newest.schedule('new', '0 8 * * *', 'Australia/Sydney');
  const older = newQueue({ release: nextRelease });
  await older.define('daily', {}, async () => undefined);
  await older.schedule('daily', '0 7 * * *', 'Australia/Sydney');
  await older.start();
  await older.work();
  const kept = [
    { name: 'daily', cron: '0 9 * * *' },
    { name: 'new', cron: '0 8 * * *' },
  ];
  const mine = `select name, cron from pgboss.schedule where name in ('daily', 'new') order by name`;
  expect(await rows(mine)).toEqual(kept);
});

test('the queue outlives lost connections, its own and its listener’s', async () => {
  let done = 0;
  const queue = await started('again', {}, async () => void (done += 1));
  await queue.work();
  await db.$client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'adviserly queue%' and datname = current_database()`,
  );
  await queue.send(db, 'again', {});
  await vi.waitFor(() => expect(done).toBe(1), { timeout: 10_000, interval: 20 });
});

test('a server goes on that loses the connection of its lock at the start', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  const own = await openQueueDatabase(database.url, log);
  const holder = `from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and datname = current_database()`;
  await own.exclusively(async () => {
    expect(await rows(`select pg_terminate_backend(pid) as ended ${holder}`)).toEqual([{ ended: true }]);
    await vi.waitFor(async () => expect(await rows(`select pid ${holder}`)).toEqual([]), { interval: 20 });
    await own.executeSql('select 1');
  });
  await own.exclusively(() => Promise.resolve());
  await own.close();
  process.off('uncaughtExceptionMonitor', note);
  expect(uncaught).toEqual([]);
});

test('a stop waits for the running job, and an unknown name is refused', async () => {
  let finish: () => void = () => undefined;
  let running: () => void = () => undefined;
  const isRunning = new Promise<void>((resolve) => (running = resolve));
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const queue = await started('slow', {}, async () => (running(), gate));
  await expect(queue.send(db, 'nothing', {})).rejects.toThrow('No job is called nothing');
  await queue.work();
  await queue.send(db, 'slow', {});
  await isRunning;
  const stopped = queue.stop();
  finish();
  await stopped;
  expect(await rows('select state from pgboss.job')).toEqual([{ state: 'completed' }]);
});
