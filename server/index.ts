import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { addresses, seedCatalogue } from '#server/catalogue/service.ts';
import { ensurePostgres } from '#server/embedded-postgres/service.ts';
import { CannotStart } from '#server/platform/cannot-start.ts';
import {
  connectionShortage,
  refuseSharedSessions,
  reservedConnections,
} from '#server/platform/data/database-address.ts';
import { embeddedServerUrl } from '#server/platform/data/database-role.ts';
import { isAdviserly, portIsTaken } from '#server/platform/http/http-server.ts';
import { runDueJobs } from '#server/jobs.ts';
import { type Env, loadEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { startTelemetry } from '#server/platform/logs/telemetry.ts';
import { builtPages, developmentPages } from '#server/site/pages.ts';
import { startProduct } from '#server/start.ts';

/** Says in a line what an operator has to change, or what went wrong, and ends the process. */
function endStart(error: unknown): never {
  if (error instanceof CannotStart) console.error(`Adviserly cannot start:\n${error.message}`);
  else createLog({ logLevel: 'fatal' }, pino.destination({ sync: true })).fatal({ err: error }, 'cannot start');
  process.exit(1);
}

function readEnv(): Env {
  try {
    return loadEnv();
  } catch (error) {
    return endStart(error);
  }
}

/** For a person who reads along in a terminal. */
const readableLines = async () =>
  (await import('pino-pretty')).default({
    ignore: 'requestId,req,res,responseTime',
    messageFormat: '{msg}{if req.method}: {req.method} {req.url}, {res.statusCode} in {responseTime} ms{end}',
    singleLine: true,
    sync: true,
  });

// Left alone, V8 lets garbage grow to several times the memory in use before a full collection, and a busy server to 400 MB.
setFlagsFromString('--heap-growing-percent=50');

const env = readEnv();
const development = env.mode === 'development';
const log = createLog(env, development && process.stdout.isTTY ? await readableLines() : undefined);

/** Each stops something that was started; they run in reverse order. A signal may come while we are still starting. */
const stoppers: (() => Promise<unknown> | undefined)[] = [];
let stopping = false;
/** The product listens a moment before its start is complete; a stop in between waits for that. */
let starting: Promise<unknown> | undefined;
/** A database that does not answer must not hold us up: the next start does whatever is left undone. */
const stopWithinMs = 20_000;
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  setTimeout(
    () => {
      log.error('stop took too long; jobs that were running are run again by others');
      process.exit(1);
    },
    env.drainSeconds * 1000 + stopWithinMs,
  ).unref();
  try {
    await starting;
    for (const stopOne of stoppers.toReversed()) await stopOne();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'stop failed');
    process.exit(1);
  }
}
/** Runs before anything is written: an unsuitable address would do harm once there is work. */
async function checkAddresses(url: string): Promise<void> {
  await refuseSharedSessions('DATABASE_URL', url);
  if (env.migrationDatabaseUrl) await refuseSharedSessions('MIGRATION_DATABASE_URL', env.migrationDatabaseUrl);
  const shortage = await connectionShortage(url, env.databaseConnections + reservedConnections);
  if (shortage) log.warn(shortage);
}
process.on('SIGTERM', (signal) => void stop(signal)).on('SIGINT', (signal) => void stop(signal));

/** Whatever goes wrong until it listens is one line. */
async function start(): Promise<void> {
  for (const warning of env.warnings) log.warn(warning);

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
  stoppers.push(async () => embedded?.stop());
  const databaseUrl = env.databaseUrl ?? (await embeddedServerUrl(embedded!.url));
  if (env.databaseUrl) await checkAddresses(env.databaseUrl);
  await migrateDatabase(embedded?.url ?? env.migrationDatabaseUrl ?? databaseUrl, databaseUrl, {
    // A developer's first start has fifty of them.
    ...(!development && { log }),
  });

  // Development's parts are loaded only here, so that a production process has none of them.
  const developmentConsole = development ? await (await import('#server/dev/console.ts')).openConsole(env, log) : null;

  stoppers.push(async () => developmentConsole?.stop());

  if (env.telemetry) stoppers.push(await startTelemetry());
  /** In development, once the demo has lived and the clock stands. */
  let isPrepared = !development;
  // What the demo does on its way is of no interest to who waits for it.
  if (development && env.demoData && env.logLevel === 'info') log.level = 'warn';
  const started = startProduct({
    isPrepared: () => isPrepared,
    env,
    databaseUrl,
    log,
    prepare: async (context) => {
      await seedCatalogue(context.db, developmentConsole?.toolDomain);
      const missing = development ? null : await addresses.missing(context);
      if (missing) log.warn(missing);
      await developmentConsole?.seed(context);
    },
    mount: (app, parts) => developmentConsole?.mount(app, parts),
    ...(env.jobs && { catchUp: runDueJobs }),
    pages: development ? developmentPages : builtPages,
  }).then((made) => {
    stoppers.push(made.stop);
    return made;
  });
  starting = started.catch(() => undefined);
  const product = await started;
  await developmentConsole?.live(product, () => stopping);
  await product.caughtUp;
  log.level = env.logLevel;
  isPrepared = true;
  if (developmentConsole) console.log(developmentConsole.banner());
  else log.info({ port: product.port, url: env.appUrl, release: env.release }, 'listening');
  const reason = await product.context.mailer.refusal();
  if (reason) log.warn({ reason }, 'the mail server of SMTP_URL takes no mail');
}

await start().catch(endStart);
