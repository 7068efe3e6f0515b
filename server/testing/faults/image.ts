import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commandsOf, layOut, readDockerfile } from '../house/dockerfile.ts';
import { signUp } from './people.ts';
import { buy } from './purchases.ts';
import type { Scenario } from './scenario.ts';
import { launch, productionVariables, ready } from '../production-server.ts';
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
    const container = await launch(database, { command: start, cwd: folder });
    const env = { PATH: process.env['PATH'], ...productionVariables(database, container.port) };
    const healthy = () => {
      try {
        execFileSync(health[0]!, health.slice(1), { env, stdio: 'ignore' });
        return true;
      } catch {
        expect(container.ended() === null, `it ended with ${container.ended()}`);
        return false;
      }
    };
    try {
      const { ms } = await until('it is healthy', 60_000, healthy, 200);
      await ready(container);
      const trial = await buy(container, await signUp(container, database), 'risk-profile-ai', true);
      expect(trial?.ok, `a trial answered ${trial?.status}`);
      for (const page of ['/', '/sandbox/stripe.js', '/api/docs'])
        expect((await fetch(container.base + page)).ok, `${page} is not there`);
      const { code } = await container.stop();
      say(`healthy after ${seconds(ms)}`);
      return `healthy after ${seconds(ms)}, a trial began, pages are there, SIGTERM: exit ${code}`;
    } finally {
      await container.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
};
