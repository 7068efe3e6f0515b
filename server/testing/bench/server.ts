import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export type Child = ChildProcess & { port: number };

/** Starts a program of ours that prints `port N` (or listens on a port we chose) and waits for its first answer. */
export async function startChild(
  args: string[],
  env: Record<string, string>,
  port?: number,
): Promise<Child & { startMs: number }> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  }) as ChildProcess & { port: number };
  child.port = port ?? 0;
  process.on('exit', () => child.kill('SIGKILL')); // a bench that fails leaves nothing behind
  child.stdout?.on('data', (chunk: Buffer) => {
    const printed = /port (\d+)/.exec(String(chunk));
    if (printed && port === undefined) child.port = Number(printed[1]);
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    if (child.port > 0) {
      const answer = await fetch(`http://127.0.0.1:${child.port}/${port === undefined ? '' : 'readyz'}`).catch(
        () => null,
      );
      if (answer && (port === undefined || answer.ok)) break;
    }
    if (performance.now() - begin > 60_000) throw new Error(`${args.join(' ')} did not answer`);
    await wait(10);
  }
  return Object.assign(child, { startMs: performance.now() - begin });
}

/** Resident memory of a process in megabytes. */
export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Ends a program and waits for it. */
export const stopChild = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
