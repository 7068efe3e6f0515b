import { setTimeout as pause } from 'node:timers/promises';
import { askUntilDecided } from './load.ts';
import { signUp, toolIds } from './people.ts';
import { buy, buyAndPay, expectOne, isAtStripe, purchasesOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { expect, random, seconds, until } from '../until.ts';

const rounds = 20;
const convergeMs = 60_000;

/**
 * The server is killed while a purchase runs: by turns at a random time, and as soon as Stripe has made its invoice, before our bill knows.
 * Half of the buyers try again, the others leave it to us. Each begins a bill with the first tool and adds others; a trial asks nothing of Stripe.
 */
export const purchaseUnderKill: Scenario = {
  name: 'purchase-under-kill',
  expected: 'kill -9 before and after Stripe answers: within 60 s of restart one bill, one Stripe invoice, one row',
  run: async ({ database, say }) => {
    let server = await startServer(database);
    const { port } = server;
    const advisers = [];
    while (advisers.length < rounds / toolIds.length) advisers.push(await signUp(server, database));
    const purchases = advisers.flatMap((adviser, index) =>
      toolIds.map((toolId, position) => ({
        adviser,
        toolId,
        trial: position === index % toolIds.length,
        again: index % 2 === 0,
      })),
    );
    const measured = buy(server, await signUp(server, database), toolIds[0]);
    const purchaseMs = (await until('a purchase is undisturbed', 20_000, async () => (await measured)?.ok)).ms;
    const hit = { 'before Stripe had it': 0, 'before the bill knew': 0, 'after both': 0 };
    let slowestMs = 0;

    for (const [index, { adviser, toolId, trial, again }] of purchases.entries()) {
      const order = () => buy(server, adviser, toolId, trial);
      const asked = askUntilDecided(order);
      const bought = async () => (await purchasesOf(database, adviser, toolId))[0];
      if (!trial) await until('the purchase is written', 20_000, bought, 1);
      if (trial || index % 2 === 0) await pause(random(purchaseMs / 2));
      else
        await until(
          'Stripe has it',
          20_000,
          async () => {
            const purchase = await bought();
            return purchase && isAtStripe(database, purchase);
          },
          0,
        );
      await server.kill();
      await asked;
      const left = await bought();
      if (left?.stripe_invoice_id) hit['after both'] += 1;
      else if (left) hit[(await isAtStripe(database, left)) ? 'before the bill knew' : 'before Stripe had it'] += 1;
      server = await startServer(database, { port });
      if (again || trial) {
        const answer = await askUntilDecided(order);
        const settled = answer?.status === 409 || answer?.ok; // 409: the trial has begun meanwhile
        expect(settled, `trying again answered ${answer?.status}: ${await answer?.text()}`);
      }
      if (!trial) {
        const { ms } = await until(
          'its bill knows the invoice',
          convergeMs,
          async () => (await bought())?.stripe_invoice_id,
        );
        slowestMs = Math.max(slowestMs, ms);
        await buyAndPay(server, database, adviser, toolId);
      }
      const { status } = await expectOne(database, adviser, toolId);
      expect(status === (trial ? 'trial' : 'active'), `${toolId} ended as ${status}`);
    }
    const line = Object.entries(hit)
      .map(([when, count]) => `${count} killed ${when}`)
      .join(', ');
    say(`${line}; complete ${seconds(slowestMs)} after the restart at most`);

    for (const { adviser, toolId } of purchases) await expectOne(database, adviser, toolId);
    // What is bought; a trial is on the coming bill too, if it ends before.
    const bought = purchases.filter(({ trial }) => !trial).length;
    const items = () =>
      database.count(
        `select count(*) from tool_subscriptions tool join sandbox.objects one on one.id = tool.stripe_subscription_id,
           jsonb_array_elements(one.data->'items'->'data') item
         where tool.status = 'active' and item->'price'->>'product' = 'tool_' || tool.tool_id`,
      );
    await until(`Stripe has an item for each of ${bought} tools`, convergeMs, async () => (await items()) === bought);
    const customers = await database.count(`select count(*) from sandbox.objects where kind = 'customer'`);
    expect(customers === advisers.length + 1, `${customers} Stripe customers for ${advisers.length + 1} advisers`);
    return `${rounds} kills (${line}): one row, one bill and one invoice each, paid once, complete ${seconds(slowestMs)} after the restart at most; one Stripe subscription for each payer, with all their tools`;
  },
};
