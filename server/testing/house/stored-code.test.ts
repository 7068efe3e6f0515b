import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgDialect, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { root } from '#server/platform/data/migrate.ts';
import { createTestDatabase } from '../database.ts';
import { withClient } from '../outside.ts';

/** Functions and triggers of the product as PostgreSQL itself prints them, by name. */
const stored = `
  select p.proname as name, pg_get_functiondef(p.oid) as definition
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
  union all
  select t.tgname, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by name`;

const folder = path.join(root, 'shared/schema/triggers');
const copies = fs.readdirSync(folder).filter((file) => file.endsWith('.sql'));

/** Works on a migrated database. */
async function onMigrated(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  await withClient(database.url, work).finally(() => database.drop());
}

async function definitions(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(stored);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

it('shared/schema/triggers is what the migrations make of functions and triggers', () =>
  onMigrated(async (client) => {
    const migrated = await definitions(client);
    expect(Object.keys(migrated).length).toBeGreaterThan(10);
    await client.query(`do $$ declare name text; begin
      for name in select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace loop
        execute 'drop function ' || name || ' cascade';
      end loop; end $$`);
    expect(await definitions(client)).toEqual({});
    for (const file of copies) await client.query(fs.readFileSync(path.join(folder, file), 'utf8'));
    expect(
      await definitions(client),
      'A function or trigger in shared/schema/triggers differs from what the migrations make. If the copy is right, make a migration with ' +
        '`npm run db:generate -- --custom --name what_it_does` and paste the changed statements into it; if a migration is right, paste them into the copy.',
    ).toEqual(migrated);
  }));

/** The tables of shared/schema. */
async function declaredTables(): Promise<PgTable[]> {
  const modules = fs.readdirSync(path.join(root, 'shared/schema')).filter((file) => file.endsWith('.ts'));
  return (await Promise.all(modules.map((file) => import(path.join(root, 'shared/schema', file)) as Promise<object>)))
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((value) => is(value, PgTable));
}

it('the migrations make every column of shared/schema', async () => {
  const declared = (await declaredTables()).flatMap((table) =>
    getTableConfig(table).columns.map(({ name }) => `${getTableConfig(table).name}.${name}`),
  );
  await onMigrated(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
    );
    const made = new Set(rows.map(({ name }) => name));
    const missing = declared.filter((name) => !made.has(name));
    expect(missing, 'No migration makes these columns: npm run db:generate -- --name what_it_does').toEqual([]);
    expect(declared.length).toBeGreaterThan(100);
  });
});

it('the migrations make the indexes of shared/schema, and leave no other on its tables', async () => {
  const tables = (await declaredTables()).map(getTableConfig);
  const declared = tables.flatMap(({ indexes }) => indexes.map(({ config: { name } }) => name!));
  await onMigrated(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select indexname as name from pg_indexes
       where schemaname = 'public' and tablename = any($1) and indexname not in (select conname from pg_constraint)`,
      [tables.map(({ name }) => name)],
    );
    expect(
      rows.map(({ name }) => name).toSorted(),
      'PostgreSQL may choose an index that is left over, and work out row by row what the right one holds',
    ).toEqual(declared.toSorted());
  });
});

it('the migrations know every entry of a list that a column is checked against', async () => {
  const literals = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(([, literal]) => literal!).toSorted();
  const declared = (await declaredTables()).flatMap((table) =>
    getTableConfig(table).checks.map(({ name, value }) => ({ name, text: new PgDialect().sqlToQuery(value).sql })),
  );
  const lists = declared.filter(({ text }) => /^\S+ in \(('\w+'(, )?)+\)$/.test(text));
  expect(lists.length).toBeGreaterThan(15);
  await onMigrated(async (client) => {
    const { rows } = await client.query<{ name: string; text: string }>(
      "select conname as name, pg_get_constraintdef(oid) as text from pg_constraint where contype = 'c'",
    );
    const made = new Map(rows.map(({ name, text }) => [name, literals(text)]));
    for (const { name, text } of lists) expect(made.get(name), name).toEqual(literals(text));
  });
});

it('the migrations validate each constraint that one of them adds as not valid', () =>
  onMigrated(async (client) => {
    const { rows } = await client.query(
      'select conrelid::regclass::text as table, conname as name from pg_constraint where not convalidated',
    );
    expect(
      rows,
      'Validate it: npm run db:generate -- --custom --name validate-it, then alter table … validate constraint …;',
    ).toEqual([]);
  }));

it('no check repeats a list by hand', () => {
  const folder = path.join(root, 'shared/schema');
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'columns.ts');
  const byHand = files.filter((file) =>
    /check\(\s*'\w+',\s*sql`\$\{[\w.]+\} in \('/.test(fs.readFileSync(path.join(folder, file), 'utf8')),
  );
  expect(byHand, 'Use oneOf of shared/schema/columns.ts, so that a new entry is a migration').toEqual([]);
});

it('every migration says in words what it does', () => {
  const journal = fs.readFileSync(path.join(root, 'migrations/meta/_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { idx: number; tag: string }[] };
  const files = fs.readdirSync(path.join(root, 'migrations')).filter((file) => file.endsWith('.sql'));
  expect(files.toSorted()).toEqual(entries.map(({ tag }) => `${tag}.sql`));
  for (const { idx, tag } of entries)
    expect(tag).toMatch(new RegExp(`^${String(idx).padStart(4, '0')}_[a-z]+([_-][a-z]+)*$`));
});

it('drizzle is not left to make up a name for a migration', () => {
  const command = path.join(root, 'node_modules/.bin/drizzle-kit');
  const { status, stdout, stderr } = spawnSync(command, ['generate'], { cwd: root, encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain('npm run db:generate -- --name what_it_does');
});
