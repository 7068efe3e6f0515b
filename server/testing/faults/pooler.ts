import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { countOf, expectNothingWrong, statusLine, steadyLoad } from './load.ts';
import { call, newReports, sendReports, startReporting } from './people.ts';
import type { Database } from './postgres.ts';
import { buyAndPay } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { withStandby } from './standby.ts';
import { launch } from '../production-server.ts';
import { scratchFolder } from '../outside.ts';
import { freePort } from '../ports.ts';
import { expect, seconds, until } from '../until.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((file) =>
  fs.existsSync(file),
);

/** The settings of compose.yaml's pooler, but for where it listens and how it authenticates. */
function composeSettings(): string {
  const { configs } = parse(fs.readFileSync('compose.yaml', 'utf8')) as {
    configs: { pooler: { content: string } };
  };
  const own = /^\s*(#|listen_|unix_socket_dir|auth_)/;
  const lines = configs.pooler.content.split('[pgbouncer]')[1]!.split('\n');
  return lines.filter((line) => line.includes('=') && !own.test(line)).join('\n');
}

/** PgBouncer as compose.yaml has it, or in another mode; returns the database's address through it. */
async function startPooler(database: Pick<Database, 'url'>, mode: 'session' | 'transaction') {
  const folder = scratchFolder('adviserly-pooler-');
  const port = await freePort();
  const { username, password, hostname, port: target, pathname } = new URL(database.url);
  const settings = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  fs.writeFileSync(users, `"${username}" "${password}"\n`);
  fs.writeFileSync(
    settings,
    `[databases]\n${pathname.slice(1)} = host=${hostname} port=${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\n${composeSettings().replace(/pool_mode = \w+/, `pool_mode = ${mode}`)}\n`,
  );
  const account = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: 0 } : {};
  const child = spawn(program!, ['-q', settings], { ...account, stdio: 'ignore' });
  const url = database.url.replace(`:${target}/`, `:${port}/`);
  return {
    url,
    stop: () => {
      child.kill('SIGKILL');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const pooler: Scenario = {
  name: 'pooler',
  expected:
    'PgBouncer in session mode: everything works; in transaction mode: refused at start, with the address to give',
  logs: /^Adviserly cannot start:$|pool_mode=session/,
  run: async ({ database, say }) => {
    if (!program) return 'NOT RUN: this machine has no pgbouncer';
    const sessions = await startPooler(database, 'session');
    const shared = await startPooler(database, 'transaction');
    try {
      const { server, adviser, tool, session } = await startReporting({ ...database, url: sessions.url });
      const load = steadyLoad([
        ...Array.from({ length: 4 }, () => () => call(server, '/api/user', { cookie: adviser.cookie })),
        () => sendReports(server, tool, newReports(session, 3)),
      ]);
      await until('the load is served', 20_000, () => countOf(load.tally, 200) > 200);
      await buyAndPay(server, database, adviser, 'fact-find-ai');
      const tally = await load.stop();
      expectNothingWrong(tally);
      say(`session mode: ${statusLine(tally)}, a purchase paid`);
      await server.stop();

      const refused = await launch({ url: shared.url });
      await until('it has given up', 30_000, () => refused.ended() !== null);
      const said = refused.faults().join(' ');
      expect(refused.ended() === 1 && said.includes('pool_mode=session'), `it said: ${said}`);
      return `session mode: ${statusLine(tally)}, a purchase paid; transaction mode: exit 1, "${said.slice(0, 120)}…"`;
    } finally {
      sessions.stop();
      shared.stop();
    }
  },
};

/** How long the pooler may take to find the promoted standby, and the server with it. */
const foundWithinMs = 2000;

export const poolerFailover: Scenario = {
  name: 'pooler-failover',
  expected: `behind compose.yaml's pooler, the primary is killed and a standby promoted: ready within ${seconds(foundWithinMs)}, nobody signed out`,
  run: ({ say }) => {
    if (!program) return Promise.resolve('NOT RUN: this machine has no pgbouncer');
    return withStandby(async ({ cluster, standby, address, led }) => {
      const pooler = await startPooler(led, 'session');
      try {
        const { server, adviser } = await startReporting({ ...led, url: pooler.url });
        const load = steadyLoad([() => call(server, '/api/user', { cookie: adviser.cookie })]);
        await until('the load is served', 20_000, () => countOf(load.tally, 200) > 200);
        cluster.kill();
        const readyz = async () => (await call(server, '/readyz')).ok;
        await until('it is not ready', 10_000, async () => !(await readyz()));
        // By now the pooler has been refused, and waits before it asks again.
        await until('calls are refused', 20_000, () => countOf(load.tally, 503) > 20);
        address.leadTo(standby.port);
        await standby.promote();
        const { ms } = await until('ready after the promotion', 30_000, readyz, 10);
        const tally = await load.stop();
        expectNothingWrong(tally);
        say(`ready ${seconds(ms)} after the promotion: ${statusLine(tally)}`);
        expect(ms <= foundWithinMs, `ready only ${seconds(ms)} after the promotion`);
        expect((await call(server, '/api/user', { cookie: adviser.cookie })).ok, 'the adviser was signed out');
        await server.stop();
        return `ready ${seconds(ms)} after the promotion: ${statusLine(tally)}`;
      } finally {
        pooler.stop();
      }
    });
  },
};
