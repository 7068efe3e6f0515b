import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { layOut, readDockerfile } from '../house/dockerfile.ts';
import { startBalancer } from './balancer.ts';
import { countOf, expectNothingWrong, slowestOf, statusLine, steadyLoad } from './load.ts';
import { call, newReports, sendReports, signUp, startReporting } from './people.ts';
import type { Scenario } from './scenario.ts';
import { startServer, type Server } from '../production-server.ts';
import { freePort } from '../ports.ts';
import { expect, seconds, until } from '../until.ts';

/** The whole form restarts again and again until so many requests have been served. */
const enough = 20_000;

/** The next release: this build, with migrations that add a table, a column and an index to tables in use. */
function nextRelease(): { command: string[]; when: number; remove(): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-next-'));
  layOut(readDockerfile().at(-1)!, folder);
  const journal = path.join(folder, 'migrations/meta/_journal.json');
  const kept = JSON.parse(fs.readFileSync(journal, 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  const last = kept.entries.at(-1)!;
  const texts = [
    'create table next_things (id uuid primary key, user_id uuid references users (id)); alter table users add column next_word text; alter table tool_usage add column next_count integer default 0 not null',
    'create index concurrently if not exists users_next on users (next_word)',
  ];
  for (const [index, text] of texts.entries()) {
    const entry = { ...last, idx: last.idx + 1 + index, when: last.when + 1 + index, tag: `next_${index}` };
    fs.writeFileSync(path.join(folder, 'migrations', `${entry.tag}.sql`), text);
    kept.entries.push(entry);
  }
  fs.writeFileSync(journal, JSON.stringify(kept));
  return {
    command: [process.execPath, path.join(folder, 'dist/index.js')],
    when: kept.entries.at(-1)!.when,
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Two replicas behind a balancer without retries; each is restarted, brought to the next release, and back. */
export const rolling: Scenario = {
  name: 'rolling',
  expected:
    'rolling restart, upgrade and rollback behind a balancer without retries: no failed request; jobs belong to the newest release',
  short: true,
  run: async ({ database, short, say }) => {
    const variables = { DRAIN_SECONDS: '3' };
    const { server: first, adviser, tool, session } = await startReporting(database);
    const others = [await signUp(first, database), await signUp(first, database)];
    await first.stop();
    const ports = [await freePort(), await freePort()];
    const balancer = await startBalancer(ports);
    const next = nextRelease();
    const schedules = () =>
      database.query<{ name: string; release: string }>(
        `select name, (data->>'release')::bigint as release from pgboss.schedule order by name`,
      );
    const start = async (port: number, command?: string[]) => {
      const server = await startServer(database, { port, variables, ...(command && { command }) });
      await until('the balancer knows it', 10_000, () => balancer.isReady(port));
      return server;
    };
    try {
      const replicas: Server[] = [];
      for (const port of ports) replicas.push(await start(port));
      const load = steadyLoad([
        ...[adviser, ...others].flatMap(({ cookie }) => [
          () => call(balancer, '/api/user', { cookie }),
          () => call(balancer, '/api/user/subscriptions', { cookie }),
        ]),
        () => sendReports(balancer, tool, newReports(session, 2)),
        () => fetch(balancer.base),
      ]);
      let restarts = 0;
      /** Restarts one replica after the other. */
      const roll = async (what: string, command?: string[]) => {
        const before = countOf(load.tally, 200);
        for (const [index, port] of ports.entries()) {
          await replicas[index]!.stop();
          replicas[index] = await start(port, command);
          restarts += 1;
        }
        say(`${what}: ${countOf(load.tally, 200) - before} requests served, wrong ${load.tally.wrong.length}`);
      };
      if (!short) {
        do {
          await roll('restarted');
        } while (countOf(load.tally, 200) < enough);
      }
      const planned = await schedules();
      await roll('next release', next.command);
      const newest = await schedules();
      expect(newest.length === planned.length, `${newest.length} of ${planned.length} schedules after the upgrade`);
      expect(
        newest.every(({ release }) => release === String(next.when)),
        'a schedule belongs to the older release',
      );
      expect(
        (await database.count(
          `select count(*) from pg_index where indexrelid = 'users_next'::regclass and indisvalid`,
        )) === 1,
        'the index is not there',
      );
      await roll('back to this release');
      const back = await schedules();
      expect(back.length === planned.length, `${back.length} of ${planned.length} schedules after going back`);
      // A job that runs every minute.
      if (!short)
        await until('its jobs go on', 90_000, () =>
          database.count(
            `select count(*) from pgboss.job where name = 'resume-purchases' and state = 'completed' and completed_on > now() - interval '1 minute'`,
          ),
        );
      const tally = await load.stop();
      expectNothingWrong(tally);
      expect(countOf(tally, 503) === 0, statusLine(tally));
      return `${statusLine(tally)} over ${restarts} restarts, the slowest in ${seconds(slowestOf(tally, 200))}; ${back.length} schedules kept; the older release works on the newer schema`;
    } finally {
      await balancer.stop();
      next.remove();
    }
  },
};
