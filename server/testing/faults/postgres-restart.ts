import { countOf, statusLine, steadyLoad } from './load.ts';
import { call, newReports, openSession, signUp, toolWithSecret } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './server.ts';
import { expect, seconds, until } from './until.ts';

/** The restart of an operator, then the crash of one connection's process, after which PostgreSQL recovers by itself. */
export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  expected: '503 JSON for those in flight, process lives, ready in 2 s, nobody signed out',
  run: async (cluster, say) => {
    const database = await cluster.create('postgres_restart');
    const server = await startServer(database);
    const advisers = [await signUp(server, database), await signUp(server, database), await signUp(server, database)];
    const tool = await toolWithSecret(database, 'risk-profile-ai');
    const session = await openSession(database, advisers[0]!, tool.id);

    const load = steadyLoad([
      ...advisers.flatMap(({ cookie }) => Array.from({ length: 3 }, () => () => call(server, '/api/user', { cookie }))),
      ...Array.from(
        { length: 3 },
        () => () =>
          call(server, '/api/tools/usage', { body: { events: newReports(session, 5) }, headers: tool.headers }),
      ),
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
    expect(tally.wrong.length === 0, `${tally.wrong.length} wrong answers, e.g. ${tally.wrong[0]}`);
    for (const { cookie } of advisers)
      expect((await call(server, '/api/user', { cookie })).status === 200, 'an adviser was signed out');
    expect(server.ended() === null, 'the process ended');
    expect(server.faults().length === 0, `logged: ${server.faults()[0]}`);
    const { code } = await server.stop();
    expect(code === 0, `SIGTERM ended it with ${code}`);
    return `${statusLine(tally)}; ready after ${seconds(restart)} (restart) and ${seconds(crash)} (crash); all still signed in`;
  },
};
