import fs from 'node:fs';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { grantToServer } from './database-role.ts';

/** The advisory lock of whoever migrates this database. */
const migrationLock = 7215;

/** The installation's root folder, whether this runs from the sources or from `dist/`. */
export const root = path.resolve(import.meta.dirname, path.basename(import.meta.dirname) === 'dist' ? '..' : '../..');

/** When this version's newest migration was made, in milliseconds since 1970. */
export function newestMigration(): number {
  const journal = fs.readFileSync(path.join(root, 'migrations/meta/_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries.at(-1)!.when;
}

/**
 * Migrates the database to this version's schema, in one transaction and under a lock: replicas that start together wait for each
 * other, and one that is killed half-way leaves nothing behind. Where the server connects as another role, that one gets its rights.
 */
export async function migrateDatabase(url: string, serverUrl = url): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'adviserly migrate',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder: path.join(root, 'migrations') });
    if (serverUrl !== url) await grantToServer(client, serverUrl);
  } finally {
    await client.end();
  }
}
