import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './ports.ts';
import { expect, until } from './until.ts';

const built = [process.execPath, '--enable-source-maps', path.resolve('dist/index.js')];
const launched = new Set<Server>();

/** One secret for every server, so that a bench can sign cookies for sessions it stored itself. */
export const sessionSecret = 'trial-0123456789-abcdefghij-klmnopqrstuv';

export type Server = {
  base: string;
  port: number;
  pid: number;
  /** Its exit code, or the name of the signal that ended it; `null` while it runs. */
  ended(): number | string | null;
  kill(): Promise<void>;
  /** Sends SIGTERM; returns the exit code and how long it took. Any code but 0 is a fault. */
  stop(): Promise<{ code: number | string; ms: number }>;
  /** Log lines at level "error" and above, and anything that isn't a log line. */
  faults(): string[];
};

type Program = {
  command: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  port: number;
  /** Gets every line that it prints. */
  onLine?: (line: string) => void;
  /** Kills with it what it has started in turn, even after it ended. */
  group?: boolean;
};

type Options = Partial<Omit<Program, 'env'>> & { variables?: NodeJS.ProcessEnv };

/** What a production server on this machine needs, without real payments or mail. */
export const productionVariables = (database: { url: string }, port: number): Record<string, string> => ({
  NODE_ENV: 'production',
  PORT: String(port),
  APP_URL: `http://localhost:${port}`,
  DATABASE_URL: database.url,
  SESSION_SECRET: sessionSecret,
  PAYMENTS: 'sandbox',
  ADMIN_SECOND_FACTOR: 'off',
  FOUR_EYES: 'off',
  DRAIN_SECONDS: '0',
  TRUST_PROXY: 'loopback',
  LOG_LEVEL: 'warn',
});

/** Starts the built server, or another command, as an operator would, without waiting until it is ready. Of our own environment it gets PATH alone. */
export async function launch(
  database: { url: string },
  { port: wish, variables = {}, ...options }: Options = {},
): Promise<Server> {
  const port = wish ?? (await freePort());
  const env = { PATH: process.env['PATH'], ...productionVariables(database, port), ...variables };
  // Away from any developer's .env.
  return startProgram({ command: built, cwd: os.tmpdir(), env, port, ...options });
}

/** Starts a program that serves on this port. */
export function startProgram({ command, cwd, env, port, onLine, group = false }: Program): Server {
  const base = `http://localhost:${port}`;
  const child = spawn(command[0]!, command.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: group });
  const faults: string[] = [];
  const note = (line: string) => {
    onLine?.(line);
    // The sandbox stands in for somebody else's service: its troubles are not our faults.
    const quiet = /^\{"level":"(info|warn)"|"payments sandbox: /;
    if (line && !quiet.test(line)) faults.push(inShort(line));
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', note);
  // Unlike "exit", it comes after the last line.
  const closed = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const server: Server = {
    base,
    port,
    pid: child.pid ?? 0,
    ended: () => child.exitCode ?? child.signalCode,
    kill: async () => {
      if (group) killGroup(child.pid!);
      else child.kill('SIGKILL');
      await closed;
    },
    stop: async () => {
      const begin = performance.now();
      child.kill('SIGTERM');
      const code = await closed;
      if (code !== 0) faults.push(`SIGTERM ended ${base} with ${code}`);
      return { code, ms: performance.now() - begin };
    },
    faults: () => faults,
  };
  launched.add(server);
  return server;
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** A log line in short, with the root cause of its error. */
function inShort(line: string): string {
  try {
    const { msg, job, err } = JSON.parse(line) as {
      msg: string;
      job?: string;
      err?: { message: string; stack: string };
    };
    const [bottom = ''] = err?.stack.split('caused by: ').slice(-1) ?? [];
    return [msg, job, err?.message.slice(0, 200), bottom.slice(0, 300)].filter(Boolean).join(' | ');
  } catch {
    return line.slice(0, 500);
  }
}

/** Waits until it is ready for requests; returns how long that took, in milliseconds. */
export async function ready(server: Server): Promise<number> {
  const { ms } = await until(`${server.base} is ready`, 60_000, async () => {
    if (server.ended() !== null)
      throw new Error(`the server ended with ${server.ended()}: ${server.faults().slice(-5).join('\n')}`);
    const answer = await fetch(`${server.base}/readyz`).catch(() => null);
    return answer?.ok;
  });
  return ms;
}

/** Launches it and waits until it is ready. */
export async function startServer(database: { url: string }, options?: Options): Promise<Server> {
  const server = await launch(database, options);
  await ready(server);
  return server;
}

/**
 * Stops every server still running; throws if one of those launched so far has logged a fault, or was stopped and ended with another code
 * than 0, unless that was to be expected.
 */
export async function stopServers(expected?: RegExp): Promise<void> {
  for (const server of launched) {
    if (server.ended() === null) await server.stop();
    const fault = server.faults().find((line) => !expected?.test(line));
    expect(fault === undefined, `logged: ${fault}`);
    launched.delete(server);
  }
}

/** Kills whatever servers a failure left running; returns what all of them logged. */
export async function killServers(): Promise<string[]> {
  const left = [...launched];
  launched.clear();
  await Promise.all(left.map((server) => server.kill()));
  return left.flatMap((server) => server.faults());
}
