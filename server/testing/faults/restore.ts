import { signUp, type Adviser } from './people.ts';
import { openDatabase, type Database } from './postgres.ts';
import { buy, buyAndPay, expectCharges, rowsOf, stripeSubscriptionsOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, seconds, until } from '../until.ts';

const limitMs = 60_000;

/** Copies Stripe's state: it is somebody else's, so it goes on from where it is, whatever we restore. */
export async function keepStripe(from: Database, to: Database): Promise<void> {
  await to.query('truncate sandbox.objects, sandbox.answers, sandbox.deliveries');
  for (const table of ['objects', 'answers', 'deliveries']) {
    const [all] = await from.query<{ rows: string }>(
      `select coalesce(json_agg(one), '[]')::text as rows from sandbox.${table} one`,
    );
    await to.query(
      `insert into sandbox.${table} overriding system value select * from json_populate_recordset(null::sandbox.${table}, $1)`,
      [all!.rows],
    );
    if (table !== 'answers')
      await to.query(
        `select setval(pg_get_serial_sequence('sandbox.${table}', 'position'), coalesce(max(position), 1)) from sandbox.${table}`,
      );
  }
}

export const restore: Scenario = {
  name: 'restore',
  expected:
    'a copy older than purchases is restored: within a minute who paid has access or is an incident, and nobody is charged twice',
  short: true,
  logs: /our records don’t match/,
  run: async ({ cluster, database, short, say }) => {
    let server = await startServer(database);
    const [paid, eager, trying, growing] = [
      await signUp(server, database),
      await signUp(server, database),
      await signUp(server, database),
      await signUp(server, database),
    ];
    await buyAndPay(server, database, growing, 'pre-fill-ai');
    await server.stop();
    await database.close();
    const restored = await cluster.create('restored', 'restore');

    const lost = openDatabase(database.url);
    server = await startServer(lost);
    await buyAndPay(server, lost, paid, 'risk-profile-ai');
    await buyAndPay(server, lost, eager, 'fact-find-ai');
    expect((await buy(server, trying, 'file-note-ai', true))?.ok, 'the trial did not begin');
    if (!short) await buyAndPay(server, lost, growing, 'share-advice-ai');
    const newcomer = await signUp(server, lost);
    await buyAndPay(server, lost, newcomer, 'pre-fill-ai');
    await server.stop();
    await keepStripe(lost, restored);
    await lost.close();

    server = await startServer(restored);
    const begin = performance.now();
    const again = await buy(server, eager, 'fact-find-ai');
    say(`bought again as soon as it was ready: ${again?.status}`);
    expect(
      again?.status === 409 || again?.status === 503,
      `buying again answered ${again?.status}: ${await again?.text()}`,
    );
    const hasAccess = async (adviser: Adviser, toolId: string) => {
      const [row] = await rowsOf(restored, adviser, toolId);
      return row?.status === 'active' || row?.status === 'trial';
    };
    await until('who paid has access', limitMs, () => hasAccess(paid, 'risk-profile-ai'), 100);
    await until('who bought again has access', limitMs, () => hasAccess(eager, 'fact-find-ai'), 100);
    await until('the account that is gone is an incident', limitMs, async () =>
      restored.count(`select count(*) from stripe_events where status = 'parked'`),
    );
    const ms = performance.now() - begin;

    const repeated: string[] = [];
    for (const [adviser, toolId] of [
      [paid, 'risk-profile-ai'],
      [eager, 'fact-find-ai'],
    ] as const) {
      repeated.push(String((await buy(server, adviser, toolId))?.status));
      const known = await stripeSubscriptionsOf(restored, adviser);
      expect(known.length === 1, `${known.length} subscriptions at Stripe for ${toolId}`);
    }
    // Stripe was never asked for the trial, so that it is lost with the copy, and may begin again.
    expect((await buy(server, trying, 'file-note-ai', true))?.ok, 'the trial did not begin again');
    expect(await hasAccess(trying, 'file-note-ai'), 'the trial did not begin again');
    await expectCharges(restored, [1, 1, 1, short ? 1 : 2]);
    // Its invoice is none of Stripe's subscription, whose other tool the copy has.
    if (!short)
      await until('who paid for another tool has access or is an incident', limitMs, async () => {
        const parked = `select count(*) from stripe_events where status = 'parked' and customer_id =
          (select stripe_customer_id from users where id = $1)`;
        return (await hasAccess(growing, 'share-advice-ai')) || (await restored.count(parked, [growing.id])) > 0;
      });
    return `two have access ${seconds(ms)} after the start, the account that is gone is an incident; bought again: ${again?.status}, then ${repeated.join(', ')}; one charge each; the trial, which only the lost rows knew, began again`;
  },
};
