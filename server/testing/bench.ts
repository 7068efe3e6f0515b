import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ensurePostgres } from '#server/platform/embedded-postgres.ts';
import { adminBench } from './bench/admin.ts';
import { load, type Load, median, round, row } from './bench/load.ts';
import { javascriptPerPage } from './bench/pages.ts';
import { residentMb, startChild, stopChild } from './bench/server.ts';

/**
 * `npm run bench`: the production server beside the baselines, in one run, on one database. Absolute figures move by a
 * third from run to run; only the ratios count. Nothing here is asserted. `npm run bench -- admin`: the admin calls alone.
 */
if (process.argv[2] === 'admin') {
  await adminBench();
  process.exit(0);
}
const port = 47480;
const base = `http://localhost:${port}`;
const account = { email: 'bench@practice.example', password: 'Correct-Horse-7', firstName: 'Bench', lastName: 'Mark' };
const profile = {
  mobile: '0412345678',
  businessName: 'Bench',
  businessAddress: '1 Pitt Street',
  businessCity: 'Sydney',
  businessState: 'NSW',
  businessPostcode: '2000',
  dealerGroup: 'Independent',
  specializationAreas: ['Tax Planning'],
};

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-bench-'));
fs.chmodSync(home, 0o755);
const postgres = await ensurePostgres({ home, database: 'adviserly', preferredPort: 0 });
// Stripe keys that are never used keep the sandbox out of the measured process, as in production.
const env = {
  NODE_ENV: 'production',
  PORT: String(port),
  APP_URL: base,
  DATABASE_URL: postgres.url,
  SESSION_SECRET: 'bench-0123456789-abcdefghij-klmnopqrstuv',
  STRIPE_SECRET_KEY: 'sk_test_bench',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: 'loopback',
};
const post = async (call: string, body: unknown, cookie = '') => {
  const answer = await fetch(base + call, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie,
      'x-forwarded-for': `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
  return answer;
};

try {
  await stopChild(await startChild(['dist/index.js'], env, port)); // migrates and seeds
  const server = await startChild(['dist/index.js'], env, port);
  const idleMb = residentMb(server.pid!);

  const registered = await post('/api/register', account);
  const cookie = registered.headers
    .getSetCookie()
    .map((c) => c.split(';')[0]!)
    .find((c) => c.startsWith('sid='))!;
  const { id } = (await registered.json()) as { id: string };
  await post('/api/user/complete-profile', profile, cookie);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const tool of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai']) {
    await client.query(`insert into tool_subscriptions (user_id, tool_id, status) values ($1, $2, 'active')`, [
      id,
      tool,
    ]);
  }
  await client.query(
    `insert into tool_usage (user_id, tool_id, session_id, last_accessed) select $1, 'risk-profile-ai', gen_random_uuid()::text, now() - n * interval '10 minutes' from generate_series(1, 10000) n`,
    [id],
  );
  await client.query(
    `insert into users (email, password, first_name, last_name) select 'flood' || n || '@practice.example', password, 'Flood', 'Bench' from users, generate_series(1, 50) n where id = $1`,
    [id],
  );
  await client.query('analyze');

  const limit = await startChild(
    ['--import', 'tsx', 'server/testing/bench/baselines.ts', 'limit', postgres.url, id],
    {},
  );
  const naive = await startChild(
    ['--import', 'tsx', 'server/testing/bench/baselines.ts', 'naive', postgres.url, id],
    {},
  );
  const naiveLogin = await fetch(`http://127.0.0.1:${naive.port}/login`, { method: 'POST' });
  const naiveCookie = naiveLogin.headers.getSetCookie()[0]!.split(';')[0]!;

  const results: [string, Load][] = [
    ['limit: bare node:http, one prepared SELECT', await median(() => load(`http://127.0.0.1:${limit.port}/`))],
    [
      'naive: Express as everyone writes it',
      await median(() => load(`http://127.0.0.1:${naive.port}/api/user`, { cookie: naiveCookie })),
    ],
    ['GET /api/user', await median(() => load(`${base}/api/user`, { cookie }))],
    ['GET /api/user/subscriptions (3 rows)', await median(() => load(`${base}/api/user/subscriptions`, { cookie }))],
    [
      'GET /api/user/usage (500 of 10,000 rows), 1 connection',
      await median(() => load(`${base}/api/user/usage`, { cookie, connections: 1 })),
    ],
  ];
  const loadedMb = residentMb(server.pid!);

  const flood = Array.from({ length: 50 }, (_, n) =>
    post('/api/login', { email: `flood${n + 1}@practice.example`, password: account.password }),
  );
  const during = await load(`${base}/api/user`, { cookie, seconds: 4, connections: 10 });
  await Promise.all(flood);

  const javascript = await javascriptPerPage(base, {
    'landing (signed out)': { path: '/' },
    '/auth': { path: '/auth' },
    'dashboard, first load': { path: '/', cookie },
    'subscribe, first load': { path: '/subscribe/pre-fill-ai', cookie },
  });
  for (const child of [limit, naive, server]) await stopChild(child);
  await client.end();

  const [reference, usual] = results.map(([, result]) => result) as [Load, Load];
  const lines = [
    row(['call', 'requests/s', 'p50 ms', 'p99 ms', 'of the limit', 'times naive', 'errors']),
    row(['---', '---', '---', '---', '---', '---', '---']),
    ...results.map(([name, r]) =>
      row([
        name,
        round(r.perSecond),
        r.p50,
        r.p99,
        round(r.perSecond / reference.perSecond, 2),
        round(r.perSecond / usual.perSecond, 1),
        r.errors,
      ]),
    ),
    '',
    row(['what', 'measured', 'target']),
    row(['---', '---', '---']),
    row(['p99 of GET /api/user during 50 sign-ins', `${during.p99} ms (${during.errors} errors)`, '≤ 250 ms']),
    row(['start to ready, warm database', `${round(server.startMs)} ms`, '≤ 1,000 ms']),
    row(['memory idle / after the load', `${round(idleMb)} / ${round(loadedMb)} MB`, '≤ 130 / ≤ 250 MB']),
    ...Object.entries(javascript).map(([name, kb]) =>
      row([
        `JavaScript, ${name}`,
        `${round(kb)} kB`,
        name.startsWith('landing')
          ? '≤ 90 kB'
          : name.startsWith('/auth')
            ? '≤ 120 kB'
            : name.startsWith('dash')
              ? '≤ 160 kB'
              : '',
      ]),
    ),
  ];
  console.log(`\n${lines.join('\n')}\n`);
} finally {
  await postgres.stop();
  fs.rmSync(home, { recursive: true, force: true });
}
