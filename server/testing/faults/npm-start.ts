import { spawn } from 'node:child_process';
import { call, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { productionVariables } from '../production-server.ts';
import { freePort } from '../ports.ts';
import { expect, seconds, until } from '../until.ts';

/** The documented command, stopped as a container runtime stops it: only its first process gets the signal. */
export const npmStart: Scenario = {
  name: 'npm-start',
  expected: 'SIGTERM to "npm start": /readyz off, answers while it drains, then nobody listens any more',
  short: true,
  run: async ({ database, say }) => {
    const { adviser, server } = await startReporting(database);
    await server.stop();
    const port = await freePort();
    const base = `http://localhost:${port}`;
    const npm = spawn('npm', ['start'], {
      stdio: 'ignore',
      env: { ...process.env, ...productionVariables(database, port), DRAIN_SECONDS: '4' },
    });
    const ended = new Promise<number | string>((resolve) =>
      npm.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
    );
    const ask = (path: string) => call({ base }, path, { cookie: adviser.cookie }).catch(() => null);
    try {
      await until('npm start is ready', 60_000, async () => (await ask('/readyz'))?.ok);
      const begin = performance.now();
      npm.kill('SIGTERM');
      await until('/readyz is off', 20_000, async () => (await ask('/readyz'))?.status === 503);
      expect((await ask('/api/user'))?.ok, 'it does not answer while it drains');
      const code = await ended;
      await until('nobody listens', 15_000, async () => (await ask('/healthz')) === null);
      const stopped = `npm ended with ${code}, nobody listens ${seconds(performance.now() - begin)} after SIGTERM`;
      say(stopped);
      return `/readyz off, answered while it drained; ${stopped}`;
    } finally {
      npm.kill('SIGKILL');
    }
  },
};
