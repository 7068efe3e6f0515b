import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePostgres } from '#server/embedded-postgres/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { loadEnv } from '#server/platform/env.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { createPayments } from '#server/platform/payments.ts';
import { openSandbox } from '#server/dev/open-sandbox.ts';
import { restoreDump } from '#server/platform/data/restore-dump.ts';
import { startProduct } from '#server/start.ts';
import { faultsOf, readFacts, refuseWithoutTables, unknownToUs, type Facts } from './restore-check.ts';

/**
 * `npm run restore:check -- FILE`: the drill. Restores a file from pg_dump into a throwaway database, starts this release on it without
 * jobs, compares its figures with the live database's (DATABASE_URL, or the embedded one), and lists what Stripe has that the dump does
 * not. Fails where the dump is empty, partial or, without --any-age, more than a day behind. Changes neither the live database nor anything at Stripe.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'any-age': { type: 'boolean' } } });
const [file] = positionals;
if (!file || !fs.existsSync(file)) {
  console.error('Which dump? npm run restore:check -- FILE (of pg_dump: plain, gzipped or -Fc)');
  process.exit(1);
}
const env = loadEnv();
const log = createLog({ logLevel: 'error' });
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-restore-'));
fs.chmodSync(home, 0o755);
const scratch = await ensurePostgres({ home, database: 'restored', preferredPort: 0, fast: true });
const embedded = env.databaseUrl
  ? null
  : await ensurePostgres({ home: path.join(env.dataDir, 'postgres'), database: 'adviserly' });
const liveUrl = env.databaseUrl ?? embedded!.url;

/** Starts the release on the restored database and checks that it is ready and the catalogue answers. */
async function startOnIt(): Promise<void> {
  const product = await startProduct({
    env: { ...env, port: 0, jobs: false, drainSeconds: 0 },
    databaseUrl: scratch.url,
    log,
  });
  try {
    for (const page of ['/readyz', '/api/tools']) {
      const answer = await fetch(`http://127.0.0.1:${product.port}${page}`);
      if (!answer.ok) throw new Error(`${page} answered ${answer.status} on the restored database`);
    }
  } finally {
    await product.stop();
  }
}

function compare(restored: Facts, live: Facts | null): void {
  console.log(
    `\n${'figure'.padEnd(32)}${'restored'.padStart(14)}${'live'.padStart(14)}${'since the dump'.padStart(16)}`,
  );
  for (const [name, count] of Object.entries(restored.figures)) {
    const now = live?.figures[name];
    const since = now === undefined ? '' : String(now - count);
    console.log(
      `${name.padEnd(32)}${String(count).padStart(14)}${String(now ?? '').padStart(14)}${since.padStart(16)}`,
    );
  }
  const age = restored.newest && (realNow().getTime() - restored.newest.getTime()) / 3_600_000;
  console.log(
    `\nThe newest line of its audit trail: ${restored.newest?.toISOString() ?? 'none'}${age === null ? '' : ` (${age.toFixed(1)} hours ago)`}`,
  );
  if (age !== null && age > 30 * 24)
    console.log('Stripe keeps events for 30 days: what is older is not read again by itself.');
}

/** Prints what Stripe, or the live database's sandbox, has that the dump does not. */
async function tellBeyond(restored: Facts): Promise<void> {
  const sandbox = await openSandbox(env, { databaseUrl: liveUrl, now: realNow, log });
  try {
    const beyond = await unknownToUs(createPayments(env, sandbox).stripe, restored);
    const where = sandbox ? 'The payments sandbox' : 'Stripe';
    console.log(
      `\n${where} knows of ${beyond.length} things beyond it${beyond.length > 0 ? ', which the first hour of a real restore adopts or parks as incidents:' : '.'}`,
    );
    for (const { id, what, cents } of beyond) console.log(`  ${id}  ${what}, ${(cents / 100).toFixed(2)} AUD`);
  } finally {
    await sandbox?.close();
  }
}

try {
  const begin = performance.now();
  await restoreDump(file, scratch.url);
  console.log(`restored  ${file} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  await refuseWithoutTables(scratch.url);
  await migrateDatabase(scratch.url);
  const restored = await readFacts(scratch.url);
  await startOnIt();
  console.log('started   this release on it: ready, the catalogue answers');
  const live = await readFacts(liveUrl).catch((error: Error) => {
    console.log(`(no live database to compare with: ${error.message})`);
    return null;
  });
  compare(restored, live);
  if (live || !env.sandbox) await tellBeyond(restored);
  const faults = faultsOf(restored, live, realNow()).filter((fault) => !values['any-age'] || !/a day old/.test(fault));
  if (faults.length > 0) throw new Error(`\nThis is no backup:\n${faults.join('\n')}`);
  console.log(
    `\nA backup of this installation${live ? ', held against the live database' : '; there was no live one to hold it against'}.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
  await scratch.stop();
  fs.rmSync(home, { recursive: true, force: true });
}
process.exit();
