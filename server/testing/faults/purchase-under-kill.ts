import { setTimeout as pause } from 'node:timers/promises';
import { askUntilDecided } from './load.ts';
import { signUp, toolIds, type Adviser } from './people.ts';
import { buy, buyAndPay, expectOne, stripeSubscriptionsOf, rowsOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, random, seconds, until } from '../until.ts';

const rounds = 20;
const convergeMs = 60_000;

/**
 * The server is killed while a purchase runs: by turns at a random time, and as soon as Stripe has made its subscription,
 * before our row knows. Half of the buyers try again, the others leave it to us.
 */
export const purchaseUnderKill: Scenario = {
  name: 'purchase-under-kill',
  expected: 'kill -9 before and after Stripe answers: within 60 s of restart one Stripe subscription, one row',
  run: async ({ database, say }) => {
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
      until('the row is written', 20_000, async () => (await rowsOf(database, adviser, toolId)).length > 0, 1);
    const measured = buy(server, await signUp(server, database), toolIds[0]);
    const purchaseMs = (await until('a purchase is undisturbed', 20_000, async () => (await measured)?.ok)).ms;
    const hit = { 'before Stripe had it': 0, 'before the row knew': 0, 'after both': 0 };

    for (const [index, { adviser, toolId, trial, again }] of purchases.entries()) {
      const order = () => buy(server, adviser, toolId, trial);
      const asked = askUntilDecided(order);
      await written(adviser, toolId);
      if (index % 2 === 0) await pause(random(purchaseMs / 2));
      else
        await until(
          'Stripe has it',
          20_000,
          async () => (await stripeSubscriptionsOf(database, adviser, toolId))[0],
          0,
        );
      await server.kill();
      await asked;
      const [row] = await rowsOf(database, adviser, toolId);
      const atStripe = await stripeSubscriptionsOf(database, adviser, toolId);
      if (row?.stripe_subscription_id) hit['after both'] += 1;
      else hit[atStripe.length > 0 ? 'before the row knew' : 'before Stripe had it'] += 1;
      server = await startServer(database, { port });
      if (again) {
        const answer = await askUntilDecided(order);
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
    const { ms } = await until('every row knows its Stripe subscription', convergeMs, async () => {
      return (await database.count(open)) === 0;
    });
    say(`every purchase complete ${seconds(ms)} after the last restart`);

    for (const { adviser, toolId, trial } of purchases) {
      if (!trial) await buyAndPay(server, database, adviser, toolId);
      const row = await expectOne(database, adviser, toolId);
      expect(row.status === (trial ? 'trial' : 'active'), `${toolId} ended as ${row.status}`);
    }
    const customers = await database.count(`select count(*) from sandbox.objects where kind = 'customer'`);
    expect(customers === advisers.length + 1, `${customers} Stripe customers for ${advisers.length + 1} advisers`);
    return `${rounds} kills (${Object.values(hit).join('/')} before Stripe/before the row/after both): one row and one Stripe subscription each, complete ${seconds(ms)} after the last restart, each paid once`;
  },
};
