import { countOf, expectNothingWrong, newTally, note, slowestOf, statusLine, steadyLoad } from './load.ts';
import { call, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { expect, seconds, until } from '../until.ts';

/** 1 s of waiting for a connection, plus a margin for a loaded machine. */
const limitMs = 1500;
const poolSize = 10;

/** A lock keeps every connection waiting; requests that don't need the locked table suffer only from the empty pool. */
export const poolExhausted: Scenario = {
  name: 'pool-exhausted',
  expected: '503 in 1 s, recovers by itself, no heap of abandoned connections',
  run: async ({ database, say }) => {
    const { server, adviser } = await startReporting(database);
    const read = () => call(server, '/api/user', { cookie: adviser.cookie });
    const connections = () =>
      database.count(
        `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'adviserly'`,
      );

    // Each write waits on a connection of its own; reads would wait together on one.
    const letGo = await database.hold('lock table notifications in access exclusive mode');
    const notices = () => call(server, '/api/notifications/read-all', { cookie: adviser.cookie, body: {} });
    const load = steadyLoad(Array.from({ length: 25 }, () => notices));
    await until('every connection waits for the lock', 3000, async () => (await database.waiting()) >= poolSize);
    const reading = newTally();
    await Promise.all(Array.from({ length: 20 }, () => note(reading, read)));
    say(`readers while the pool was empty: ${statusLine(reading)}, slowest 503 ${seconds(slowestOf(reading, 503))}`);
    let most = 0;
    await until('the waiting requests gave up twice over', 12_000, async () => {
      most = Math.max(most, await connections());
      return countOf(load.tally, 503) > 60;
    });
    await letGo();

    const { ms } = await until('served again', 5000, async () => (await read()).ok);
    const before = countOf(load.tally, 200);
    await until('notices are marked again', 5000, () => countOf(load.tally, 200) > before + 50);
    const tally = await load.stop();
    say(`the waiting: ${statusLine(tally)}; served again ${seconds(ms)} after the lock; at most ${most} connections`);
    expect(countOf(reading, 503) > 0, 'the pool was not empty');
    expect(slowestOf(reading, 503) <= limitMs, `a reader was refused only after ${seconds(slowestOf(reading, 503))}`);
    for (const one of [reading, tally]) expectNothingWrong(one);
    expect(most <= poolSize, `${most} connections at once from a pool of ${poolSize}`);
    return `503 in ${seconds(slowestOf(reading, 503))} at most, served ${seconds(ms)} after the lock; at most ${most} connections`;
  },
};
