import { countOf, expectNothingWrong, newTally, note, slowestOf, statusLine, steadyLoad } from './load.ts';
import { call, grantTool, newReports, openSession, sendReports, signUp, startReporting, toolIds } from './people.ts';
import type { Scenario } from './scenario.ts';
import { expect, seconds, until } from '../until.ts';

/** 3 s for the answer that does not come, plus a margin for a loaded machine. */
const limitMs = 3500;
/** 10 s for what is in flight, 20 s for what waits for the database, plus a margin. */
const stopMs = 32_000;
const launches = 60;

/**
 * PostgreSQL freezes while reports are in the middle of their transactions. Afterwards single statements go through every
 * pooled connection: one still inside an old transaction would swallow them.
 */
export const postgresFrozen: Scenario = {
  name: 'postgres-frozen',
  expected: '503 within 3 s, recovers by itself, no old transaction on a pooled connection; stops all the same',
  // The stop that PostgreSQL keeps waiting; the code tells the operator.
  logs: /^stop took too long|^SIGTERM ended .+ with 1$/,
  run: async ({ cluster, database, say }) => {
    const { server, adviser, tool } = await startReporting(database);
    const advisers = [adviser, await signUp(server, database)];
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(database, adviser, tool.id)));
    for (const adviser of advisers) for (const id of toolIds) await grantTool(database, adviser, id);

    const load = steadyLoad([
      ...advisers.map(
        ({ cookie }) =>
          () =>
            call(server, '/api/user', { cookie }),
      ),
      ...sessions.map((session) => () => sendReports(server, tool, newReports(session, 20))),
    ]);
    await until('the load is served', 5000, () => countOf(load.tally, 200) > 100);

    const thaw = cluster.freeze();
    try {
      await until('every worker met the frozen PostgreSQL', 8000, () => countOf(load.tally, 503) > 10);
    } finally {
      thaw();
    }
    const thawed = countOf(load.tally, 200);
    const { ms } = await until('served again', 5000, () => countOf(load.tally, 200) > thawed + 50);
    const tally = await load.stop();
    say(`${statusLine(tally)}; slowest 503 ${seconds(slowestOf(tally, 503))}; served ${seconds(ms)} after the thaw`);
    expectNothingWrong(tally);
    expect(slowestOf(tally, 503) <= limitMs, `a 503 took ${seconds(slowestOf(tally, 503))}`);

    await until('no connection is inside a transaction', 2000, async () => {
      const open = `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
      return (await database.count(open)) === 0;
    });
    const launched = newTally();
    const launch = (index: number) => {
      const { cookie } = advisers[index % advisers.length]!;
      return call(server, '/api/auth/token', { body: { toolId: toolIds[index % toolIds.length] }, cookie });
    };
    await Promise.all(Array.from({ length: launches }, (_, index) => note(launched, () => launch(index))));
    expect(countOf(launched, 200) === launches, `launches after the thaw: ${statusLine(launched)}`);
    const tokens = await database.count('select count(*) from auth_tokens');
    expect(tokens === launches, `${launches} launches were granted, others see ${tokens} of their tokens`);

    const stillThaw = cluster.freeze();
    const stopped = await server.stop().finally(stillThaw);
    say(`SIGTERM while it stands still: exit ${stopped.code} after ${seconds(stopped.ms)}`);
    expect(stopped.code === 1, `it ended with ${stopped.code}, as if all had been done`);
    expect(stopped.ms <= stopMs, `it took ${seconds(stopped.ms)} to stop`);
    return `503 in ${seconds(slowestOf(tally, 503))} at most, served ${seconds(ms)} after the thaw; ${tokens} of ${launches} later writes visible to all; stops without it in ${seconds(stopped.ms)}`;
  },
};
