import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from './faults/postgres.ts';
import { buyAndPay } from './faults/purchases.ts';
import { blockOf, dumpCommand, variablesOf } from './first-start.ts';
import { layOut, readDockerfile } from './house/dockerfile.ts';
import { password, profile, registration } from './newcomer.ts';
import { scratchFolder } from './outside.ts';
import { freePort } from './ports.ts';
import { killServers, ready, startProgram, stopServers } from './production-server.ts';
import { startSmtpServer } from './smtp-server.ts';
import { project } from './source-files.ts';
import { expect, until } from './until.ts';

/**
 * `npm run walk`, after `npm run build`: walks "First start" of server/DEPLOYMENT.md by its own commands and configurations, with this
 * machine's PostgreSQL, HAProxy and Prometheus, a rehearsal with the payments sandbox. What the machine lacks is named and left out.
 */
const folder = scratchFolder('adviserly-walk-');
const found = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((at) => path.join(at, name)).find((file) => fs.existsSync(file));
const releases = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql').toSorted() : [];
const bin = path.join('/usr/lib/postgresql', releases.at(-1) ?? 'none', 'bin');
const step = (what: string) => console.log(`  ${what}`);
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const host = 'tools.firm.com.au';

async function startPostgres(): Promise<{ port: number; stop(): void }> {
  const port = await freePort();
  const data = path.join(folder, 'postgres');
  fs.mkdirSync(data);
  if (nobody.uid) fs.chownSync(data, nobody.uid, nobody.gid);
  execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], { stdio: 'ignore', ...nobody });
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', data], {
    stdio: 'ignore',
    ...nobody,
  });
  const psql = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1'];
  const isUp = () => {
    try {
      execFileSync(path.join(bin, 'pg_isready'), psql.slice(0, 4), { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  await until('PostgreSQL is up', 20_000, isUp, 100);
  execFileSync('psql', psql, { input: blockOf('sql') });
  return { port, stop: () => void child.kill('SIGINT') };
}

/** The guide's variables, led to this machine; without Stripe, as the guide says of a rehearsal. */
function configure(ports: { postgres: number; server: number }, smtpUrl: string): Record<string, string> {
  const variables = variablesOf(() => randomBytes(32).toString('hex'));
  const kept = Object.entries(variables).filter(([name]) => !name.startsWith('STRIPE_'));
  const led = kept.map(([name, value]) => [name, value.replace(':5432/', `:${ports.postgres}/`)]);
  return { ...Object.fromEntries(led), SMTP_URL: smtpUrl, PAYMENTS: 'sandbox', PORT: String(ports.server) };
}

/** HAProxy as the guide configures it, with a certificate of its own. */
async function startBalancer(program: string, server: number) {
  const [http, https] = [await freePort(), await freePort()];
  const pem = path.join(folder, 'firm.pem');
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${host}`, '-keyout', `${pem}.key`, '-out', pem],
    { stdio: 'ignore' },
  );
  const file = path.join(folder, 'haproxy.cfg');
  const led = blockOf('haproxy').replace(':80\n', `127.0.0.1:${http}\n`).replace(':443 ', `127.0.0.1:${https} `);
  fs.writeFileSync(file, led.replace('/etc/haproxy/firm.pem', pem).replace('127.0.0.1:3000', `127.0.0.1:${server}`));
  const child = spawn(program, ['-f', file], { stdio: 'ignore' });
  return { port: https, stop: () => void child.kill() };
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
  step('6. the first administrator is signed in, through the balancer');
  const command = [path.join(folder, 'dist/commands/set-domain.cli.js'), 'risk-profile-ai', 'https://risk.firm.com.au'];
  execFileSync(process.execPath, command, { cwd: folder });
  step('7. a tool has its address');
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
  step('10. an adviser verified, bought a tool and opened it at its address');
}

async function watch({ variables, base }: Walk): Promise<void> {
  const headers = { authorization: `Bearer ${variables['METRICS_TOKEN']}` };
  const text = await (await fetch(`${base}/metrics`, { headers })).text();
  expect(text.includes('adviserly_build_info'), 'the metrics do not answer');
  const promtool = found('promtool');
  if (promtool)
    execFileSync(promtool, ['check', 'rules', 'server/platform/monitoring/alerts.yaml'], { stdio: 'ignore' });
  step(
    `8. metrics answer to the token; ${promtool ? 'Prometheus takes the rules' : 'NOT RUN: no promtool to check the rules'}`,
  );
}

function backUp(variables: Record<string, string>): void {
  execFileSync('sh', ['-c', dumpCommand()], { cwd: folder, env: { ...process.env, ...variables } });
  const env = { ...process.env, NODE_ENV: 'production', ...variables };
  const drill = ['run', '-s', 'restore:check', '--', path.join(folder, 'adviserly.dump')];
  const said = execFileSync('npm', drill, { cwd: project, env, encoding: 'utf8' });
  step(`9. ${said.trim().split('\n').at(-1)}`);
}

async function walk(haproxy: string): Promise<void> {
  const smtp = await startSmtpServer();
  const postgres = await startPostgres();
  step('1. the database and its two roles are made');
  layOut(readDockerfile().at(-1)!, folder);
  const server = await freePort();
  const variables = configure({ postgres: postgres.port, server }, smtp.url);
  fs.writeFileSync(
    path.join(folder, '.env'),
    Object.entries(variables)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  );
  step(`2., 3. built and configured with ${Object.keys(variables).length} variables`);
  const lines: string[] = [];
  const command = [process.execPath, '--enable-source-maps', path.join(folder, 'dist/index.js')];
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' };
  const program = startProgram({ command, cwd: folder, env, port: server, onLine: (line) => void lines.push(line) });
  const balancer = await startBalancer(haproxy, server);
  try {
    await ready(program);
    await until('it says that it listens', 30_000, () => lines.find((line) => line.includes('"listening"')));
    step(`4. it listens, after ${lines.filter((line) => line.includes('"migrated"')).length} migrations`);
    const through = browser('visitor', balancer.port);
    await until(
      'the balancer sends requests on',
      20_000,
      () => {
        try {
          return through('/readyz').includes('ready');
        } catch {
          return false;
        }
      },
      500,
    );
    const walked: Walk = { variables, port: balancer.port, base: program.base, mails: smtp.received };
    administer(walked);
    await watch(walked);
    await sell(walked);
    backUp(variables);
    await stopServers();
  } finally {
    await killServers();
    balancer.stop();
    postgres.stop();
    await smtp.close();
  }
}

const haproxy = found('haproxy');
const lacking = [
  ...(haproxy ? [] : ['haproxy']),
  ...['psql', 'pg_dump', 'openssl', 'curl'].filter((name) => !found(name)),
  ...(releases.length > 0 ? [] : ['postgresql']),
];
try {
  if (lacking.length > 0) console.log(`NOT RUN: this machine lacks ${lacking.join(', ')}`);
  else await walk(haproxy!);
  if (lacking.length === 0) console.log('walked: 0 steps outside the document; step 5 needs Stripe');
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit();
