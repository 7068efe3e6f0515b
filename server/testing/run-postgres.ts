import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensurePostgres } from '#server/embedded-postgres/service.ts';
import { isProcessAlive } from '#server/embedded-postgres/process.ts';
import { scratchFolder } from './outside.ts';

const prefix = 'adviserly-test-';
const memory = '/dev/shm';
const roomy = 1024 ** 3;

/** Memory where there is plenty: making and dropping a database takes a tenth of the time it takes on disk. */
function roomiestFolder(): string {
  const { bavail, bsize } = fs.existsSync(memory) ? fs.statfsSync(memory) : { bavail: 0, bsize: 0 };
  return bavail * bsize > roomy ? memory : os.tmpdir();
}

/** Runs that were killed could not clean up; another user's are not ours to remove. */
function removeLeftovers(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : 0;
    const leftover = path.join(folder, name);
    if (pid > 0 && !isProcessAlive(pid) && fs.statSync(leftover).uid === process.getuid?.())
      fs.rmSync(leftover, { recursive: true, force: true });
  }
}

/**
 * Global setup of vitest and Playwright: one throwaway PostgreSQL for the run. Workers find it by TEST_POSTGRES_URL and
 * make databases on it (database.ts).
 */
export default async function startRunPostgres(): Promise<() => Promise<void>> {
  const folder = roomiestFolder();
  removeLeftovers(folder);
  const home = scratchFolder(`${prefix}${process.pid}-`, folder);
  const postgres = await ensurePostgres({ home, database: 'postgres', fast: true, preferredPort: 0 });
  // By the server's socket: a round trip by TCP takes twice the CPU. Node has no such sockets on Windows.
  const socket = process.platform === 'win32' ? '' : `?host=${encodeURIComponent(postgres.dir)}`;
  process.env['TEST_POSTGRES_URL'] = `${postgres.url}${socket}`;
  return async () => {
    await postgres.stop();
    fs.rmSync(home, { recursive: true, force: true });
  };
}
