import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { testEnv } from '#server/testing/test-env.ts';
import { createDatabase, type Database, refuseUnlessWritable, transaction } from './database.ts';
import { toAppError } from '../http/error-handler.ts';
import { createLog } from '../logs/log.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, createLog(testEnv()), 2);
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: unknown) => error,
  );
const alive = async (pid: number) =>
  (await db.execute(sql`select from pg_stat_activity where pid = ${pid}`)).rows.length;

test('a server that stopped answering ends the transaction within the wait for it, and nothing of it stays', async () => {
  const begin = performance.now();
  let frozen = 0;
  const error = await failure(
    transaction(db, async (tx) => {
      await tx.execute(sql`insert into rate_limits (key) values ('frozen')`);
      frozen = Number((await tx.execute(sql`select pg_backend_pid() as pid`)).rows[0]!['pid']);
      process.kill(frozen, 'SIGSTOP');
      await tx.execute(sql`select 1`);
    }),
  );
  expect(performance.now() - begin).toBeLessThan(5500); // 3 s, not 3 s for the statement and 3 s for its rollback
  expect(toAppError(error)).toMatchObject({ code: 'busy', status: 503 });
  process.kill(frozen, 'SIGCONT');
  const pids = await Promise.all([1, 2, 3, 4].map(() => db.execute(sql`select pg_backend_pid() as pid`)));
  expect(pids.map(({ rows }) => rows[0]!['pid'])).not.toContain(frozen);
  await expect.poll(() => alive(frozen)).toBe(0);
  expect((await db.execute(sql`select from rate_limits where key = 'frozen'`)).rows).toEqual([]);
});

test('the server gives a statement up before we do, so that no connection waits for nobody', async () => {
  const errors = await Promise.all([1, 2].map(() => failure(db.execute(sql`select pg_sleep(9)`))));
  for (const error of errors) expect(toAppError(error)).toMatchObject({ code: 'busy' });
  const sleeping = `select pid from pg_stat_activity where query like '%pg_sleep(9)%' and state = 'active' and pid <> pg_backend_pid()`;
  expect((await db.$client.query(sleeping)).rows).toEqual([]);
});

describe('connections to a server that was demoted', () => {
  const demoted = async () => {
    const clients = await Promise.all([1, 2].map(() => db.$client.connect()));
    for (const client of clients) await client.query('set session characteristics as transaction read only');
    for (const client of clients) client.release();
  };
  const write = () => db.execute(sql`insert into rate_limits (key) values (${randomUUID()})`);

  test.each([
    ['a statement', write],
    ['a transaction', () => transaction(db, (tx) => tx.execute(sql`delete from rate_limits where key = 'none'`))],
    ['the question whether it is ready', () => refuseUnlessWritable(db)],
  ])('are all replaced after the first refusal: %s', async (_what, ask) => {
    await demoted();
    expect(toAppError(await failure(ask()))).toMatchObject({ code: 'busy', status: 503 });
    await expect.poll(() => db.$client.totalCount).toBe(0);
    await Promise.all([write(), write()]);
    await refuseUnlessWritable(db);
  });
});

test('a connection lost within a transaction is a passing fault, also for the next statement', async () => {
  const error = await failure(
    transaction(db, async (tx) => {
      const { rows } = await tx.execute(sql`select pg_backend_pid() as pid`);
      const lost = new Promise((resolve) => tx.$client.once('error', resolve));
      await db.$client.query('select pg_terminate_backend($1)', [rows[0]!['pid']]);
      await lost;
      await tx.execute(sql`select 1`);
    }),
  );
  expect(toAppError(error)).toMatchObject({ code: 'busy', status: 503 });
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test('calls are counted without waiting for the disk', async () => {
  const { rows } = await db.execute(sql`select relpersistence from pg_class where oid = 'rate_limits'::regclass`);
  expect(rows).toEqual([{ relpersistence: 'u' }]);
});
