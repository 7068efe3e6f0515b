import { countOf, expectNothingWrong, statusLine, steadyLoad } from './load.ts';
import { call, newReports, sendReports, signUp, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { expect, seconds, until } from '../until.ts';

/** An operator's restart, then the crash of one connection's process, after which PostgreSQL recovers by itself. */
export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  expected: '503 JSON for those in flight, process lives, ready in 2 s, nobody signed out',
  short: true,
  run: async ({ cluster, database, say }) => {
    const { server, adviser, tool, session } = await startReporting(database);
    const advisers = [adviser, await signUp(server, database), await signUp(server, database)];

    const load = steadyLoad([
      ...advisers.flatMap(({ cookie }) => Array.from({ length: 3 }, () => () => call(server, '/api/user', { cookie }))),
      ...Array.from({ length: 3 }, () => () => sendReports(server, tool, newReports(session, 5))),
    ]);
    const { tally } = load;
    const served = async () => {
      const before = countOf(tally, 200);
      await until('the load is served', 5000, () => countOf(tally, 200) > before + 100);
    };
    const backWithin = async (what: string) => {
      const { ms } = await until(`ready after ${what}`, 10_000, async () => (await call(server, '/readyz')).ok, 10);
      await served();
      say(`${what}: ready ${seconds(ms)} after PostgreSQL was back; so far ${statusLine(tally)}`);
      expect(ms <= 2000, `ready only ${seconds(ms)} after ${what}`);
      return ms;
    };

    await served();
    await cluster.stop();
    await until('a request meets the missing PostgreSQL', 5000, () => countOf(tally, 503) > 0);
    expect(!(await call(server, '/readyz')).ok, '/readyz says ready without PostgreSQL');
    expect((await call(server, '/healthz')).ok, '/healthz fails without PostgreSQL');
    await cluster.start();
    const restart = await backWithin('a restart');

    const busy = countOf(tally, 503);
    cluster.crash();
    await until('a request meets the crash', 5000, () => countOf(tally, 503) > busy);
    await until('PostgreSQL recovered', 20_000, () => database.count('select 1').catch(() => 0), 10);
    const crash = await backWithin('a crash');

    await load.stop();
    expectNothingWrong(tally);
    for (const { cookie } of advisers)
      expect((await call(server, '/api/user', { cookie })).status === 200, 'an adviser was signed out');
    expect(server.ended() === null, 'the process ended');
    return `${statusLine(tally)}; ready after ${seconds(restart)} (restart) and ${seconds(crash)} (crash); all still signed in`;
  },
};
