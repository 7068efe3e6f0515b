import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeSecret } from '#server/tools/operate.ts';
import { startTestApp, type Agent, type TestApp } from '#server/testing/test-app.ts';
import { exchange, report, type Launch } from './sample-tool/adviserly.ts';
import { checkTool, type Adviserly } from './tool-check.ts';

const toolId = 'file-note-ai';
let app: TestApp;
let secret: string;
let agent: Agent;
let adviserly: Adviserly;

beforeAll(async () => {
  app = await startTestApp();
  ({ secret } = await makeSecret(app.context.db, toolId, app.clock.now(), null));
  const signedIn = await app.signedIn({ freeAccessGranted: true });
  agent = signedIn.agent;
  await agent.post('/api/create-subscription').send({ toolId }).expect(200);
  adviserly = {
    adviser: { email: signedIn.user.email, name: `${signedIn.user.firstName} ${signedIn.user.lastName}` },
    launch: async () => (await agent.post('/api/auth/token').send({ toolId }).expect(200)).body.token as string,
    isUnused: async (token) =>
      (await app.agent().post('/api/tools/introspect').auth(toolId, secret).type('form').send({ token })).body
        .active as boolean,
    newestSession: async () => {
      const { body } = await agent.get('/api/analytics/dashboard').expect(200);
      const [newest] = body.recentAnalytics as { id: string; sessionDuration?: number }[];
      return newest ? { id: newest.id, reported: newest.sessionDuration !== undefined } : null;
    },
  };
});
afterAll(() => app.stop());

/** What a developer may get wrong; nothing of it is a tool that does what it should. */
type Habit = {
  keepsTokenInAddress?: boolean;
  neverExchanges?: boolean;
  printsToken?: boolean;
  /** Everybody sees the last one who opened it. */
  forgetsWhoAsks?: boolean;
  breaksOnBadToken?: boolean;
  neverReports?: boolean;
};

let tool: http.Server;
afterEach(() => tool.close());

function startTool(habit: Habit): Promise<string> {
  const us = { apiUrl: app.url, toolId, secret };
  const sessions = new Map<string, Launch>();
  let last: Launch | undefined;
  const show = (res: http.ServerResponse, launch: Launch | undefined, more = '') =>
    res.end(
      launch ? `<h1>Hello ${launch.name}, ${launch.email}</h1>${more}` : '<h1>Please open this from Adviserly</h1>',
    );
  tool = http.createServer((req, res) => {
    const handle = async () => {
      const token = new URL(req.url!, 'http://tool').searchParams.get('auth_token');
      if (token === null) {
        const known = sessions.get(/sid=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? '');
        return show(res, habit.forgetsWhoAsks ? last : known);
      }
      if (habit.neverExchanges) return show(res, undefined);
      const launch = await exchange(us, token);
      if (!launch) {
        res.statusCode = habit.breaksOnBadToken ? 500 : 403;
        return show(res, habit.forgetsWhoAsks ? last : undefined);
      }
      last = launch;
      sessions.set('s1', launch);
      res.setHeader('set-cookie', 'sid=s1; HttpOnly');
      const { session_id } = launch;
      if (!habit.neverReports) await report(us, { event_id: `e-${session_id}`, session_id, duration_seconds: 60 });
      if (habit.keepsTokenInAddress) return show(res, launch, habit.printsToken ? token : '');
      if (habit.printsToken) return show(res, launch, `<a href="?auth_token=${token}">again</a>`);
      res.writeHead(303, { location: '/' }).end();
    };
    handle().catch(() => res.destroy());
  });
  return new Promise((resolve) =>
    tool.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(tool.address() as AddressInfo).port}/`)),
  );
}

const failedChecks = async (habit: Habit) =>
  (await checkTool(adviserly, { toolUrl: await startTool(habit), usageWaitMs: 50 }))
    .filter(({ passed }) => !passed)
    .map(({ check }) => check);

describe('npm run tools:check', () => {
  it.each([
    ['a tool that does what it should', {}, []],
    ['a token left in the address', { keepsTokenInAddress: true }, ['The token leaves the address']],
    [
      'a token that is not consumed',
      { neverExchanges: true },
      ['The token is exchanged', 'The token leaves the address', 'Usage is reported'],
    ],
    [
      'a token in the page',
      { keepsTokenInAddress: true, printsToken: true },
      ['The token leaves the address', 'The token is in no page'],
    ],
    [
      'a session open to everybody',
      { forgetsWhoAsks: true },
      [
        'A used link opens nothing',
        'A made-up token opens nothing, and is no fault',
        'Without a token nothing is shown of anybody',
      ],
    ],
    ['a fault on a bad token', { breaksOnBadToken: true }, ['A made-up token opens nothing, and is no fault']],
    ['no usage reported', { neverReports: true }, ['Usage is reported']],
  ] as [string, Habit, string[]][])('%s', async (_name, habit, expected) => {
    expect(await failedChecks(habit)).toEqual(expected);
  });

  it('says so when nothing answers', async () => {
    const url = await startTool({});
    await new Promise((resolve) => tool.close(resolve));
    const findings = await checkTool(adviserly, { toolUrl: url, usageWaitMs: 0 });
    expect(findings).toEqual([expect.objectContaining({ check: 'The tool answers', passed: false })]);
  });
});
