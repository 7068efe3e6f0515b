import { createHmac } from 'node:crypto';
import autocannon from 'autocannon';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { startChildServer } from '../child-server.ts';
import { signUp } from '../faults/people.ts';
import type { Database } from '../faults/postgres.ts';
import { type Server, sessionSecret, startServer } from '../production-server.ts';
import {
  heading,
  type Load,
  loadOf,
  machineLoad,
  middleOf,
  onCluster,
  quantileBy,
  residentMb,
  round,
  row,
  withoutSandbox,
} from './measure.ts';

const advisers = 50;

/** What an adviser's pages ask for, and what each must reach of the bare limit. */
const calls = [
  { name: 'current user', path: '/api/user', target: '≥ 1.0' },
  { name: 'subscriptions (3 rows)', path: '/api/user/subscriptions', target: '≥ 0.5' },
  { name: 'tools', path: '/api/tools', target: '≥ 0.6' },
  { name: 'analytics dashboard', path: '/api/analytics/dashboard', target: '≥ 0.4' },
  { name: 'quote', path: '/api/pricing/quote?toolId=pre-fill-ai', target: '≥ 0.25' },
  { name: 'unread notices', path: '/api/notifications/unread-count', target: '' },
  { name: 'notices', path: '/api/notifications?limit=20', target: '' },
  { name: 'teams', path: '/api/teams/my', target: '' },
  { name: 'own sessions', path: '/api/user/usage', target: '' },
  { name: 'forecast', path: '/api/billing/forecast', target: '' },
];

/** Fifty advisers' cookies, and the id of one: each has three tools, a month of use and some notices. */
export async function busyAdvisers(server: Server, database: Database): Promise<{ id: string; cookies: string[] }> {
  const { id } = await signUp(server, database);
  // Colleagues, and their sessions, are copies: signing up so many would take minutes.
  const ids = [
    ...(
      await database.query<{ id: string }>(
        `insert into users (email, password, first_name, last_name, mobile, business_name, business_state, profile_completed, email_verified)
           select 'bench' || n || '@practice.example', password, 'Bench', 'Adviser', mobile, business_name, business_state, true, true
           from users, generate_series(2, $2) n where id = $1 returning id`,
        [id, advisers],
      )
    ).map((one) => one.id),
    id,
  ];
  const cookies: string[] = [];
  for (const adviser of ids) {
    const sid = newToken();
    await database.query(
      `insert into sessions (sid, sess, expire, user_id, auth_epoch)
         select $1, jsonb_set(sess::jsonb, '{passport,user,id}', to_jsonb($2::text)), expire, $2::uuid, auth_epoch
         from sessions where user_id = $3 limit 1`,
      [hashToken(sid), adviser, id],
    );
    const signature = createHmac('sha256', sessionSecret).update(sid).digest('base64').replace(/=+$/, '');
    cookies.push(`sid=${encodeURIComponent(`s:${sid}.${signature}`)}`);
  }
  const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai'];
  await database.query(
    `insert into tool_subscriptions (user_id, tool_id, status, revision) select id, tool, 'active', 1 from unnest($1::uuid[]) id, unnest($2::text[]) tool`,
    [ids, tools],
  );
  await database.query(
    `insert into tool_usage (user_id, tool_id, session_id, last_accessed, created_at)
       select id, ($2::text[])[n % 3 + 1], gen_random_uuid()::text, at, at
       from unnest($1::uuid[]) id, generate_series(1, 40) n, lateral (select now() - n * interval '17 hours' as at) at`,
    [ids, tools],
  );
  await database.query(
    `insert into notifications (user_id, type, title, message, dedupe_key, created_at)
       select id, 'usage_milestone', '10 tool sessions', 'You have opened your tools 10 times.', 'bench:' || n, now() - n * interval '1 day'
       from unnest($1::uuid[]) id, generate_series(1, 8) n`,
    [ids],
  );
  await database.query('analyze');
  return { id, cookies };
}

/** Each connection is another adviser's. */
async function loadOfEach(url: string, cookies: string[], seconds = 2): Promise<Load> {
  let next = 0;
  return loadOf(
    await autocannon({
      url,
      connections: advisers,
      duration: seconds,
      setupClient: (client) => client.setHeaders({ cookie: cookies[(next += 1) % cookies.length]! }),
    }),
  );
}

/** `ofLimit` compares with the bare limit's turn just before. */
type Result = Load & { name: string; target: string; ofLimit: number };

/** Each call right after a turn of the bare limit, three times: on a machine with other work only such neighbours can be compared. */
export async function measureCalls(limit: string, base: string, cookies: string[], only = ''): Promise<Result[]> {
  const asked = calls.filter(({ name }) => name.includes(only));
  const bare: Load[] = [];
  const turns = asked.map((): (Load & { ofLimit: number })[] => []);
  // V8 compiles what is used often: a server that has just started is slower.
  for (const { path } of asked) await loadOfEach(base + path, cookies, 1);
  for (let count = 0; count < 3; count += 1) {
    for (const [index, { path }] of asked.entries()) {
      const before = await loadOfEach(limit, cookies);
      const turn = await loadOfEach(base + path, cookies);
      bare.push(before);
      turns[index]!.push({ ...turn, ofLimit: turn.perSecond / before.perSecond });
    }
  }
  return [
    { name: 'limit: bare node:http, one prepared SELECT', target: '', ofLimit: 1, ...middleOf(bare) },
    ...asked.map(({ name, target }, index) => ({
      name,
      target,
      ...quantileBy(turns[index]!, 0.5, ({ ofLimit }) => ofLimit),
    })),
  ];
}

export function tableOf(results: Result[]): string {
  return [
    ...heading('call', 'requests/s', 'p50 ms', 'p99 ms', 'of the limit', 'target', 'errors'),
    ...results.map(({ name, perSecond, p50, p99, ofLimit, target, errors }) =>
      row([name, round(perSecond), p50, p99, round(ofLimit, 2), target, errors]),
    ),
  ].join('\n');
}

/** `npm run bench -- calls`: what advisers' pages ask for, by 50 advisers at once. */
export const callsBench = (only?: string): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    const server = await startServer(database, withoutSandbox);
    const { id, cookies } = await busyAdvisers(server, database);
    const limit = await startChildServer('bench/baselines.ts', ['limit', database.url, id]);
    const before = machineLoad();
    const table = tableOf(await measureCalls(limit.url, server.base, cookies, only));
    const memory = `Memory after the load: ${round(residentMb(server.pid))} MB (≤ 250).`;
    console.log(`\n${table}\n\n${memory} Load of the machine before and at the end: ${before}; ${machineLoad()}\n`);
    await limit.stop();
  });
