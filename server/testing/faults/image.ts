import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commandsOf, layOut, readDockerfile } from '../dockerfile.ts';
import { call, signUp } from './people.ts';
import type { Scenario } from './scenario.ts';
import { productionVariables } from '../production-server.ts';
import { freePort } from '../ports.ts';
import { expect, seconds, until } from '../until.ts';

/** The Dockerfile's last stage without Docker: laid out in an empty folder, started, health-checked and stopped as a container is. */
export const image: Scenario = {
  name: 'image',
  expected: 'the image’s files and commands: healthy, sells, SIGTERM ends it with 0',
  short: true,
  run: async ({ database, say }) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-image-'));
    const last = readDockerfile().at(-1)!;
    layOut(last, folder);
    const { start, health } = commandsOf(last);
    const port = await freePort();
    const env = { PATH: process.env['PATH'], ...productionVariables(database, port) };
    const container = spawn(start[0]!, start.slice(1), { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => container.once('exit', resolve));
    const healthy = () => {
      try {
        execFileSync(health[0]!, health.slice(1), { env, stdio: 'ignore' });
        return true;
      } catch {
        expect(container.exitCode === null, `it ended with ${container.exitCode}`);
        return false;
      }
    };
    try {
      const { ms } = await until('it is healthy', 60_000, healthy, 200);
      const server = { base: `http://localhost:${port}` };
      await until('it is ready', 10_000, async () => (await call(server, '/readyz')).ok);
      const adviser = await signUp(server, database);
      const trial = await call(server, '/api/create-subscription', {
        body: { toolId: 'risk-profile-ai', trial: true },
        cookie: adviser.cookie,
      });
      expect(trial.ok, `a trial answered ${trial.status}`);
      for (const page of ['/', '/sandbox/stripe.js', '/api/docs'])
        expect((await fetch(server.base + page)).ok, `${page} is not there`);
      container.kill('SIGTERM');
      const code = await ended;
      expect(code === 0, `SIGTERM ended it with ${code}`);
      say(`healthy after ${seconds(ms)}`);
      return `healthy after ${seconds(ms)}, a trial began, pages are there, SIGTERM: exit 0`;
    } finally {
      container.kill('SIGKILL');
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
};
