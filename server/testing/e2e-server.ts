import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openConsole } from '#server/dev/console.ts';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { createLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';
import { builtPages } from '#server/pages.ts';
import { startProduct } from '#server/start.ts';
import { seedCatalogue } from '#server/tools/catalogue.ts';
import { testEnv } from './test-env.ts';

/**
 * The product for the browser journeys: built pages, production's headers, a throwaway database, the sandbox and the
 * development console; with `DEMO_DATA=off` nobody in it. Each journey sends its own X-Forwarded-For, so that limits by
 * address count it alone.
 */
const port = process.env['PORT'] ?? '47180';
const env = testEnv({
  PORT: port,
  TRUST_PROXY: 'loopback',
  DEMO_DATA: process.env['DEMO_DATA'] ?? 'on',
  LOG_LEVEL: 'warn',
  PARTNER_EMAIL_DOMAINS: 'partner.example',
});
const log = createLog(env);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-e2e-'));
fs.chmodSync(home, 0o755);
const postgres = await ensurePostgres({ home, database: 'adviserly', fast: true, preferredPort: 0 });
await migrateDatabase(postgres.url);

const parts = await openConsole(env, log);
const product = await startProduct({
  env,
  databaseUrl: postgres.url,
  log,
  passwordCost: 6,
  prepare: async (context) => {
    await seedCatalogue(context.db, parts.toolDomain);
    await parts.seed(context);
  },
  mount: (app, made) => parts.mount(app, made),
  pages: builtPages,
});

const stop = async () => {
  await parts.stop();
  await product.stop();
  await postgres.stop();
  fs.rmSync(home, { recursive: true, force: true });
  process.exit(0);
};
process.on('SIGTERM', () => void stop()).on('SIGINT', () => void stop());
