import { adminBench } from './bench/admin.ts';
import { busyAdvisers, callsBench, measureCalls, tableOf } from './bench/calls.ts';
import { floodsBench } from './bench/floods.ts';
import {
  heading,
  javascriptOf,
  load,
  type Load,
  machineLoad,
  middleOfThree,
  onCluster,
  residentMb,
  round,
  row,
  withoutSandbox,
} from './bench/measure.ts';
import { recordBench } from './bench/record.ts';
import { simulateBench } from './bench/simulate.ts';
import { toolsBench } from './bench/tools.ts';
import { startChildServer } from './child-server.ts';
import { pagesBench } from './bench/pages.ts';
import { call } from './faults/people.ts';
import { password } from './newcomer.ts';
import { launch, ready, startServer } from './production-server.ts';

/**
 * `npm run bench`: the production server beside the baselines, in one run on one database. Absolute figures vary by a third from run to
 * run; only the ratios count. Nothing here is asserted. `-- calls`: the first table alone; `-- admin`: administrators' calls; `-- floods`:
 * honest people beside floods; `-- pages`: the largest paint of each page on a slow phone; `-- tools`: the calls of tools' servers;
 * `-- record`: the register of a million sessions, a recall, and evidence packs; `-- simulate`: a day of 100,000 paying advisers.
 */
const wholeBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    await (await startServer(database, withoutSandbox)).stop(); // migrates and seeds
    const server = await launch(database, withoutSandbox);
    const startMs = await ready(server);
    const idleMb = residentMb(server.pid);

    const { id, cookies } = await busyAdvisers(server, database);
    const cookie = cookies.at(-1)!;
    await database.query(
      `insert into users (email, password, first_name, last_name) select 'flood' || n || '@practice.example', password, 'Flood', 'Bench' from users, generate_series(1, 50) n where id = $1`,
      [id],
    );
    await database.query('analyze');

    const [limit, naive] = await Promise.all(
      ['limit', 'naive'].map((which) => startChildServer('bench/baselines.ts', [which, database.url, id])),
    );
    const naiveLogin = await fetch(`${naive!.url}/login`, { method: 'POST' });
    const naiveCookie = naiveLogin.headers.getSetCookie()[0]!.split(';')[0]!;

    const measured = await measureCalls(limit!.url, server.base, cookies);
    await database.query(
      `insert into tool_usage (user_id, tool_id, session_id, last_accessed) select $1, 'risk-profile-ai', gen_random_uuid()::text, now() - n * interval '10 minutes' from generate_series(1, 10000) n`,
      [id],
    );
    const bare = measured[0]!.perSecond;
    const beside = async (name: string, run: () => Promise<Load>) => {
      const one = await middleOfThree(run);
      return { name, target: '', ofLimit: one.perSecond / bare, ...one };
    };
    const results = [
      ...measured,
      await beside('naive: Express as everyone writes it', () =>
        load(`${naive!.url}/api/user`, { cookie: naiveCookie }),
      ),
      await beside('own sessions (500 of 10,000 rows), 1 connection', () =>
        load(`${server.base}/api/user/usage`, { cookie, connections: 1 }),
      ),
    ];
    const loadedMb = residentMb(server.pid);

    const flood = Array.from({ length: 50 }, (_, n) =>
      call(server, '/api/login', { body: { email: `flood${n + 1}@practice.example`, password } }),
    );
    const during = await load(`${server.base}/api/user`, { cookie, seconds: 4, connections: 10 });
    await Promise.all(flood);

    const javascript = await javascriptOf(server.base, [
      { name: 'landing (signed out)', path: '/', target: '≤ 90 kB' },
      { name: '/auth', path: '/auth', target: '≤ 120 kB' },
      { name: 'dashboard, first load', path: '/', cookie, target: '≤ 160 kB' },
      { name: 'subscribe, first load', path: '/subscribe/pre-fill-ai', cookie, target: '' },
    ]);
    for (const one of [limit!, naive!]) await one.stop();

    const lines = [
      tableOf(results),
      '',
      ...heading('what', 'measured', 'target'),
      row(['p99 of GET /api/user during 50 sign-ins', `${during.p99} ms (${during.errors} errors)`, '≤ 250 ms']),
      row(['start to ready, warm database', `${round(startMs)} ms`, '≤ 1,000 ms']),
      row(['memory idle / after the load', `${round(idleMb)} / ${round(loadedMb)} MB`, '≤ 130 / ≤ 250 MB']),
      ...javascript.map(({ name, kb, target }) => row([`JavaScript, ${name}`, `${round(kb)} kB`, target])),
      '',
      `Load of the machine at the end: ${machineLoad()}`,
    ];
    console.log(`\n${lines.join('\n')}\n`);
  });

const benches: Record<string, (only?: string) => Promise<void>> = {
  admin: adminBench,
  calls: callsBench,
  floods: floodsBench,
  pages: pagesBench,
  record: recordBench,
  simulate: simulateBench,
  tools: toolsBench,
};
const [name, only] = process.argv.slice(2);
const bench = name === undefined ? wholeBench : benches[name];
if (!bench) {
  console.error(`No bench ${name}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
await bench(only);
process.exit();
