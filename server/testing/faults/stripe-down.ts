import {
  countOf,
  expectNothingWrong,
  expectServed,
  newTally,
  note,
  slowestOf,
  statusLine,
  steadyLoad,
} from './load.ts';
import { call, newReports, sendReports, startReporting } from './people.ts';
import { buy, buyAndPay, expectOne, purchasesOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { expect, seconds, until } from '../until.ts';

/** Longer than one try of the SDK: the first try times out, and both it and the next reach Stripe. */
const silentMs = 21_000;

/** Stripe answers 5xx, then nothing at all; purchases tried meanwhile are completed under the same key. */
export const stripeDown: Scenario = {
  name: 'stripe-down',
  expected: '"try again", the same key on retry, no second subscription, the rest of the product works',
  run: async ({ database, say }) => {
    const { server, adviser, tool, session } = await startReporting(database, 'pre-fill-ai');
    const { cookie } = adviser;
    const pages = ['/api/user', '/api/user/subscriptions', '/api/tools', '/api/pricing/quote?toolId=file-note-ai'];
    const rest = steadyLoad([
      ...pages.map((path) => () => call(server, path, { cookie })),
      () => sendReports(server, tool, newReports(session, 1)),
    ]);
    await database.query('alter table sandbox.objects rename to objects_away');
    const refused = newTally();
    const purchase = () => call(server, '/api/create-subscription', { body: { toolId: 'risk-profile-ai' }, cookie });
    await note(refused, purchase);
    await note(refused, purchase);
    await database.query('alter table sandbox.objects_away rename to objects');
    say(`Stripe answers 5xx: the purchase ${statusLine(refused)} in ${seconds(slowestOf(refused, 503))} at most`);
    expectNothingWrong(refused);
    expect(countOf(refused, 503) === 2, statusLine(refused));
    // Without Stripe nobody knows whether it is already paid for, as after a restore, so nothing is begun.
    expect(
      (await purchasesOf(database, adviser, 'risk-profile-ai')).length === 0,
      'a purchase was begun without Stripe',
    );
    await buyAndPay(server, database, adviser, 'risk-profile-ai');
    await expectOne(database, adviser, 'risk-profile-ai');

    const letGo = await database.hold('lock table sandbox.objects in access exclusive mode');
    const begin = performance.now();
    const silent = [buy(server, adviser, 'fact-find-ai'), buy(server, adviser, 'fact-find-ai')];
    await until('the first try has timed out', silentMs + 5000, () => performance.now() - begin > silentMs, 100);
    await letGo();
    const statuses = (await Promise.all(silent)).map((answer) => answer?.status ?? 0);
    const answers = statuses.join(' and ');
    const tally = await rest.stop();
    say(
      `Stripe silent for ${seconds(silentMs)}: the purchase, clicked twice, ${answers}; the rest ${statusLine(tally)}`,
    );
    const known = statuses.every((status) => [200, 409, 503].includes(status));
    expect(known, `the purchase answered ${answers}`);
    await buyAndPay(server, database, adviser, 'fact-find-ai');
    await expectOne(database, adviser, 'fact-find-ai');

    expectServed(tally, 1500);
    return `5xx: 503 "try again" in ${seconds(slowestOf(refused, 503))}; silence: ${answers}; one subscription and one payment each; ${countOf(tally, 200)} other calls served, the slowest in ${seconds(slowestOf(tally, 200))}`;
  },
};
