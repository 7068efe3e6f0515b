import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../faults/postgres.ts';
import { buyAndPay } from '../faults/purchases.ts';
import { buildOlder } from '../faults/rollback.ts';
import { commandOf, dumpCommand, stepNamed, variablesOf } from './first-start.ts';
import { layOut, readDockerfile } from '../house/dockerfile.ts';
import { password, profile, registration } from '../newcomer.ts';
import { freePort } from '../ports.ts';
import { killServers, ready, startProgram, stopServers } from '../production-server.ts';
import { startSmtpServer } from '../smtp-server.ts';
import { project } from '../source-files.ts';
import { expect, until } from '../until.ts';
import {
  folder,
  found,
  host,
  mailCertificate,
  releases,
  scrape,
  startBalancer,
  startPostgres,
  startRelay,
} from './programs.ts';

/**
 * `npm run walk`, after `npm run build`: walks "First start" of server/DEPLOYMENT.md by its own commands and configurations, with this
 * machine's PostgreSQL, HAProxy, Exim and Prometheus, a rehearsal with the payments sandbox. What the machine lacks is named and left out.
 */

/** Says what a step of the guide came to. */
const step = (name: string, what: string) => console.log(`  ${stepNamed(name)}: ${what}`);

/** The guide's variables, led to this machine; without Stripe, as the guide says of a rehearsal. */
function configure(ports: { postgres: number; server: number }, smtpUrl: string): Record<string, string> {
  const variables = variablesOf(() => randomBytes(32).toString('hex'));
  const kept = Object.entries(variables).filter(([name]) => !name.startsWith('STRIPE_'));
  const led = kept.map(([name, value]) => [name, value.replace(':5432/', `:${ports.postgres}/`)]);
  return { ...Object.fromEntries(led), SMTP_URL: smtpUrl, PAYMENTS: 'sandbox', PORT: String(ports.server) };
}

/** A browser: each has a jar of cookies, and sends them as one does. */
function browser(name: string, port: number) {
  const jar = path.join(folder, `${name}.jar`);
  return (address: string, body?: object): string => {
    const sent = body ? ['-H', 'content-type: application/json', '-d', JSON.stringify(body)] : [];
    const flags = ['-sk', '--fail-with-body', '-b', jar, '-c', jar, '--resolve', `${host}:${port}:127.0.0.1`, ...sent];
    return execFileSync('curl', [...flags, `https://${host}:${port}${address}`], { encoding: 'utf8' });
  };
}

type Walk = { variables: Record<string, string>; port: number; base: string; mails: { to: string[]; data: string }[] };

function administer({ variables, port }: Walk): void {
  const admin = browser('administrator', port);
  admin('/api/setup-admin', { ...registration('boss@firm.com.au'), setupToken: variables['SETUP_TOKEN'] });
  admin('/api/login', { email: 'boss@firm.com.au', password });
  expect(admin('/api/user').includes('boss@firm.com.au'), 'the administrator is not signed in');
  step('Administrators', 'the first one is signed in, through the balancer');
  const [, , , , ...tool] = commandOf('npm run tools:domain');
  execFileSync(process.execPath, [path.join(folder, 'dist/commands/set-domain.cli.js'), ...tool], { cwd: folder });
  step('Tools', tool.join(' has the address '));
}

async function sell({ variables, port, base, mails }: Walk): Promise<void> {
  const adviser = browser('adviser', port);
  const email = 'mia@practice.com.au';
  const { id } = JSON.parse(adviser('/api/register', registration(email))) as { id: string };
  const mail = await until('the mail arrives', 30_000, () =>
    mails.find(({ to, data }) => to.includes(email) && data.includes('verify-email')),
  );
  const text = mail.value.data.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  adviser('/api/verify-email', { token: /verify-email\?token=([\w-]+)/.exec(text)![1] });
  adviser('/api/user/complete-profile', profile);
  const cookie = fs
    .readFileSync(path.join(folder, 'adviser.jar'), 'utf8')
    .split('\n')
    .flatMap((line) => /__Host-sid\t(\S+)/.exec(line)?.[1] ?? []);
  const database = openDatabase(variables['MIGRATION_DATABASE_URL']!);
  await buyAndPay(
    { base } as Parameters<typeof buyAndPay>[0],
    database,
    { id, email, cookie: `__Host-sid=${cookie[0]}` },
    'risk-profile-ai',
  );
  await database.close();
  const { url } = JSON.parse(adviser('/api/auth/token', { toolId: 'risk-profile-ai' })) as { url: string };
  expect(url.startsWith('https://risk.firm.com.au/?'), `the tool opens at ${url.split('?')[0]}`);
  step('The first adviser', 'verified, bought a tool and opened it at its address');
}

async function watch({ variables, base }: Walk): Promise<void> {
  const headers = { authorization: `Bearer ${variables['METRICS_TOKEN']}` };
  const text = await (await fetch(`${base}/metrics`, { headers })).text();
  expect(text.includes('adviserly_build_info'), 'the metrics do not answer');
  const prometheus = found('prometheus');
  step(
    'Monitoring',
    `metrics answer to the token; ${prometheus ? await scrape(prometheus, variables) : 'NOT RUN: this machine lacks prometheus'}`,
  );
}

