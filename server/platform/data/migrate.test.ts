import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { until } from '#server/testing/until.ts';
import { migrateDatabase } from './migrate.ts';

let database: TestDatabase;
let client: pg.Client;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table things (id integer, name text); insert into things values (1, $$a$$), (2, $$a$$)');
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  fs.rmSync(folder, { recursive: true });
});

/** Writes migrations dated long after our own, one after the other. */
function write(...migrations: string[]): void {
  fs.mkdirSync(path.join(folder, 'meta'), { recursive: true });
  for (const [index, text] of migrations.entries()) fs.writeFileSync(path.join(folder, `${index}.sql`), text);
  const entries = migrations.map((_, idx) => ({ idx, when: 4_000_000_000_000 + idx, tag: String(idx) }));
  fs.writeFileSync(path.join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
}

const said: string[] = [];
const note = (fields: { migration?: string } | string, text?: string) =>
  void said.push(typeof fields === 'string' ? fields : `${text} ${fields.migration}`);
const log = { info: note, warn: note } as unknown as Pick<Logger, 'info' | 'warn'>;
const migrate = () => migrateDatabase(database.url, database.url, { folder, log });

const columns = async () => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'things'::regclass and attnum > 0 and not attisdropped`,
  );
  return rows.map(({ name }) => name);
};

const validIndexes = async () => {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = 'things'::regclass and indisvalid`,
  );
  return rows.map(({ name }) => name);
};

it('each migration is a line of the log, and so is a table that it waits for', async () => {
  said.length = 0;
  write('alter table things add column one integer', 'alter table things add column two integer');
  await client.query('begin; lock table things');
  const migrated = migrate();
  await until('it waits', 20_000, () => said.length > 0, 100);
  await client.query('commit');
  await migrated;
  expect(said).toEqual(['migration waits for a table 0', 'migrated 0', 'migrated 1']);
  await migrate();
  expect(said).toHaveLength(3);
});

it('the migration goes on after the last whole one, and a half one leaves nothing', async () => {
  write(
    'alter table things add column one integer',
    'alter table things add column two integer; select 1 / (count(*) - 2) from things',
  );
  await expect(migrate()).rejects.toThrow('division by zero');
  expect(await columns()).toEqual(['id', 'name', 'one']);
  await client.query('insert into things values (3)');
  await migrate();
  expect(await columns()).toEqual(['id', 'name', 'one', 'two']);
  await migrate();
});

it('the migration lets others go first while somebody holds the table, and then does its work', async () => {
  write('alter table things add column one integer');
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin; select * from things');
  const migrated = migrate();
  const waits = `select 1 from pg_locks where relation = 'things'::regclass and not granted`;
  await until('it waits', 20_000, async () => (await client.query(waits)).rowCount);
  // A reader behind a waiting lock waits too, for as long as that does.
  expect((await client.query('select * from things')).rowCount).toBe(2);
  expect(await columns()).toEqual(['id', 'name']);
  await holder.end();
  await migrated;
  expect(await columns()).toEqual(['id', 'name', 'one']);
});

it('the migration makes an index again that was interrupted while it was made concurrently', async () => {
  write('create unique index concurrently if not exists "things_name" on things (name)');
  await expect(migrate()).rejects.toThrow('could not create unique index');
  expect(await validIndexes()).toEqual([]);
  await client.query(`update things set name = 'b' where id = 2`);
  await migrate();
  expect(await validIndexes()).toEqual(['things_name']);
});

it('the migration waits for another replica without being in the way of its index', async () => {
  write('create index concurrently if not exists "things_name" on things (name)');
  await Promise.all([migrate(), migrate(), migrate()]);
  expect(await validIndexes()).toEqual(['things_name']);
});
