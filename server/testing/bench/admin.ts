import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { markRanking } from '#server/admin/queries-verify.ts';
import { createDatabase } from '#server/platform/database.ts';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { createLog } from '#server/platform/log.ts';
import { type Bench, openBench, reads, writes } from './admin-calls.ts';
import { largeSize, seedLarge } from './large.ts';
import { round, row } from './load.ts';
import { startChild, stopChild } from './server.ts';

/** A database of the same make, a thousandth of the size. */
const smallSize = { users: 1000, usage: 10_000 };

const environment = (port: number, databaseUrl: string) => ({
  NODE_ENV: 'production',
  PORT: String(port),
  APP_URL: `http://localhost:${port}`,
  DATABASE_URL: databaseUrl,
  SESSION_SECRET: 'bench-0123456789-abcdefghij-klmnopqrstuv',
  STRIPE_SECRET_KEY: 'sk_test_bench',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  LOG_LEVEL: 'error',
  JOBS: 'off',
});

async function prepared(port: number, url: string, size: typeof smallSize) {
  const env = environment(port, url);
  await stopChild(await startChild(['dist/index.js'], env, port)); // migrates and seeds the catalogue
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const filled = await seedLarge(client, size, (line) => console.error(`  ${line}`));
  await client.end();
  if (filled) {
    const db = createDatabase(url, createLog({ logLevel: 'error' }), 1);
    await markRanking(db);
    await db.$client.end();
  }
  const server = await startChild(['dist/index.js'], env, port);
  return { server, bench: await openBench(port, url) };
}

const at = (sorted: number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

/** Both servers in turn, so that whatever else the machine does falls on both. */
async function compare(small: Bench, large: Bench, times: number, measure: (bench: Bench) => Promise<number>) {
  const taken: [number[], number[]] = [[], []];
  for (let i = -5; i < times; i += 1) {
    for (const [side, bench] of [small, large].entries()) {
      const ms = await measure(bench);
      if (i >= 0) taken[side]!.push(ms);
    }
  }
  return taken.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
}

/**
 * `npm run bench -- admin`: every administrator's call on a thousand users and on a million with ten million uses. With
 * LARGE_DATABASE_URL, a database that `npm run seed:large` has filled, the long filling is left out.
 */
export async function adminBench(): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-bench-'));
  fs.chmodSync(home, 0o755);
  const postgres = await ensurePostgres({ home, database: 'small', preferredPort: 0 });
  const given = process.env['LARGE_DATABASE_URL'];
  try {
    const largeUrl = given ?? (await ensurePostgres({ home, database: 'large', preferredPort: 0 })).url;
    const small = await prepared(47936, postgres.url, smallSize);
    const large = await prepared(47937, largeUrl, largeSize);
    const lines = [
      row(['call', 'p50 ms, small', 'p99 ms, small', 'p50 ms, large', 'p99 ms, large', 'ratio of p50', 'ratio of p99']),
      row(['---', '---', '---', '---', '---', '---', '---']),
    ];
    const tell = (name: string, [few, many]: [number[], number[]]) =>
      lines.push(
        row([
          name,
          round(at(few, 0.5), 1),
          round(at(few, 0.99), 1),
          round(at(many, 0.5), 1),
          round(at(many, 0.99), 1),
          round(at(many, 0.5) / at(few, 0.5), 2),
          round(at(many, 0.99) / at(few, 0.99), 2),
        ]),
      );
    for (const [name, pathOf] of Object.entries(reads)) {
      tell(name, await compare(small.bench, large.bench, 200, (bench) => bench.get(pathOf(bench))));
    }
    for (const [name, write] of Object.entries(writes)) {
      tell(name, await compare(small.bench, large.bench, 40, write));
    }
    for (const { bench, server } of [small, large]) {
      await bench.close();
      await stopChild(server);
    }
    console.log(`\n${lines.join('\n')}\n`);
  } finally {
    await postgres.stop();
    fs.rmSync(home, { recursive: true, force: true });
  }
}