/** By the guide's own commands: the dump of each night, the drill, and the restore for real into another database of the owner's. */
function backUp(variables: Record<string, string>): void {
  execFileSync('sh', ['-c', dumpCommand()], { cwd: folder, env: { ...process.env, ...variables } });
  const env = { ...process.env, NODE_ENV: 'production', ...variables };
  const [npm, ...drill] = commandOf('npm run restore:check').map((word) =>
    word.replace('adviserly.dump', `${folder}/adviserly.dump`),
  );
  const said = execFileSync(npm!, drill, { cwd: project, env, encoding: 'utf8' });
  const owner = new URL(variables['MIGRATION_DATABASE_URL']!);
  const admin = ['-h', owner.hostname, '-p', owner.port, '-U', 'postgres', '-q'];
  execFileSync('psql', [...admin, '-c', `create database restored owner ${owner.username}`]);
  owner.pathname = '/restored';
  const [pgRestore, ...flags] = commandOf('pg_restore').map((word) => word.replace('OWNER_URL', owner.href));
  execFileSync(pgRestore!, flags, { cwd: folder });
  step('Backup', said.trim().split('\n').at(-1)!);
}

/** Configures the built server in its folder and starts it; answers its address and what it logged. */
async function start(
  variables: Record<string, string>,
  command = [process.execPath, '--enable-source-maps', path.join(folder, 'dist/index.js')],
): Promise<{ base: string; lines: string[] }> {
  const text = Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`);
  fs.writeFileSync(path.join(folder, '.env'), text.join(''));
  const lines: string[] = [];
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: mailCertificate };
  const port = Number(variables['PORT']);
  const program = startProgram({ command, cwd: folder, env, port, onLine: (line) => void lines.push(line) });
  await ready(program).catch((error: Error) => {
    throw new Error(`${error.message}; it logged last: ${lines.slice(-2).join(' ')}`);
  });
  await until('it says that it listens', 30_000, () => lines.find((line) => line.includes('"listening"')));
  return { base: program.base, lines };
}

/**
 * Starts the server on the restored database, then an earlier release, then this one again: whoever was signed in still is, through the
 * balancer, signs in anew, and opens their tool.
 */
async function startRestored({ variables, port }: Walk): Promise<void> {
  const led = Object.entries(variables).map(([name, value]) => [
    name,
    name.endsWith('DATABASE_URL') ? value.replace(/\/adviserly$/, '/restored') : value,
  ]);
  const older = buildOlder();
  try {
    for (const [what, command] of [['Restored for real'], ['Rollback', older.command], ['Upgrade']] as const) {
      await stopServers();
      await start(Object.fromEntries(led) as Record<string, string>, command);
      await answers(port);
      const [before, anew] = [browser('adviser', port), browser(what, port)];
      expect(before('/api/user').includes('mia@'), `${what}: whoever was signed in is not`);
      anew('/api/login', { email: 'mia@practice.com.au', password });
      expect(
        anew('/api/auth/token', { toolId: 'risk-profile-ai' }).includes('risk.firm.com.au'),
        `${what}: nothing opens`,
      );
      console.log(`  ${what}: whoever was signed in still is, signs in anew, and opens the tool`);
    }
  } finally {
    older.remove();
  }
}

/** Waits until the balancer sends requests on. */
async function answers(port: number): Promise<void> {
  const through = browser('visitor', port);
  const isReady = () => {
    try {
      return through('/readyz').includes('ready');
    } catch {
      return false;
    }
  };
  await until('the balancer sends requests on', 20_000, isReady, 500);
}

async function walk(haproxy: string): Promise<void> {
  const smtp = await startSmtpServer();
  const exim = found('exim4');
  const relay = exim ? await startRelay(exim, Number(new URL(smtp.url).port)) : smtp;
  const postgres = await startPostgres();
  step('Database', 'made, with its two roles');
  layOut(readDockerfile().at(-1)!, folder);
  const server = await freePort();
  const variables = configure({ postgres: postgres.port, server }, relay.url);
  const balancer = await startBalancer(haproxy, server);
  try {
    const { base, lines } = await start(variables);
    step('Configure', `${Object.keys(variables).length} variables`);
    step('Start', `it listens, after ${lines.filter((line) => line.includes('"migrated"')).length} migrations`);
    await answers(balancer.port);
    const walked: Walk = { variables, port: balancer.port, base, mails: smtp.received };
    administer(walked);
    await watch(walked);
    await sell(walked);
    console.log(`  Mail: ${exim ? 'passed on by Exim' : 'NOT RUN by a relay: this machine lacks exim4'}`);
    backUp(variables);
    await startRestored(walked);
    await stopServers();
  } finally {
    await killServers();
    if ('stop' in relay) relay.stop();
    balancer.stop();
    postgres.stop();
    await smtp.close();
  }
}

const haproxy = found('haproxy');
const lacking = [
  ...(haproxy ? [] : ['haproxy']),
  ...['psql', 'pg_dump', 'pg_restore', 'openssl', 'curl'].filter((name) => !found(name)),
  ...(releases.length > 0 ? [] : ['postgresql']),
];
try {
  if (lacking.length > 0) console.log(`NOT RUN: this machine lacks ${lacking.join(', ')}`);
  else await walk(haproxy!);
  if (lacking.length === 0)
    console.log(`walked: 0 steps outside the document; not ${stepNamed('Stripe')}, which needs an account there`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit();
