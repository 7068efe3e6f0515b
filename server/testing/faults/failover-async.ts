import { call, countStored, newReports, report, signUp, startReporting } from './people.ts';
import { administer, openDatabase } from './postgres.ts';
import { buy, buyAndPay, expectCharges, rowsOf, stripeSubscriptionsOf } from './purchases.ts';
import { keepStripe } from './restore.ts';
import type { Scenario } from './scenario.ts';
import { withStandby } from './standby.ts';
import { startServer } from '../production-server.ts';
import { expect, seconds, until } from '../until.ts';

const limitMs = 60_000;

/**
 * The primary dies with payments and reports that were acknowledged but have not reached the asynchronous standby. The standby is
 * promoted as it is, and Stripe goes on from where it was.
 */
export const failoverAsync: Scenario = {
  name: 'failover-async',
  expected:
    'primary killed, asynchronous standby promoted: what it lacks is lost, but nobody is charged twice, and who paid has access within a minute of a restart',
  run: ({ say }) =>
    withStandby(async ({ cluster, database, standby, address, promoted, led }) => {
      const { server, adviser, tool, session } = await startReporting(led);
      const [paid, eager] = [await signUp(server, database), await signUp(server, database)];
      await until('the standby has them', 20_000, () =>
        promoted.count('select count(*) from users where id = $1', [eager.id]),
      );
      await administer(promoted.url, `alter system set primary_conninfo = ''`, 'select pg_reload_conf()');
      await until('the standby is cut off', 20_000, async () =>
        (await database.count('select count(*) from pg_stat_replication')) === 0 ? 1 : 0,
      );
      await buyAndPay(server, database, paid, 'risk-profile-ai');
      await buyAndPay(server, database, eager, 'fact-find-ai');
      const events = newReports(session, 3);
      expect((await report(server, tool, events)).status === 200, 'the reports were refused');

      cluster.kill();
      address.leadTo(standby.port);
      const readyz = () => call(server, '/readyz');
      await until('it is not ready while nothing takes writes', 10_000, async () => !(await readyz()).ok);
      await cluster.start(); // only to copy Stripe's state, which is somebody else's
      await standby.promote();
      const { ms } = await until('ready after the promotion', 20_000, async () => (await readyz()).ok, 10);
      const old = openDatabase(database.url);
      await keepStripe(old, promoted);
      await old.close();
      for (const { cookie } of [adviser, paid, eager])
        expect((await call(server, '/api/user', { cookie })).ok, 'somebody was signed out');
      const kept = await countStored(promoted, events);
      const rows = await rowsOf(promoted, paid, 'risk-profile-ai');
      expect(kept === 0 && rows.length === 0, 'the standby lacked nothing');
      const again = await buy(server, eager, 'fact-find-ai');
      say(`ready ${seconds(ms)} after the promotion; bought again before anything was read: ${again?.status}`);
      const resent = await report(server, tool, events);
      expect(
        resent.accepted === events.length,
        `sent again, ${resent.accepted} of ${events.length} reports were taken`,
      );
      await server.stop();

      const next = await startServer(led);
      const begin = performance.now();
      for (const [one, toolId] of [
        [paid, 'risk-profile-ai'],
        [eager, 'fact-find-ai'],
      ] as const) {
        await until(`who paid for ${toolId} has access`, limitMs, async () => {
          const found = await rowsOf(promoted, one, toolId);
          return found[0]?.status === 'active';
        });
        const known = await stripeSubscriptionsOf(promoted, one);
        expect(known.length === 1, `${known.length} subscriptions at Stripe for ${toolId}`);
      }
      const access = performance.now() - begin;
      await expectCharges(promoted, [1, 1]);
      await next.stop();
      return `ready ${seconds(ms)} after the promotion, nobody signed out; bought again: ${again?.status}; reports sent again were taken; both who paid have access ${seconds(access)} after a restart, one charge each`;
    }),
};
