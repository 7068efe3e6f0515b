import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { realNow } from '#server/platform/clock.ts';
import { isProcessAlive } from './process.ts';

const GIVE_UP_MS = 120_000;
const STALE_MS = 90_000;
const UNWRITTEN_MS = 5000;

function createOnly(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file: string): { pid: number; ageMs: number } | null {
  try {
    return {
      pid: Number(fs.readFileSync(file, 'utf8')) || 0,
      ageMs: realNow().getTime() - fs.statSync(file).mtimeMs,
    };
  } catch {
    return null;
  }
}

function isStale(file: string): boolean {
  const held = readHolder(file);
  if (!held) return false;
  return held.pid ? !isProcessAlive(held.pid) || held.ageMs > STALE_MS : held.ageMs > UNWRITTEN_MS;
}

/** Only one process at a time checks and removes a stale lock; otherwise a slow one would remove the next owner's lock. */
function removeIfStale(file: string): void {
  if (!isStale(file)) return;
  const guard = `${file}.guard`;
  if (!createOnly(guard, String(process.pid))) {
    if ((readHolder(guard)?.ageMs ?? 0) > UNWRITTEN_MS) fs.rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(file)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

/** Runs `work` while this process alone, of all on this machine, holds the lock file. A dead or overdue owner loses the lock. */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!createOnly(file, String(process.pid))) {
    removeIfStale(file);
    if (performance.now() > giveUpAt) throw new Error(`${file} is held by process ${readHolder(file)?.pid}`);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}
