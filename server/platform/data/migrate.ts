import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import type { Logger } from 'pino';
import { databaseErrorOf } from './database.ts';
import { startClient } from './database-address.ts';
import { grantToServer } from './database-role.ts';

/** The advisory lock of whoever migrates this database. */
const migrationLock = 7215;
const ASK_AGAIN_MS = 100;
/** A statement that waits longer than this for a table lets everybody behind it go first, then tries again. */
const LOCK_TIMEOUT_MS = 2000;
const PAUSE_MS = 500;
const TRIES = 60;

const rootAbove = (folder: string): string =>
  fs.existsSync(path.join(folder, 'migrations')) ? folder : rootAbove(path.dirname(folder));
/** The installation's root folder, whether this runs from the sources or from somewhere in `dist`. */
export const root = rootAbove(import.meta.dirname);
const ownMigrations = path.join(root, 'migrations');

const entriesOf = (folder: string) => {
  const journal = fs.readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: { when: number; tag: string }[] }).entries;
};

/** When this version's newest migration was made, in milliseconds since 1970. */
export const newestMigration = (): number => entriesOf(ownMigrations).at(-1)!.when;

/** Told to the log while it migrates. */
type Log = Pick<Logger, 'info' | 'warn'>;
type Options = { folder?: string; log?: Log };

/**
 * Migrates the database to this version's schema while servers use it, each migration in its own transaction unless it makes an index
 * concurrently. Replicas that start together take turns; after one is killed, the next start goes on where it stopped. If the server
 * connects as another role, that role gets its rights. The log has a line for each migration, and for what it waits for.
 */
export async function migrateDatabase(
  url: string,
  serverUrl = url,
  { folder = ownMigrations, log }: Options = {},
): Promise<void> {
  const client = startClient(url, 'adviserly migrate');
  await client.connect();
  try {
    await takeTurn(client, log);
    await client.query('create schema if not exists drizzle');
    await client.query(
      'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    );
    const { rows } = await client.query<{ newest: string | null }>(
      'select max(created_at) as newest from drizzle.__drizzle_migrations',
    );
    const newest = Number(rows[0]?.newest ?? 0);
    const tags = new Map(entriesOf(folder).map(({ when, tag }) => [when, tag]));
    for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
      if (migration.folderMillis <= newest) continue;
      const name = tags.get(migration.folderMillis);
      const begin = performance.now();
      await apply(client, migration, () => log?.warn({ migration: name }, 'migration waits for a table'));
      log?.info({ migration: name, ms: Math.round(performance.now() - begin) }, 'migrated');
    }
    if (serverUrl !== url) await grantToServer(client, serverUrl);
  } finally {
    await client.end();
  }
}

/** Polls for the lock instead of waiting for it: an index made concurrently waits for every earlier statement, so for that one too. */
async function takeTurn(client: pg.Client, log: Log | undefined): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [migrationLock]);
    if (rows[0]?.ours) return;
    if (tries === 1) log?.info('another server migrates this database; waiting for it');
    await sleep(ASK_AGAIN_MS);
  }
}

const concurrently = /\bindex\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?"?(\w+)"?/i;

/** Runs one migration and notes that it is done; tries again while somebody holds a table that it needs. */
async function apply(client: pg.Client, migration: MigrationMeta, waits: () => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (migration.sql.some((statement) => concurrently.test(statement))) await outsideTransaction(client, migration);
      else await inTransaction(client, migration);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (attempt === TRIES || !['55P03', '40P01'].includes(databaseErrorOf(error)?.code ?? '')) throw error;
      if (attempt === 1) waits();
      await sleep(PAUSE_MS);
    }
  }
}

async function inTransaction(client: pg.Client, migration: MigrationMeta): Promise<void> {
  await client.query('begin');
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (const statement of migration.sql) await client.query(statement);
  await note(client, migration);
  await client.query('commit');
}

/** Indexes made concurrently take their time and hold nobody up. One that was interrupted is left invalid and has to be dropped first. */
async function outsideTransaction(client: pg.Client, migration: MigrationMeta): Promise<void> {
  for (const statement of migration.sql) {
    const name = concurrently.exec(statement)?.[1];
    const { rowCount } = await client.query(
      'select 1 from pg_index where not indisvalid and indexrelid = to_regclass(quote_ident($1))',
      [name],
    );
    if (name && rowCount) await client.query(`drop index concurrently ${pg.escapeIdentifier(name)}`);
    await client.query(statement);
  }
  await note(client, migration);
}

const note = (client: pg.Client, { hash, folderMillis }: MigrationMeta) =>
  client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis]);
