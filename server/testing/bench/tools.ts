import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { startChildServer } from '../child-server.ts';
import { grantTool, newReports, signUp, toolWithSecret, type Report } from '../faults/people.ts';
import { startServer } from '../production-server.ts';
import {
  heading,
  load,
  type Load,
  loadOf,
  machineLoad,
  middleOfThree,
  onCluster,
  round,
  row,
  withoutSandbox,
} from './measure.ts';

const toolId = 'risk-profile-ai';
const connections = 20;
const batch = 50;

/** Posts for 4 seconds; where `body` is a function, each request gets a new one. */
async function post(url: string, headers: Record<string, string>, body: string | (() => string)): Promise<Load> {
  const one: autocannon.Request = {
    method: 'POST',
    headers,
    ...(typeof body === 'string' ? { body } : { setupRequest: (request) => ({ ...request, body: body() }) }),
  };
  return loadOf(await autocannon({ url, connections, duration: 4, requests: [one] }));
}

/** `npm run bench -- tools`: the calls of a tool's server beside the bare limit, in one run on one database. */
export const toolsBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    const server = await startServer(database, { variables: { ...withoutSandbox.variables, JOBS: 'off' } });
    const adviser = await signUp(server, database);
    await grantTool(database, adviser, toolId);
    const tool = await toolWithSecret(database, toolId);
    // A thousand colleagues with two sessions each, and a token that was used.
    await database.query(
      `insert into users (email, password, first_name, last_name) select 'tool' || n || '@practice.example', password, 'Tool', 'Bench' from users, generate_series(1, 1000) n where id = $1`,
      [adviser.id],
    );
    await database.query(
      `insert into tool_subscriptions (user_id, tool_id, status, revision) select id, $1, 'active', 1 from users where email like 'tool%'`,
      [toolId],
    );
    await database.query(
      `insert into tool_usage (user_id, tool_id, session_id) select id, $1, gen_random_uuid()::text from users, generate_series(1, 2) where email like 'tool%'`,
      [toolId],
    );
    await database.query(
      `insert into auth_tokens (user_id, tool_id, kind, token, expires_at, used_at) values ($1, $2, 'launch', $3, now() + interval '1 hour', now())`,
      [adviser.id, toolId, hashToken('spent')],
    );
    await database.query('analyze');
    const sessions = (await database.query<{ id: string }>('select id from tool_usage')).map(({ id }) => id);
    const limit = await startChildServer('bench/baselines.ts', ['limit', database.url, adviser.id]);

    const form = { ...tool.headers, 'content-type': 'application/x-www-form-urlencoded' };
    const json = { ...tool.headers, 'content-type': 'application/json' };
    const usage = `${server.base}/api/tools/usage`;
    const introspect = `${server.base}/api/tools/introspect`;
    let next = 0;
    /** Reports of the next session. */
    const ofNext = (size: number) => newReports(sessions[(next += 1) % sessions.length]!, size, 1);
    const body = (events: Report[]) => JSON.stringify({ events });
    const known = body(ofNext(1));
    await fetch(usage, { method: 'POST', headers: json, body: known });

    const bare = await middleOfThree(() => load(limit.url, { seconds: 4, connections }));
    const results: [string, Load, number, string][] = [
      ['limit: bare node:http, one prepared SELECT', bare, 0, ''],
      [
        'introspection, unknown token',
        await middleOfThree(() => post(introspect, form, () => `token=${randomUUID()}`)),
        0,
        '≥ 0.40',
      ],
      ['introspection, spent token', await middleOfThree(() => post(introspect, form, 'token=spent')), 0, '≥ 0.40'],
      ['one report', await middleOfThree(() => post(usage, json, () => body(ofNext(1)))), 1, '≥ 0.15'],
      ['one report, a repeat', await middleOfThree(() => post(usage, json, known)), 1, ''],
      [
        `${batch} reports of one session`,
        await middleOfThree(() => post(usage, json, () => body(ofNext(batch)))),
        batch,
        '≥ 30,000 events/s',
      ],
      [
        `${batch} reports of as many sessions`,
        await middleOfThree(() => post(usage, json, () => body(Array.from({ length: batch }, () => ofNext(1)).flat()))),
        batch,
        '≥ 30,000 events/s',
      ],
    ];
    const lines = [
      ...heading('call', 'requests/s', 'events/s', 'p50 ms', 'p99 ms', 'of the limit', 'target', 'errors'),
      ...results.map(([name, one, size, target]) =>
        row([
          name,
          round(one.perSecond),
          size ? round(one.perSecond * size) : '',
          one.p50,
          one.p99,
          round(one.perSecond / bare.perSecond, 2),
          target,
          one.errors,
        ]),
      ),
    ];
    console.log(`\n${lines.join('\n')}\n\nLoad of the machine at the end: ${machineLoad()}\n`);
    await limit.stop();
  });
