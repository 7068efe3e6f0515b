import { countOf, note, slowestOf, statusLine, steadyLoad, type Tally } from './load.ts';
import { call, newReports, openSession, signUp, toolWithSecret } from './people.ts';
import { buy, buyAndPay, expectOne, rowsOf } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './server.ts';
import { expect, seconds, until } from './until.ts';

/** Longer than one try of the SDK: the first one times out, and both reach the provider. */
const silentMs = 21_000;

/** The provider answers 5xx, then nothing at all; purchases in between are completed under the same key. */
export const providerDown: Scenario = {
  name: 'provider-down',
  expected: '"try again", the same key on retry, no second subscription, the rest of the product works',
  run: async (cluster, say) => {
    const database = await cluster.create('provider_down');
    const server = await startServer(database);
    const adviser = await signUp(server, database);
    const tool = await toolWithSecret(database, 'pre-fill-ai');
    const session = await openSession(database, adviser, tool.id);
    const theRest = () =>
      steadyLoad([
        ...['/api/user', '/api/user/subscriptions', '/api/tools', '/api/pricing/quote?toolId=file-note-ai'].map(
          (path) => () => call(server, path, { cookie: adviser.cookie }),
        ),
        () => call(server, '/api/tools/usage', { body: { events: newReports(session, 1) }, headers: tool.headers }),
      ]);
    const attemptOf = async (toolId: string) => {
      const [row] = await rowsOf(database, adviser, toolId);
      return row && `${row.id}:${row.attempt}`;
    };

    const rest = theRest();
    await database.query('alter table sandbox.objects rename to objects_away');
    const refused: Tally = { seen: new Map(), wrong: [] };
    await note(refused, () =>
      call(server, '/api/create-subscription', { body: { toolId: 'risk-profile-ai' }, cookie: adviser.cookie }),
    );
    const before = await attemptOf('risk-profile-ai');
    await note(refused, () =>
      call(server, '/api/create-subscription', { body: { toolId: 'risk-profile-ai' }, cookie: adviser.cookie }),
    );
    await database.query('alter table sandbox.objects_away rename to objects');
    say(`provider answers 5xx: the purchase ${statusLine(refused)} in ${seconds(slowestOf(refused, 503))} at most`);
    expect(
      countOf(refused, 503) === 2 && refused.wrong.length === 0,
      `${statusLine(refused)} ${refused.wrong[0] ?? ''}`,
    );
    expect(before !== undefined, 'the interrupted purchase left no row to resume');
    await buyAndPay(server, database, adviser, 'risk-profile-ai');
    expect((await attemptOf('risk-profile-ai')) === before, 'the retry used another key');

    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('lock table sandbox.objects in access exclusive mode');
    const begin = performance.now();
    const silent = [buy(server, adviser, 'fact-find-ai'), buy(server, adviser, 'fact-find-ai')];
    await until('the first try has timed out', silentMs + 5000, () => performance.now() - begin > silentMs, 100);
    const waiting = await attemptOf('fact-find-ai');
    await holder.query('rollback');
    await holder.end();
    const answers = (await Promise.all(silent)).map((answer) => answer?.status ?? 0);
    const tally = await rest.stop();
    say(
      `provider silent for ${seconds(silentMs)}: the purchase, clicked twice, ${answers.join(' and ')}; the rest ${statusLine(tally)}`,
    );
    expect(
      answers.every((status) => [200, 409, 503].includes(status)),
      `the purchase answered ${answers.join(' and ')}`,
    );
    await buyAndPay(server, database, adviser, 'fact-find-ai');
    await expectOne(database, adviser, 'fact-find-ai');
    expect((await attemptOf('fact-find-ai')) === waiting, 'the retry used another key');

    expect(
      tally.wrong.length === 0 && countOf(tally, 503) === 0,
      `the rest: ${statusLine(tally)} ${tally.wrong[0] ?? ''}`,
    );
    expect(slowestOf(tally, 200) < 1500, `somebody else waited ${seconds(slowestOf(tally, 200))}`);
    await server.stop();
    return `5xx: 503 "try again" in ${seconds(slowestOf(refused, 503))}; silence: ${answers.join(' and ')}; same keys, one subscription and one payment each; ${countOf(tally, 200)} other calls served, the slowest in ${seconds(slowestOf(tally, 200))}`;
  },
};
