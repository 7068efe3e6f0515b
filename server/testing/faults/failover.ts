import { expectNothingWrong, statusLine, steadyLoad } from './load.ts';
import { call, countStored, newReports, report, type Report, startReporting } from './people.ts';
import { administer } from './postgres.ts';
import type { Scenario } from './scenario.ts';
import { withStandby } from './standby.ts';
import { expect, seconds, until } from '../until.ts';

/** The primary dies under load; the address leads first to a standby that takes no writes yet, which is then promoted. */
export const failover: Scenario = {
  name: 'failover',
  expected:
    'primary killed, synchronous standby promoted: not ready while read-only, then by itself; no acknowledged write lost, nobody signed out',
  short: true,
  run: ({ say }) =>
    withStandby(async ({ cluster, database, standby, address, promoted, led }) => {
      const { server, adviser, tool, session } = await startReporting(led);
      await administer(
        database.url,
        `alter system set synchronous_standby_names = 'standby'`,
        'select pg_reload_conf()',
      );
      await until('the standby is synchronous', 20_000, () =>
        database.count(`select count(*) from pg_stat_replication where sync_state = 'sync'`),
      );
      const acknowledged: Report[] = [];
      let refused = 0;
      let writing = true;
      const writers = Array.from({ length: 3 }, async () => {
        while (writing) {
          const events = newReports(session, 3);
          const answer = await report(server, tool, events);
          if (answer.status === 200) acknowledged.push(...events);
          else if (answer.status === 503) refused += 1;
        }
      });
      const load = steadyLoad([() => call(server, '/api/user', { cookie: adviser.cookie })]);
      await until('writes are acknowledged', 20_000, () => acknowledged.length > 100);

      cluster.kill();
      address.leadTo(standby.port);
      const readyz = () => call(server, '/readyz');
      const body = async () => (await (await readyz()).json()) as { status: string };
      await until('it is not ready while nothing takes writes', 10_000, async () => (await body()).status !== 'ready');
      // Reads may go on from the standby all the while; writes can't.
      await until('writes are refused', 20_000, () => refused > 0);
      const before = acknowledged.length;
      await standby.promote();
      const { ms } = await until('ready after the promotion', 20_000, async () => (await readyz()).ok, 10);
      await until('writes go on', 20_000, () => acknowledged.length > before + 50);
      say(
        `ready ${seconds(ms)} after the promotion; ${before} events acknowledged before it, ${acknowledged.length - before} after`,
      );
      writing = false;
      await Promise.all(writers);
      const tally = await load.stop();
      expectNothingWrong(tally);
      expect((await call(server, '/api/user', { cookie: adviser.cookie })).ok, 'the adviser was signed out');
      const kept = await countStored(promoted, acknowledged);
      expect(kept === acknowledged.length, `${acknowledged.length - kept} acknowledged events lost`);
      await server.stop();
      return `ready ${seconds(ms)} after the promotion; ${acknowledged.length} acknowledged events, 0 lost; ${statusLine(tally)}; still signed in`;
    }),
};
