import { askUntilDecided, countOf, newTally, statusLine } from './load.ts';
import { call, grantTool, signUp, toolWithSecret } from './people.ts';
import { buy, expectOne } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { startServer, type Server } from '../production-server.ts';
import { expect, seconds } from '../until.ts';

const atOnce = 200;

/** 200 requests at once, half to each replica, repeated while it is busy; any other 5xx, or no answer, is a fault. */
async function together(replicas: Server[], ask: (server: Server) => Promise<Response | null>) {
  let busy = 0;
  const one = async (server: Server) => {
    const answer = await askUntilDecided(
      () => ask(server),
      () => (busy += 1),
    );
    expect(answer, 'a request got no answer');
    return answer;
  };
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, index) => one(replicas[index % replicas.length]!)),
  );
  const tally = newTally();
  for (const { status } of answers) tally.seen.set(status, { count: countOf(tally, status) + 1, slowestMs: 0 });
  const line = statusLine(tally) + (busy > 0 ? ` (after ${busy}×503 busy)` : '');
  const bad = answers.find((answer) => answer.status >= 500);
  expect(bad === undefined, `${line}; e.g. ${await bad?.text()}`);
  return { answers, won: countOf(tally, 200), line };
}

/** Both start at once on an empty database; then 200 requests at once, half to each, of which one may win. */
export const twoReplicas: Scenario = {
  name: 'two-replicas',
  expected: 'both migrate and start; purchase, single-use tokens, 200 at once: one winner, 4xx for the rest, no 5xx',
  fromNothing: true,
  run: async ({ database, say }) => {
    const begin = performance.now();
    const replicas = await Promise.all([startServer(database), startServer(database)]);
    say(`both ready ${seconds(performance.now() - begin)} after a start on an empty database`);
    const [first] = replicas;
    const tools = (await (await call(first, '/api/tools')).json()) as unknown[];
    expect(tools.length > 0, 'ready without its catalogue');

    const buyer = await signUp(first, database);
    const purchase = await together(replicas, (server) => buy(server, buyer, 'risk-profile-ai'));
    say(`the same purchase: ${purchase.line}`);
    await expectOne(database, buyer, 'risk-profile-ai');

    const trialist = await signUp(first, database);
    const trial = await together(replicas, (server) => buy(server, trialist, 'fact-find-ai', true));
    say(`the same trial: ${trial.line}`);
    expect((await expectOne(database, trialist, 'fact-find-ai')).status === 'trial', 'the trial did not begin');

    const newcomer = await signUp(first, database, false);
    const [mail] = await database.query<{ text_body: string }>(
      `select text_body from mails where to_address = $1 and kind = 'verification'`,
      [newcomer.email],
    );
    const token = /token=([\w-]+)/.exec(mail?.text_body ?? '')?.[1];
    expect(token, 'no verification link was mailed');
    const verified = await together(replicas, (server) =>
      call(server, '/api/verify-email', { body: { token }, cookie: newcomer.cookie }),
    );
    say(`the same verification token: ${verified.line}`);
    expect(verified.won === 1, `${verified.won} uses of one verification token`);

    const tool = await toolWithSecret(database, 'file-note-ai');
    await grantTool(database, buyer, tool.id);
    const launched = await call(first, '/api/auth/token', { body: { toolId: tool.id }, cookie: buyer.cookie });
    const { token: launchToken } = (await launched.json()) as { token: string };
    const exchanged = await together(replicas, (server) =>
      fetch(`${server.base}/api/tools/introspect`, {
        method: 'POST',
        headers: tool.headers,
        body: new URLSearchParams({ token: launchToken }),
      }),
    );
    const bodies = await Promise.all(exchanged.answers.map((answer) => answer.json() as Promise<{ active: boolean }>));
    const active = bodies.filter((body) => body.active).length;
    say(`the same launch token: ${exchanged.line}, ${active} of them active`);
    expect(active === 1, `${active} exchanges of one launch token`);
    expect((await database.count('select count(*) from tool_usage')) === 1, 'one launch opened several sessions');

    return `both ready; purchase ${purchase.line}; trial ${trial.line}; verification ${verified.line}; launch ${active} active of ${atOnce}`;
  },
};
