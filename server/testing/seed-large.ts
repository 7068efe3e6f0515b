import path from 'node:path';
import { seedCatalogue } from '#server/catalogue/service.ts';
import { ensurePostgres } from '#server/embedded-postgres/service.ts';
import { createDatabase } from '#server/platform/data/database.ts';
import { loadEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { largeSize, seedLarge } from './bench/large.ts';

/** `npm run seed:large`: 200,000 users and two million uses of tools, in DATABASE_URL or the embedded PostgreSQL. */
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
  await db.$client.end();
  const done = await seedLarge(url, largeSize, tell);
  tell(done ? 'done' : 'The large seed is there already.');
} finally {
  await embedded?.stop();
}
