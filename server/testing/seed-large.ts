import path from 'node:path';
import pg from 'pg';
import { markRanking } from '#server/admin/queries-verify.ts';
import { createDatabase } from '#server/platform/database.ts';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { loadEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';
import { seedCatalogue } from '#server/tools/catalogue.ts';
import { largeSize, seedLarge } from './bench/large.ts';

/** `npm run seed:large`: a million users and ten million uses of tools, in DATABASE_URL or the embedded PostgreSQL. */
const env = loadEnv();
const begin = performance.now();
const tell = (line: string) => console.log(`${((performance.now() - begin) / 1000).toFixed(0).padStart(4)} s  ${line}`);
const embedded = env.databaseUrl
  ? null
  : await ensurePostgres({ home: path.join(env.dataDir, 'postgres'), database: 'adviserly' });
const url = env.databaseUrl ?? embedded!.url;
try {
  await migrateDatabase(url);
  const db = createDatabase(url, createLog({ logLevel: 'error' }), 1);
  await seedCatalogue(db, (toolId) => `https://${toolId}.adviserly.example`);
  const client = new pg.Client({ connectionString: url, application_name: 'adviserly seed' });
  await client.connect();
  const done = await seedLarge(client, largeSize, tell);
  await client.end();
  if (done) await markRanking(db);
  await db.$client.end();
  tell(done ? 'done' : 'The large seed is there already.');
} finally {
  await embedded?.stop();
}
