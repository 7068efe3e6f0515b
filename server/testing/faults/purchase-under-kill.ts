import { setTimeout as pause } from 'node:timers/promises';
import { signUp, toolIds, type Adviser } from './people.ts';
import { buy, buyAndPay, expectOne, providersOf, rowsOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { launch, ready, startServer } from './server.ts';
import { expect, random, seconds, until } from './until.ts';

const rounds = 20;
const convergeMs = 60_000;

/**
 * Killed at a random time while a purchase runs, and every other time in the moment the provider has made its
 * subscription, before our row knows. Half of the buyers try again, the others leave it to us.
 */
export const purchaseUnderKill: Scenario = {
  name: 'purchase-under-kill',
  expected: 'kill -9 before and after the provider answers: within 60 s of restart one provider subscription, one row',
  run: async (cluster, say) => {
    const database = await cluster.create('purchase_under_kill');
    let server = await startServer(database);
    const { port } = server;
    const advisers = [];
    while (advisers.length < rounds / toolIds.length) advisers.push(await signUp(server, database));
    const purchases = advisers.flatMap((adviser, index) =>
      toolIds.map((toolId, position) => ({
        adviser,
        toolId,
        trial: (index + position) % 2 === 0,
        again: index % 2 === 0,
      })),
    );
    const written = (adviser: Adviser, toolId: string) =>
      until('the row is written', 5000, async () => (await rowsOf(database, adviser, toolId)).length > 0, 1);
    const measured = buy(server, await signUp(server, database), toolIds[0]);
    const purchaseMs = (await until('a purchase is undisturbed', 20_000, async () => (await measured)?.ok)).ms;
    const hit = { 'before the provider had it': 0, 'before the row knew': 0, 'after both': 0 };

    for (const [index, { adviser, toolId, trial, again }] of purchases.entries()) {
      const asked = buy(server, adviser, toolId, trial);
      await written(adviser, toolId);
      if (index % 2 === 0) await pause(random(purchaseMs / 2));
      else await until('the provider has it', 5000, async () => (await providersOf(database, adviser, toolId))[0], 0);
      await server.kill();
      await asked;
      const [row] = await rowsOf(database, adviser, toolId);
      const atProvider = await providersOf(database, adviser, toolId);
      if (row?.stripe_subscription_id) hit['after both'] += 1;
      else hit[atProvider.length > 0 ? 'before the row knew' : 'before the provider had it'] += 1;
      server = launch(database, { port });
      await ready(server);
      if (again) {
        const answer = await buy(server, adviser, toolId, trial);
        const settled = answer?.status === 409 || answer?.ok; // 409: the trial has begun meanwhile
        expect(settled, `trying again answered ${answer?.status}: ${await answer?.text()}`);
      }
    }
    say(
      Object.entries(hit)
        .map(([when, count]) => `${count} killed ${when}`)
        .join(', '),
    );
    const open =
      'select count(*) from tool_subscriptions where purchase is not null and stripe_subscription_id is null';
    const { ms } = await until('every row knows its provider subscription', convergeMs, async () => {
      return (await database.count(open)) === 0;
    });
    say(`every purchase complete ${seconds(ms)} after the last restart`);

    for (const { adviser, toolId, trial } of purchases) {
      if (!trial) await buyAndPay(server, database, adviser, toolId);
      const row = await expectOne(database, adviser, toolId);
      expect(row.status === (trial ? 'trial' : 'active'), `${toolId} ended as ${row.status}`);
    }
    const customers = await database.count(`select count(*) from sandbox.objects where kind = 'customer'`);
    expect(customers === advisers.length + 1, `${customers} provider customers for ${advisers.length + 1} advisers`);
    expect(server.faults().length === 0, `logged: ${server.faults()[0]}`);
    await server.stop();
    return `${rounds} kills (${Object.values(hit).join('/')} before the provider/before the row/after both): one row and one provider subscription each, complete ${seconds(ms)} after the last restart, each paid once`;
  },
};
