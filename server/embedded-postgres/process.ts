import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const isWindows = process.platform === 'win32';

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the process exists and is a PostgreSQL server. A zombie counts as dead: in a container there may be nothing to reap it. */
function isPostgres(pid: number): boolean {
  if (!(pid > 1) || !isProcessAlive(pid)) return false;
  try {
    if (process.platform === 'linux') {
      const stat = /\((.*)\) (\S)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
      return (stat?.[1]?.startsWith('postgres') ?? false) && !'ZX'.includes(stat?.[2] ?? 'X');
    }
    const [command, args] = isWindows
      ? (['tasklist', ['/fi', `PID eq ${pid}`]] as const)
      : (['ps', ['-p', String(pid), '-o', 'comm=']] as const);
    return /postgres/i.test(spawnSync(command, [...args], { encoding: 'utf8' }).stdout);
  } catch {
    return false;
  }
}

export type Postmaster = { pid: number; port: number; alive: boolean };

/** What a data directory's postmaster.pid says (line 1 the process, line 4 the port), or null without one. */
export function readPostmaster(dir: string): Postmaster | null {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(dir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Math.abs(Number(lines[0]));
  return { pid, port: Number(lines[3]), alive: isPostgres(pid) };
}

/** The preferred port if nothing listens on it, else one that the system picks. */
export function freePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (preferred === 0 ? reject(error) : resolve(freePort(0))));
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : preferred;
      server.close(() => resolve(port));
    });
  });
}
