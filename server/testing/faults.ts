import fs from 'node:fs';
import path from 'node:path';
import { diskFull } from './faults/disk-full.ts';
import { failover } from './faults/failover.ts';
import { failoverAsync } from './faults/failover-async.ts';
import { image } from './faults/image.ts';
import { jobKilled } from './faults/job-killed.ts';
import { migrationKilled } from './faults/migration-killed.ts';
import { npmStart } from './faults/npm-start.ts';
import { pooler, poolerFailover } from './faults/pooler.ts';
import { poolExhausted } from './faults/pool-exhausted.ts';
import { postgresFrozen } from './faults/postgres-frozen.ts';
import { postgresRestart } from './faults/postgres-restart.ts';
import { startCluster } from './faults/postgres.ts';
import { stripeDown } from './faults/stripe-down.ts';
import { purchaseUnderKill } from './faults/purchase-under-kill.ts';
import type { Scenario } from './faults/scenario.ts';
import { restore } from './faults/restore.ts';
import { rollback } from './faults/rollback.ts';
import { rolling } from './faults/rolling.ts';
import { killServers, startServer, stopServers } from './production-server.ts';
import { sigterm } from './faults/sigterm.ts';
import { slowSockets } from './faults/slow-sockets.ts';
import { twoReplicas } from './faults/two-replicas.ts';
import { seconds } from './until.ts';
import { writesUnderKill } from './faults/writes-under-kill.ts';

/**
 * `npm run test:faults`: breaks a real production server and its PostgreSQL in every way they must survive, and prints
 * what it saw. Needs Linux, and `npm run build` first. Arguments pick scenarios by name; `short` picks those that `npm test` runs.
 */
const scenarios: Scenario[] = [
  postgresRestart,
  postgresFrozen,
  poolExhausted,
  writesUnderKill,
  purchaseUnderKill,
  twoReplicas,
  sigterm,
  npmStart,
  image,
  rolling,
  rollback,
  failover,
  failoverAsync,
  pooler,
  poolerFailover,
  restore,
  slowSockets,
  diskFull,
  migrationKilled,
  jobKilled,
  stripeDown,
];

const names = process.argv.slice(2);
const short = names.includes('short');
const wanted = short ? scenarios.filter((scenario) => scenario.short).map(({ name }) => name) : names;
const unknown = wanted.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0 || !fs.existsSync('dist/index.js')) {
  console.error(
    unknown.length > 0
      ? `No scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}.`
      : 'dist/index.js is missing: run "npm run build" first.',
  );
  process.exit(1);
}

const begin = performance.now();
const cluster = await startCluster();
/** Most scenarios get a copy of it, as the first start on an empty database takes seconds. */
const template = 'started_once';
const rows: string[] = [];
let failures = 0;
try {
  const started = await cluster.create(template);
  await startServer(started);
  await stopServers();
  await started.close();
  for (const { name, expected, fromNothing, logs, run } of scenarios) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const from = performance.now();
    console.log(`\n${name}: ${expected}`);
    let seen: string;
    let ok = true;
    try {
      const database = await cluster.create(name.replaceAll('-', '_'), fromNothing ? undefined : template);
      seen = await run({ cluster, database, short, say: (line) => console.log(`  ${line}`) });
      await stopServers(logs);
    } catch (error) {
      ok = false;
      failures += 1;
      seen = error instanceof Error ? error.message : String(error);
      console.log(`  FAILED: ${error instanceof Error ? error.stack : seen}`.slice(0, 1500));
    }
    for (const line of await killServers()) console.log(`  logged: ${line}`);
    console.log(`  ${ok ? 'as expected' : 'NOT AS EXPECTED'}, ${seconds(performance.now() - from)}`);
    rows.push(`| ${[name, expected, seen.replaceAll(/\s+/g, ' '), ok ? 'yes' : 'NO'].join(' | ')} |`);
  }
} finally {
  await killServers();
  await cluster.remove();
}
console.log(['\n| scenario | expected | seen | ok |', '| --- | --- | --- | --- |', ...rows].join('\n'));
console.log(`\n${rows.length - failures} of ${rows.length} as expected, ${seconds(performance.now() - begin)}`);
const { TEST_RUN } = process.env;
if (TEST_RUN) {
  const folder = path.join('test-results', TEST_RUN);
  fs.mkdirSync(folder, { recursive: true });
  const counts = { passed: rows.length - failures, failed: failures };
  fs.writeFileSync(path.join(folder, 'faults.json'), JSON.stringify(counts));
}
process.exit(failures === 0 ? 0 : 1);
