import { openDatabase, startCluster, type Database } from '../faults/postgres.ts';
import { killServers, startServer } from '../production-server.ts';
import { type Bench, openBench, reads, writes } from './admin-calls.ts';
import { largeSize, seedLarge } from './large.ts';
import { round, row, withoutSandbox } from './measure.ts';

/** A database of the same make, a thousandth of the size. */
const smallSize = { users: 1000, usage: 10_000 };

async function prepared(database: Database, size: typeof smallSize) {
  const options = { variables: { ...withoutSandbox.variables, JOBS: 'off' } };
  await (await startServer(database, options)).stop(); // migrates and seeds the catalogue
  await seedLarge(database.url, size, (line) => console.error(`  ${line}`));
  const server = await startServer(database, options);
  return { server, bench: await openBench(server, database) };
}

const at = (sorted: number[], part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

/** Both servers in turn, so that whatever else the machine does falls on both, once both have answered it a few times. */
async function compare(small: Bench, large: Bench, times: number, measure: (bench: Bench) => Promise<number>) {
  const taken: [number[], number[]] = [[], []];
  for (let i = -times / 5; i < times; i += 1) {
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
  const cluster = await startCluster();
  const given = process.env['LARGE_DATABASE_URL'];
  const largeDatabase = given ? openDatabase(given) : await cluster.create('large');
  try {
    const small = await prepared(await cluster.create('small'), smallSize);
    const large = await prepared(largeDatabase, largeSize);
    const lines = [
      row(['call', 'p50 ms, small', 'p99 ms, small', 'p50 ms, large', 'p99 ms, large', 'ratio of p50', 'ratio of p99']),
      row(['---', '---', '---', '---', '---', '---', '---']),
    ];
    const tell = (name: string, [few, many]: [number[], number[]]) => {
      const times = [at(few, 0.5), at(few, 0.99), at(many, 0.5), at(many, 0.99)];
      const ratios = [at(many, 0.5) / at(few, 0.5), at(many, 0.99) / at(few, 0.99)];
      lines.push(row([name, ...times.map((ms) => round(ms, 1)), ...ratios.map((ratio) => round(ratio, 2))]));
    };
    // First, as a proof of who asks lasts ten minutes.
    for (const [name, write] of Object.entries(writes)) {
      tell(name, await compare(small.bench, large.bench, 40, write));
    }
    for (const [name, pathOf] of Object.entries(reads)) {
      tell(name, await compare(small.bench, large.bench, 600, (bench) => bench.ask('GET', pathOf(bench))));
    }
    for (const { server } of [small, large]) await server.stop();
    console.log(`\n${lines.join('\n')}\n`);
  } finally {
    await killServers();
    if (given) await largeDatabase.close();
    await cluster.remove();
  }
}
