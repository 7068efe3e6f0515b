import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { USER, assertSameVersion, binary, clusterName, giveTo, initCluster, run } from './cluster.ts';
import { findInstallation, type Installation } from './files.ts';
import { freePort, readPostmaster } from './process.ts';
import { withStartLock } from './start-lock.ts';

export type EmbeddedPostgres = {
  url: string;
  port: number;
  pid: number;
  /** The cluster's data directory. */
  dir: string;
  /** False when another process had already started it. */
  started: boolean;
  /** Stops the server if this process started it; returns whether it did. */
  stop(): Promise<boolean>;
};

type Options = {
  home: string;
  database: string;
  preferredPort?: number;
  /** For tests: no fsync, though a power cut may lose the data; and a socket in the data directory beside TCP. */
  fast?: boolean;
  log?: (line: string) => void;
};

const START_LIMIT_MS = 60_000;
const isWindows = process.platform === 'win32';

/** Starts the PostgreSQL that npm installed, or attaches to the one already running on this data, and creates the database if it is missing. */
export async function ensurePostgres(options: Options): Promise<EmbeddedPostgres> {
  const { database, preferredPort = 54329, fast = false, log = () => undefined } = options;
  const installation = findInstallation(options.home, log);
  return withStartLock(path.join(installation.home, 'lock'), async () => {
    if (!clusterName(installation.home)) await initCluster(installation, fast);
    const dir = path.join(installation.home, clusterName(installation.home) ?? '');
    assertSameVersion(installation, dir);
    const password = fs.readFileSync(path.join(dir, 'app.password'), 'utf8');
    const { server, started } = await startOrAttach(installation, dir, password, { preferredPort, fast, log });
    await createDatabase({ port: server.port, password }, database);
    if (started) stopWithThisProcess(installation, dir, server.pid);
    return {
      url: `postgresql://${USER}:${password}@127.0.0.1:${server.port}/${database}`,
      port: server.port,
      pid: server.pid,
      dir,
      started,
      stop: async () => {
        if (!started || readPostmaster(dir)?.pid !== server.pid) return false;
        await run(installation, 'pg_ctl', ['stop', '-w', '-s', '-m', 'fast', '-D', dir]);
        return true;
      },
    };
  });
}

type StartOptions = { preferredPort: number; fast: boolean; log: (line: string) => void };

async function startOrAttach(installation: Installation, dir: string, password: string, options: StartOptions) {
  const logFile = path.join(installation.home, 'server.log');
  const giveUpAt = performance.now() + START_LIMIT_MS;
  let started = false;
  let fault: unknown;
  while (performance.now() < giveUpAt) {
    const server = readPostmaster(dir);
    if (server?.alive) {
      try {
        await withClient({ port: server.port, password }, async () => undefined);
        return { server, started };
      } catch (error) {
        fault = error; // still starting, recovering or stopping
        await sleep(100);
        continue;
      }
    }
    if (server) {
      options.log(`Removed a stale postmaster.pid (process ${server.pid} is not a running PostgreSQL)`);
      fs.rmSync(path.join(dir, 'postmaster.pid'), { force: true });
    }
    fs.appendFileSync(logFile, '');
    giveTo(installation.account, logFile);
    try {
      const settings = await serverSettings(dir, options);
      await run(installation, 'pg_ctl', ['start', '-w', '-t', '60', '-s', '-D', dir, '-l', logFile, '-o', settings]);
      started = true;
    } catch (error) {
      fault = error; // for instance, orphaned backends still hold the shared memory
      if (/PANIC/.test(lastLines(logFile))) break;
      await sleep(250);
    }
  }
  const reason = fault instanceof Error ? fault.message : '';
  throw new Error(`PostgreSQL did not start: ${reason}\n${lastLines(logFile)}`);
}

async function serverSettings(dir: string, { preferredPort, fast }: StartOptions): Promise<string> {
  const unsafe =
    '-c fsync=off -c synchronous_commit=off -c full_page_writes=off ' +
    '-c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=128MB';
  return `-p ${await freePort(preferredPort)} -h 127.0.0.1 -c unix_socket_directories=${fast && !isWindows ? dir : ''} ${fast ? unsafe : ''}`;
}

function lastLines(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').slice(-8).join('\n') : '';
}

type Address = { port: number; password: string };

async function withClient(address: Address, work: (client: Client) => Promise<void>): Promise<void> {
  const connection = { host: '127.0.0.1', user: USER, database: 'postgres', connectionTimeoutMillis: 3000 };
  const client = new Client({ ...connection, ...address });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(address: Address, database: string): Promise<void> {
  await withClient(address, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(database)}`);
  });
}

/** Starts a shell that waits on a pipe. When this process ends, even by kill -9, the pipe closes and the shell stops the server cleanly. */
function stopWithThisProcess(installation: Installation, dir: string, pid: number): void {
  if (isWindows) return;
  const script = 'read _; read pid < "$1/postmaster.pid" && [ "$pid" = "$2" ] && exec "$0" stop -s -m fast -D "$1"';
  const child = spawn('/bin/sh', ['-c', script, binary(installation, 'pg_ctl'), dir, String(pid)], {
    ...installation.account,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: installation.home,
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
}
