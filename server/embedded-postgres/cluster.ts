import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Installation } from './files.ts';
import { childEnvironment } from '#server/platform/env.ts';

/** The database account that owns everything. */
export const USER = 'app';
const isWindows = process.platform === 'win32';

export function binary(installation: Installation, name: string): string {
  return path.join(installation.native, 'bin', isWindows ? `${name}.exe` : name);
}

export function run(installation: Installation, command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary(installation, command), args, {
      ...installation.account,
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: installation.home,
      windowsHide: true,
      env: childEnvironment({ LC_ALL: 'C' }),
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    // Not `close`: the server that pg_ctl leaves behind keeps the pipe open.
    child.on('exit', (code) => {
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${command} exited with ${code}: ${output.trim()}`));
    });
  });
}

export function clusterName(home: string): string | undefined {
  return fs
    .readdirSync(home)
    .find((name) => !name.startsWith('init-') && fs.existsSync(path.join(home, name, 'PG_VERSION')));
}

/** Each cluster gets its own name: an orphaned server whose data was deleted would write its control file into a new cluster at that path. */
export async function initCluster(installation: Installation, fast: boolean): Promise<void> {
  const { home, account } = installation;
  for (const name of fs.readdirSync(home)) {
    if (name.startsWith('init-')) fs.rmSync(path.join(home, name), { recursive: true, force: true });
  }
  const name = `pg-${randomBytes(4).toString('hex')}`;
  const draft = path.join(home, `init-${name}`);
  const passwordFile = `${draft}.password`;
  fs.mkdirSync(draft, { mode: 0o700 });
  fs.writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  for (const file of [draft, passwordFile]) giveTo(account, file);
  const locale = ['-E', 'UTF8', '--locale-provider=icu', '--icu-locale=und', '--locale=C'];
  const access = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  await run(installation, 'initdb', [
    '-D',
    draft,
    ...access,
    ...locale,
    '--no-instructions',
    ...(fast ? ['--no-sync'] : []),
  ]);
  fs.renameSync(passwordFile, path.join(draft, 'app.password'));
  fs.renameSync(draft, path.join(home, name)); // in one step, so that a kill part-way leaves no half-made cluster
}

export function giveTo({ uid, gid }: Installation['account'], file: string): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(file, uid, gid);
}

export function assertSameVersion(installation: Installation, dir: string): void {
  const data = fs.readFileSync(path.join(dir, 'PG_VERSION'), 'utf8').trim();
  const output = spawnSync(binary(installation, 'postgres'), ['--version'], {
    encoding: 'utf8',
    ...installation.account,
  }).stdout;
  const binaries = /(\d+)/.exec(output)?.[1];
  if (data !== binaries) {
    throw new Error(`${dir} was made by PostgreSQL ${data}, but the installed binaries are ${binaries}`);
  }
}
