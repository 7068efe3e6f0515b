import { call, signUp } from './people.ts';
import type { Database } from './postgres.ts';
import { buy, expectOne, payAtStripe, purchasesOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, seconds, until } from '../until.ts';

const toolId = 'risk-profile-ai';
/** An event's job counts as dead 90 s after its start; the queue looks for such jobs only now and then. */
const convergeMs = 150_000;

/** This database, with connections that pg_stat_activity lists under this name. */
const named = (database: Database, name: string): Database => ({
  ...database,
  url: `${database.url}?application_name=${name}`,
});

/** A worker is killed while its job of a Stripe event waits for the row; the other one takes over. */
export const jobKilled: Scenario = {
  name: 'job-killed',
  expected: 'job killed in the middle, two workers: effect once',
  run: async ({ database, say }) => {
    const servers = {
      'worker-a': await startServer(named(database, 'worker-a')),
      'worker-b': await startServer(named(database, 'worker-b')),
    };
    const adviser = await signUp(servers['worker-a'], database);
    const bought = await buy(servers['worker-a'], adviser, toolId);
    expect(bought?.ok, `the purchase answered ${bought?.status}`);
    const { clientSecret } = (await bought.json()) as { clientSecret: string };
    const { id } = await expectOne(database, adviser, toolId);
    const openEvents = `select count(*) from stripe_events where status = 'pending'`;
    await until('the events of the purchase are done', 20_000, async () => (await database.count(openEvents)) === 0);

    const letGo = await database.hold('select 1 from tool_subscriptions where id = $1 for update', [id]);
    expect((await payAtStripe(servers['worker-a'], clientSecret)) === 'succeeded', 'the payment failed');
    const { value: victim } = await until(
      'a worker is in the middle of its job',
      10_000,
      async () => {
        const [waiting] = await database.query<{ application_name: keyof typeof servers }>(
          `select application_name from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and application_name in ('worker-a', 'worker-b') order by query_start limit 1`,
        );
        return waiting?.application_name;
      },
      5,
    );
    const active = await database.count(
      `select count(*) from pgboss.job where name = 'stripe-event' and state = 'active'`,
    );
    await servers[victim].kill();
    await letGo();
    const survivor = servers[victim === 'worker-a' ? 'worker-b' : 'worker-a'];

    const { ms } = await until(
      'the other worker has done it all',
      convergeMs,
      async () => {
        const unfinished = `select count(*) from pgboss.job where name = 'stripe-event' and state in ('created', 'retry', 'active')`;
        return (await database.count(openEvents)) === 0 && (await database.count(unfinished)) === 0;
      },
      100,
    );
    say(`${victim} killed with ${active} jobs active; all done ${seconds(ms)} later`);
    const row = await expectOne(database, adviser, toolId);
    expect(row.status === 'active', `the subscription is ${row.status}`);
    const [bill] = await purchasesOf(database, adviser, toolId);
    const once: [string, string][] = [
      ['notices that it started', `select count(*) from notifications where dedupe_key = 'paid:${bill!.id}'`],
      ['invoices', 'select count(*) from invoices'],
      ['receipts', `select count(*) from mails where kind = 'receipt'`],
      [
        'changes to active',
        `select count(*) from audit_log where subject_id = '${id}' and after->>'status' = 'active'`,
      ],
      ['free tools', `select count(*) from tool_subscriptions where tool_id = 'lost-money-ai'`],
    ];
    for (const [what, text] of once) {
      const count = await database.count(text);
      expect(count === 1, `${count} ${what}`);
    }
    const parked = await database.count(`select count(*) from stripe_events where status = 'parked'`);
    expect(parked === 0, `${parked} events parked`);
    const failed = await database.count(`select count(*) from pgboss.job where state = 'failed'`);
    expect(failed === 0, `${failed} jobs failed for good`);
    expect((await call(survivor, '/readyz')).ok, 'the survivor is not ready');
    return `one worker killed in the middle: all events done ${seconds(ms)} later, one notice, one invoice, one audit row, one free tool`;
  },
};
