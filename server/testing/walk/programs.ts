import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { blockOf } from './first-start.ts';
import { scratchFolder } from '../outside.ts';
import { freePort } from '../ports.ts';
import { project } from '../source-files.ts';
import { until } from '../until.ts';

/** This machine's own programs, which `npm run walk` configures as the guide says. */

export const folder = scratchFolder('adviserly-walk-');
export const found = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((at) => path.join(at, name)).find((file) => fs.existsSync(file));
export const releases = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql').toSorted() : [];
const bin = path.join('/usr/lib/postgresql', releases.at(-1) ?? 'none', 'bin');
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** What the guide gives to `NODE_EXTRA_CA_CERTS`. */
export const mailCertificate = path.join(folder, 'mail.pem');
export const host = 'tools.firm.com.au';

export async function startPostgres(): Promise<{ port: number; stop(): void }> {
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

/** A certificate, signed by itself, with its key beside it. */
function makeCertificate(pem: string, name: string, more: string[] = []): void {
  const flags = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, ...more];
  execFileSync('openssl', ['req', ...flags, '-keyout', `${pem}.key`, '-out', pem], { stdio: 'ignore' });
}

/** HAProxy as the guide configures it, with a certificate of its own. */
export async function startBalancer(program: string, server: number) {
  const [http, https] = [await freePort(), await freePort()];
  const pem = path.join(folder, 'firm.pem');
  makeCertificate(pem, host);
  const file = path.join(folder, 'haproxy.cfg');
  const led = blockOf('haproxy').replace(':80\n', `127.0.0.1:${http}\n`).replace(':443 ', `127.0.0.1:${https} `);
  fs.writeFileSync(file, led.replace('/etc/haproxy/firm.pem', pem).replace('127.0.0.1:3000', `127.0.0.1:${server}`));
  const child = spawn(program, ['-f', file], { stdio: 'ignore' });
  return { port: https, stop: () => void child.kill() };
}

/** Exim, which takes our mail over TLS with a private certificate, and passes it on to a server on this port. */
export async function startRelay(program: string, to: number) {
  const port = await freePort();
  const spool = path.join(folder, 'exim');
  fs.mkdirSync(spool);
  if (nobody.uid) fs.chownSync(spool, nobody.uid, nobody.gid);
  makeCertificate(mailCertificate, 'mail', ['-addext', 'subjectAltName=IP:127.0.0.1']);
  if (nobody.uid) fs.chownSync(`${mailCertificate}.key`, nobody.uid, nobody.gid);
  const file = path.join(folder, 'exim.conf');
  const lines = [
    ...(nobody.uid ? ['exim_user = nobody', 'exim_group = nogroup'] : []),
    `primary_hostname = ${host}`,
    `local_interfaces = <; 127.0.0.1.${port}`,
    `spool_directory = ${spool}`,
    `log_file_path = ${spool}/%slog`,
    `pid_file_path = ${spool}/pid`,
    'keep_environment =',
    `tls_certificate = ${mailCertificate}`,
    `tls_privatekey = ${mailCertificate}.key`,
    'acl_smtp_rcpt = accept',
    'acl_smtp_data = accept',
    'begin routers\non:\n  driver = manualroute\n  route_list = * 127.0.0.1\n  self = send\n  transport = on',
    `begin transports\non:\n  driver = smtp\n  port = ${to}\n  allow_localhost`,
    'begin retry\n* * F,10m,1s',
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-bdf', '-q5s', '-C', file], { stdio: 'ignore' });
  return { url: `smtp://127.0.0.1:${port}`, stop: () => void child.kill() };
}

/** Prometheus with the guide's configuration and our rules. */
export async function scrape(program: string, variables: Record<string, string>): Promise<string> {
  const port = await freePort();
  const rules = path.join(project, 'server/platform/monitoring/alerts.yaml');
  const led = blockOf('yaml')
    .replace('A_FOURTH_SECRET', variables['METRICS_TOKEN']!)
    .replace(':3000', `:${variables['PORT']}`);
  const config = path.join(folder, 'prometheus.yml');
  fs.writeFileSync(config, `global: { scrape_interval: 1s }\nrule_files: [${rules}]\n${led}`);
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${folder}/prometheus`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(program, flags, { stdio: 'ignore' });
  const ask = async (what: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/${what}`).then(
      (answer) => answer.json(),
      () => null,
    ) as Promise<{
      data: { result: { value: [number, string] }[]; groups: { rules: unknown[] }[] };
    } | null>;
  try {
    await until(
      'Prometheus scrapes',
      60_000,
      async () => (await ask('query?query=up'))?.data.result[0]?.value[1] === '1',
      500,
    );
    const { groups } = (await ask('rules'))!.data;
    return `Prometheus scrapes them and took ${groups.flatMap((group) => group.rules).length} rules`;
  } finally {
    child.kill();
  }
}
