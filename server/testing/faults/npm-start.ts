import { call, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from '../production-server.ts';
import { project } from '../source-files.ts';
import { expect, seconds, until } from '../until.ts';

/** The documented command, stopped as a container runtime stops it: only its first process gets the signal. */
export const npmStart: Scenario = {
  name: 'npm-start',
  expected: 'SIGTERM to "npm start": /readyz off, answers while it drains, then nobody listens any more',
  short: true,
  logs: /^(> |npm (notice|warn)\b)/, // npm says what it runs, and that there is a newer npm
  run: async ({ database, say }) => {
    const { adviser, server } = await startReporting(database);
    await server.stop();
    const npm = await startServer(database, {
      command: ['npm', 'start'],
      cwd: project,
      group: true,
      variables: { DRAIN_SECONDS: '4' },
    });
    const ask = (path: string) => call(npm, path, { cookie: adviser.cookie }).catch(() => null);
    const begin = performance.now();
    const ended = npm.stop();
    await until('/readyz is off', 20_000, async () => (await ask('/readyz'))?.status === 503);
    expect((await ask('/api/user'))?.ok, 'it does not answer while it drains');
    await until('nobody listens', 15_000, async () => (await ask('/healthz')) === null);
    const ms = performance.now() - begin;
    const stopped = `npm ended with ${(await ended).code}, nobody listens ${seconds(ms)} after SIGTERM`;
    say(stopped);
    return `/readyz off, answered while it drained; ${stopped}`;
  },
};
