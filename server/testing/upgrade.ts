import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { day } from '#shared/rules/dates.ts';
import { runDueJobs } from '#server/jobs.ts';
import { migrateDatabase } from '#server/platform/data/migrate.ts';
import { onCluster } from './bench/measure.ts';
import type { Cluster, Database } from './faults/postgres.ts';
import { checkOut } from './older-checkout.ts';
import { project } from './source-files.ts';
import { check } from './upgrade/check.ts';
import { deedOf, livesOf, something } from './upgrade/lives.ts';
import { scenes } from './upgrade/scenes.ts';
import { live, openWorld, type World } from './upgrade/world.ts';
import { expect } from './until.ts';

/**
 * `npm run test:upgrade [-- commit]`: tries the move to one bill on a database that the release before has filled with three months of
 * life. That release runs from a checkout of its own, by its own code; it is gone back to once before the move begins, and refused once
 * it has. Then two more months pass, and every day, invoice and telling is held against the others.
 */
const commit = process.argv[2] ?? '30b03da6';
const daysBefore = 92;
const daysAfter = 62;

/** A checkout of the older release with this one's packages, and the program that fills a database with it. */
function checkOutToFill(): string {
  const folder = checkOut(commit);
  const programs = path.join(folder, 'server/testing/upgrade');
  fs.cpSync(path.join(project, 'server/testing/upgrade'), programs, { recursive: true });
  for (const name of fs.readdirSync(programs)) importFromFoldersOf(folder, path.join(programs, name));
  return folder;
}

/** Has a program import each file from where the older release keeps it. */
function importFromFoldersOf(folder: string, program: string): void {
  const text = fs
    .readFileSync(program, 'utf8')
    .replaceAll(/'#(server|shared)\/([^']+)'/g, (whole, root: string, file: string) => {
      if (fs.existsSync(path.join(folder, root, file))) return whole;
      const files = fs.readdirSync(path.join(folder, root), { recursive: true, encoding: 'utf8' });
      return `'#${root}/${files.find((one) => path.basename(one) === path.basename(file)) ?? file}'`;
    });
  fs.writeFileSync(program, text);
}

/** Runs the older release on the database; answers the last line that it printed. */
function runOlder(folder: string, what: 'fill' | 'write', { url }: Pick<Database, 'url'>): string {
  const program = ['node_modules/.bin/tsx', 'server/testing/upgrade/old-release.ts', what, url];
  const { stdout, stderr, status } = spawnSync(program[0]!, program.slice(1), {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(status === 0, `the older release ended with ${status}: ${stderr.slice(-3000)}`);
  return `${stdout.trim().split('\n').at(-1)} ${/This release is too old[^\\"]*/.exec(stderr + stdout)?.[0] ?? ''}`.trim();
}

/** Goes back to the older release on a copy of the database; answers what its writes came to. */
async function goBack(folder: string, cluster: Cluster, name: string): Promise<string> {
  const copy = await cluster.create(name, 'adviserly');
  const outcome = runOlder(folder, 'write', copy);
  await copy.close();
  return outcome;
}

async function liveOn(world: World): Promise<void> {
  const lives = await livesOf(world);
  for (let at = daysBefore; at < daysBefore + daysAfter; at += 1) {
    for (const [name, { acts }] of Object.entries(scenes))
      for (const act of acts) if (act[0] === at) await deedOf(world, lives.get(name)!, act);
    for (const [name, life] of lives) if (!scenes[name]) await something(world, life, { isNew: false });
    await live(world, day);
    if (at % 10 === 0) console.error(`  day ${at}`);
  }
}

async function tryUpgrade(folder: string, cluster: Cluster): Promise<void> {
  const database = await cluster.create('adviserly');
  console.error(`three months with ${commit}`);
  console.log(`filled: ${runOlder(folder, 'fill', database)}`);
  await migrateDatabase(database.url);
  await (await openWorld(database.url)).stop();
  const before = await goBack(folder, cluster, 'gone_back');
  console.log(`gone back to before the move: ${before}`);
  expect(before === '{"off":200,"on":200}', 'before the move begins, the older release can be gone back to');

  const world = await openWorld(database.url);
  const joinedAt = world.context.now();
  await runDueJobs(world.context);
  await world.stop();
  const after = await goBack(folder, cluster, 'gone_back_late');
  console.log(`gone back to after it has begun: ${after}`);
  expect(
    /"off":5\d\d.*This release is too old/.test(after),
    'once the move has begun, the database refuses the older release',
  );

  const later = await openWorld(database.url);
  await liveOn(later);
  const { counts, faults } = await check(later, joinedAt);
  await later.stop();
  await database.close();
  console.table(counts);
  for (const fault of faults) console.log(`  ${fault}`);
  expect(faults.length === 0, `${faults.length} faults`);
  console.log('every day was paid once, every bill was what was told, and nothing is left of the older release');
}

const folder = checkOutToFill();
try {
  await onCluster((cluster) => tryUpgrade(folder, cluster));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
