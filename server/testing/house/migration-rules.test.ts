import fs from 'node:fs';
import { day } from '#shared/rules/dates.ts';
import { expect, it } from 'vitest';
import { migrationFaults } from './migration-rules.ts';

/** Migrations before this one are older than the rules. */
const ruledFrom = 26;
/** For this long an older release may run beside a newer one, or be gone back to. */
const releaseLives = 7 * day;

type Entry = { idx: number; tag: string; when: number };
type Snapshot = { tables: Record<string, { name: string; columns: object }> };
const { entries } = JSON.parse(fs.readFileSync('migrations/meta/_journal.json', 'utf8')) as { entries: Entry[] };

/** The schema as the code knew it at that migration: tables, and columns as "table.column". */
function knownWith({ idx }: Entry): Set<string> {
  const file = `migrations/meta/${String(idx).padStart(4, '0')}_snapshot.json`;
  const { tables } = JSON.parse(fs.readFileSync(file, 'utf8')) as Snapshot;
  return new Set(
    Object.values(tables).flatMap(({ name, columns }) => [
      name,
      ...Object.keys(columns).map((column) => `${name}.${column}`),
    ]),
  );
}

/** Whether the name was unknown to every release that may still be running when this migration does. */
const isForgottenBy = (migration: Entry) => (name: string) => {
  const older = entries.filter(({ idx }) => idx < migration.idx);
  const oldest = older.findLastIndex(({ when }) => when < migration.when - releaseLives);
  return older.slice(Math.max(0, oldest)).every((entry) => !knownWith(entry).has(name));
};

it.for(entries.filter(({ idx }) => idx >= ruledFrom).map((entry) => [entry.tag, entry] as const))(
  '%s can run beside the release before',
  async ([tag, entry]) => {
    const sql = fs.readFileSync(`migrations/${tag}.sql`, 'utf8');
    expect(await migrationFaults({ sql, isForgotten: isForgottenBy(entry) })).toEqual([]);
  },
);

it.for<[string, string]>([
  ['create index i on users (email)', 'without concurrently'],
  ['create index concurrently i on users (email)', 'if not exists'],
  ['create index concurrently if not exists i on users (email); create table t (id int)', 'of their own'],
  ['drop index users_email', 'without concurrently'],
  ['alter table users add column x uuid default gen_random_uuid()', 'rewrites'],
  ['alter table users add column x timestamptz default (clock_timestamp() + interval $$1 day$$)', 'rewrites'],
  ['alter table users add column x bigserial', 'rewrites'],
  ['alter table users add column x int generated always as identity', 'rewrites'],
  ['alter table users add column x int generated always as (1) stored', 'rewrites'],
  ['alter table users add column x text not null', 'without a default'],
  ['alter table users add column x text unique', 'is unique'],
  ['alter table users add column x uuid references teams (id)', 'not valid'],
  ['alter table users alter column email type varchar(20)', 'rewrites'],
  ['alter table tools alter column name type varchar(20)', 'rewrites'],
  ['alter table users alter column email set not null', 'under a lock'],
  ['alter table users add constraint c check (true)', 'not valid'],
  ['alter table users add constraint c foreign key (x) references teams (id)', 'not valid'],
  ['alter table users add constraint c unique (x)', 'using it'],
  ['alter table users add constraint c check (true) not valid; alter table users validate constraint c', 'of its own'],
  ['alter table users set unlogged', 'not among'],
  ['alter table users rename column email to mail', 'older release'],
  ['alter table users rename to people', 'older release'],
  ['alter table users drop column email', 'a release later'],
  ['alter table tools drop column name', 'a release later'],
  ['drop table users', 'a release later'],
  ['update users set email = lower(email)', 'a job'],
  ['delete from users where closed_at is not null', 'a job'],
  ['insert into tools (id) select tool_id from tool_usage', 'a job'],
  ['do $$ begin update users set email = null; end $$', 'not among'],
  ['truncate users', 'not among'],
  ['lock table users', 'not among'],
  ['vacuum full users', 'not among'],
  ['create table t as select * from users', 'a job'],
  ['alter table users add column x text; create materialized view v as select count(*) from users', 'of its own'],
])('refuses %s', async ([sql, why]) => {
  expect((await migrationFaults({ sql })).join('\n')).toContain(why);
});

it.for([
  'create table t (id bigserial primary key, x uuid unique references users (id)); create index i on t (x)',
  'create table t (x int); alter table t add constraint c foreign key (x) references users (id)',
  'create index concurrently if not exists i on users (email); drop index concurrently if exists j',
  'alter table users add column x text, add column y boolean not null default false',
  'alter table users add column x timestamptz default now() not null',
  'alter table users add constraint c check (x is not null) not valid',
  'alter table users validate constraint c',
  'alter table users add constraint c unique using index i',
  'alter table users alter column email drop not null, alter column email set default $$$$',
  'create unique index i on tools (name); update tools set name = trim(name)',
  'insert into discount_tiers (id) values (1)',
  'create materialized view v as select id from users; create unique index i on v (id)',
  'drop materialized view v; create materialized view v as select id from users; create unique index i on v (id)',
  'create or replace function f() returns trigger language plpgsql as $$ begin update users set x = 1; end $$',
])('allows %s', async (sql) => {
  expect(await migrationFaults({ sql })).toEqual([]);
});

it('lets go of what no release knows that may still run', async () => {
  const sql = 'alter table users drop column old_name';
  expect(await migrationFaults({ sql, isForgotten: (name) => name === 'users.old_name' })).toEqual([]);
  const last = entries.at(-1)!;
  const next = { idx: last.idx + 1, tag: 'next', when: last.when + 30 * day };
  expect(isForgottenBy(next)('users.email')).toBe(false);
  expect(isForgottenBy(next)('users.old_name')).toBe(true);
});
