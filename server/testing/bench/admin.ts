import { openDatabase, type Database } from '../faults/postgres.ts';
import { startServer } from '../production-server.ts';
import { until } from '../until.ts';
import { type Answered, type Bench, openBench, reads, writes } from './admin-calls.ts';
import { largeSize, seedLarge } from './large.ts';
import { heading, onCluster, quantile, round, row, withoutSandbox } from './measure.ts';

/** A database of the same kind, a thousandth of the size. */
const smallSize = { users: 1000, usage: 10_000 };

/** An administrator of a server, and how long the server says that each request took, in milliseconds. */
type Side = { bench: Bench; inServer: Map<string, number> };

async function prepared(database: Database, size: typeof smallSize) {
  const variables = { ...withoutSandbox.variables, JOBS: 'off' };
  await (await startServer(database, { variables })).stop(); // migrates and seeds the catalogue
  await seedLarge(database.url, size, (line) => console.error(`  ${line}`));
  await database.query('checkpoint'); // writes out what filling it left behind
  const inServer = new Map<string, number>();
  const onLine = (line: string) => {
    const [, id, ms] = /"requestId":"([^"]+)".*"responseTime":(\d+)/.exec(line) ?? [];
    if (id) inServer.set(id, Number(ms));
  };
  const server = await startServer(database, { variables: { ...variables, LOG_LEVEL: 'info' }, onLine });
  return { inServer, bench: await openBench(server, database) };
}

/** `p50` as the caller sees it, `p99` as the server's log tells it, in milliseconds. */
type Figures = { p50: number; p99: number };

/** Asks both servers in turn, so that whatever else the machine does falls on both; a fifth more calls go first, uncounted. */
async function compare(sides: Side[], times: number, measure: (bench: Bench) => Promise<Answered>): Promise<Figures[]> {
  const taken: Answered[][] = sides.map(() => []);
  for (let i = -times / 5; i < times; i += 1) {
    for (const [side, { bench }] of sides.entries()) {
      const answered = await measure(bench);
      if (i >= 0) taken[side]!.push(answered);
    }
  }
  return Promise.all(
    sides.map(async ({ inServer }, side) => {
      const list = taken[side]!;
      await until('the log tells of every request', 10_000, () =>
        list.every(({ requestId }) => inServer.has(requestId)),
      );
      return {
        p50: quantile(
          list.map(({ ms }) => ms),
          0.5,
        ),
        p99: quantile(
          list.map(({ requestId }) => inServer.get(requestId)!),
          0.99,
        ),
      };
    }),
  );
}

/**
 * `npm run bench -- admin`: administrators' calls on a thousand users and on 200,000 with two million uses. With
 * LARGE_DATABASE_URL, a database that `npm run seed:large` has filled, the long filling is left out.
 */
export const adminBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const given = process.env['LARGE_DATABASE_URL'];
    const largeDatabase = given ? openDatabase(given) : await cluster.create('large');
    const small = await prepared(await cluster.create('small'), smallSize);
    const large = await prepared(largeDatabase, largeSize);
    const lines = heading(
      'call',
      'p50 ms, small',
      'p50 ms, large',
      'ratio of p50',
      'p99 ms in the server, small',
      'p99 ms in the server, large',
    );
    const tell = async (name: string, times: number, measure: (bench: Bench) => Promise<Answered>) => {
      const [few, many] = (await compare([small, large], times, measure)) as [Figures, Figures];
      const p50 = [round(few.p50, 1), round(many.p50, 1), round(many.p50 / few.p50, 2)];
      lines.push(row([name, ...p50, few.p99, many.p99]));
    };
    // Writes first: signing in proves who asks for ten minutes only.
    for (const [name, write] of Object.entries(writes)) {
      await tell(name, name.includes('bcrypt') ? 40 : 300, write);
    }
    for (const [name, pathOf] of Object.entries(reads)) {
      await tell(name, 600, (bench) => bench.ask('GET', pathOf(bench)));
    }
    console.log(`\n${lines.join('\n')}\n`);
    if (given) await largeDatabase.close();
  });
