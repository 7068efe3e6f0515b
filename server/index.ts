import path from 'node:path';
import { isAdviserly, portIsTaken } from '#server/platform/port.ts';
import { runDueJobs } from '#server/jobs.ts';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { loadEnv, type Env } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';
import { builtPages, developmentPages } from '#server/pages.ts';
import { startProduct } from '#server/start.ts';
import { seedCatalogue } from '#server/tools/catalogue.ts';

function readEnv(): Env {
  try {
    return loadEnv();
  } catch (error) {
    console.error(`Adviserly cannot start:\n${(error as Error).message}`);
    process.exit(1);
  }
}

const env = readEnv();
const log = createLog(env);

/** What has been started, to be let go of in reverse; a signal may come while we are still starting. */
const started: (() => Promise<unknown> | undefined)[] = [];
let stopping = false;
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  try {
    for (const letGo of started.toReversed()) await letGo();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'stop failed');
    process.exit(1);
  }
}
process.on('SIGTERM', (signal) => void stop(signal)).on('SIGINT', (signal) => void stop(signal));

for (const warning of env.warnings) log.warn(warning);

const development = env.mode === 'development';
if (await portIsTaken(env.port)) {
  console.error(
    `Port ${env.port} is in use: ${(await isAdviserly(env.port)) ? 'Adviserly is already running there' : 'another program listens there'}. ` +
      'Open it, stop it, or start this one with another PORT.',
  );
  process.exit(1);
}
const embedded = env.databaseUrl
  ? null
  : await ensurePostgres({
      home: path.join(env.dataDir, 'postgres'),
      database: 'adviserly',
      log: (message) => log.info(message),
    });
started.push(async () => embedded?.stop());
const databaseUrl = env.databaseUrl ?? embedded!.url;
await migrateDatabase(databaseUrl);

// Development parts are loaded here and nowhere else, so that a production process holds none of them.
const console_ = development ? await (await import('#server/dev/console.ts')).openConsole(env, log) : null;

started.push(async () => console_?.stop());

const product = await startProduct({
  env,
  databaseUrl,
  log,
  prepare: async (context) => {
    await seedCatalogue(context.db, console_?.toolDomain);
    await console_?.seed(context);
  },
  mount: (app, parts) => console_?.mount(app, parts),
  pages: development ? developmentPages : builtPages,
});
started.push(product.stop);
if (env.jobs)
  await runDueJobs(product.context).catch((error: unknown) => log.error({ err: error }, 'jobs at start failed'));
if (console_) console.log(console_.banner());
else log.info({ port: product.port, url: env.appUrl }, 'listening');
