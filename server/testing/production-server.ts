import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './ports.ts';
import { expect, until } from './until.ts';

const built = path.resolve('dist/index.js');
const running = new Set<Server>();

/** The same for every server, so that a bench can sign cookies for sessions it stored itself. */
export const sessionSecret = 'trial-0123456789-abcdefghij-klmnopqrstuv';

export type Server = {
  base: string;
  port: number;
  pid: number;
  /** Its exit code, or the name of the signal that ended it; `null` while it runs. */
  ended(): number | string | null;
  kill(): Promise<void>;
  /** Sends SIGTERM; returns the exit code and how long it took. */
  stop(): Promise<{ code: number | string; ms: number }>;
  /** Log lines at level "error" and above, and anything that isn't a log line. */
  faults(): string[];
};

type Options = {
  port?: number;
  variables?: NodeJS.ProcessEnv;
  /** Another build than this one. */
  program?: string;
  /** Gets every line that the server prints. */
  onLine?: (line: string) => void;
};

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

/** Starts the built server as an operator would, without waiting until it is ready. Of our own environment it gets PATH alone. */
export async function launch(
  database: { url: string },
  { port: wish, variables = {}, program = built, onLine }: Options = {},
): Promise<Server> {
  const port = wish ?? (await freePort());
  const base = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    cwd: os.tmpdir(), // away from any developer's .env
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...productionVariables(database, port), ...variables },
  });
  const faults: string[] = [];
  const note = (line: string) => {
    onLine?.(line);
    // The sandbox stands in for somebody else's service: its troubles are not our faults.
    const quiet = /^\{"level":"(info|warn)"|"payments sandbox: /;
    if (line && !quiet.test(line)) faults.push(inShort(line));
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', note);
  const exit = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const server: Server = {
    base,
    port,
    pid: child.pid ?? 0,
    ended: () => child.exitCode ?? child.signalCode,
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    stop: async () => {
      const begin = performance.now();
      child.kill('SIGTERM');
      return { code: await exit, ms: performance.now() - begin };
    },
    faults: () => faults,
  };
  running.add(server);
  void exit.then(() => running.delete(server));
  return server;
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

/** Stops every server still running; throws unless each exits with 0 and has logged no fault. */
export async function stopServers(): Promise<void> {
  for (const server of running) {
    const { code } = await server.stop();
    expect(code === 0, `SIGTERM ended ${server.base} with ${code}`);
    expect(server.faults().length === 0, `logged: ${server.faults()[0]}`);
  }
}

/** Kills whatever servers a failure left running; returns what they logged. */
export async function killServers(): Promise<string[]> {
  const left = [...running];
  await Promise.all(left.map((server) => server.kill()));
  return left.flatMap((server) => server.faults());
}
