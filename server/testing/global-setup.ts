import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { seedCatalogue } from '#server/tools/catalogue.ts';
import { createDatabase } from '#server/platform/database.ts';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { createLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';
import { createQueue } from '#server/platform/queue.ts';
import { testEnv } from './test-env.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the test server's maintenance database. */
    postgresUrl: string;
  }
}

export const templateDatabase = 'template_adviserly';

/** One throwaway Postgres for the run, with a migrated and seeded template that every test file copies. */
export default async function setup(project: TestProject) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-test-'));
  fs.chmodSync(home, 0o755);
  const log = createLog(testEnv());
  const postgres = await ensurePostgres({ home, database: templateDatabase, fast: true, preferredPort: 0 });
  await migrateDatabase(postgres.url);
  const queue = createQueue({ databaseUrl: postgres.url, log });
  await queue.start();
  await queue.stop();
  const db = createDatabase(postgres.url, log);
  await seedCatalogue(db, (toolId) => `https://${toolId}.example`);
  await db.$client.end();
  const maintenance = new URL(postgres.url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`alter database ${templateDatabase} is_template true`);
  await client.end();
  project.provide('postgresUrl', maintenance.href);
  return async () => {
    await postgres.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
}
