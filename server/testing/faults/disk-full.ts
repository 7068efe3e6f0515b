import { call, countStored, newReports, report, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { expect, until } from '../until.ts';

/** The size of a segment of the write-ahead log, so that the log can still be written. */
const limit = 16 * 1024 * 1024;
const batch = 50;

/** To PostgreSQL a limit on the size of its files looks like a full disk; the table is filled to just below it. */
export const diskFull: Scenario = {
  name: 'disk-full',
  expected: '503, no half rows, reading works, recovers when there is room again',
  run: async ({ cluster, database, say }) => {
    const { server, adviser, tool, session } = await startReporting(database);
    const size = () => database.count(`select pg_relation_size('usage_analytics')`);
    while ((await size()) < limit - 200_000)
      await database.query(
        `insert into usage_analytics (user_id, tool_id, event_id, session_duration)
         select $1, $2, gen_random_uuid()::text, 1 from generate_series(1, 500)`,
        [adviser.id, 'fact-find-ai'],
      );

    cluster.limitFiles(limit);
    let taken = 0;
    let refused: { status: number; text: string } | undefined;
    let events = newReports(session, batch);
    try {
      await until(
        'the disk is full',
        30_000,
        async () => {
          events = newReports(session, batch);
          const answer = await report(server, tool, events);
          if (answer.status === 200) taken += answer.accepted;
          else refused = answer;
          return refused;
        },
        0,
      );
      say(`${taken} reports taken, then ${refused?.status}: ${refused?.text}`);
      expect(refused?.status === 503, `a full disk answered ${refused?.status}: ${refused?.text}`);
      const stored = await countStored(database, events);
      expect(stored === 0, `${stored} of ${batch} refused reports are stored`);
      const reading = await call(server, '/api/user', { cookie: adviser.cookie });
      expect(reading.status === 200, `reading answered ${reading.status}`);
      expect((await call(server, '/readyz')).ok, 'not ready although it can read');
    } finally {
      cluster.limitFiles(null);
    }
    const again = await report(server, tool, events);
    const own = await database.count('select count(*) from usage_analytics where tool_id = $1', [tool.id]);
    expect(again.accepted === batch, `with room again: ${again.status} ${again.text}`);
    expect(own === taken + batch, `${own} rows of ${taken + batch} acknowledged`);
    expect(server.ended() === null, 'the process ended');
    return `503 after ${taken} reports, none of the refused batch stored, reads served; taken whole when there was room (${own} rows)`;
  },
};
