import { performance } from 'node:perf_hooks';
import { type Adviser, call, signUp } from '../faults/people.ts';
import type { Database } from '../faults/postgres.ts';
import { type Server, startServer } from '../production-server.ts';
import { expect, until } from '../until.ts';
import { heading, type Load, load, machineLoad, onCluster, quantile, round, row, withoutSandbox } from './measure.ts';

/** One practice's register, the largest there could be, and in it one adviser's year. */
const sessions = 1_000_000;
const advisers = 400;
const yearOfOne = 3000;
const times = 600;

const toolIds = `array['risk-profile-ai','fact-find-ai','file-note-ai','pre-fill-ai','share-advice-ai','lost-money-ai']`;

/** Two in three are stated, as in a real register; the adviser's year lies among the others'. */
const recordColumns = `user_id, tool_id, session_id, team_id, last_accessed, ended_at, created_at, reports, duration_seconds, actions,
  tool_version, purpose, purpose_from, client_reference, reference_from, checked, stated_at`;
const recordValues = (
  who: string,
  at: string,
  key: string,
) => `${who}, (${toolIds})[1 + n % 6], '${key}:' || n, $1, ${at}, ${at}, ${at}, 1,
  60 + n % 900, n % 12, '2.' || n % 9, 'file_note', 'tool', case when n % 4 = 0 then 'FILE-' || n % 5000 end,
  case when n % 4 = 0 then 'adviser' end, case when n % 3 > 0 then true end, case when n % 3 > 0 then ${at} end`;

/** Fills the tables by SQL with the triggers off; returns the practice's id. */
async function fillRegister(database: Database, owner: Adviser, adviser: Adviser): Promise<string> {
  const [team] = await database.query<{ id: string }>(
    `insert into teams (name, owner_id) values ('Bench Practice', $1) returning id`,
    [owner.id],
  );
  const teamId = team!.id;
  await database.query(
    `insert into team_members (team_id, user_id, role) values ($1, $2, 'owner'), ($1, $3, 'member')`,
    [teamId, owner.id, adviser.id],
  );
  await database.query(
    `insert into users (email, password, first_name, last_name)
     select 'record' || n || '@practice.example', '!', 'Record', 'Adviser' || n from generate_series(0, $1 - 1) n`,
    [advisers],
  );
  await database.query('alter table tool_usage disable trigger user');
  // Everybody's three years, with people and tools mixed.
  await database.query(
    `insert into tool_usage (${recordColumns})
     select ${recordValues('p.id', 'at', 'bench')}
     from generate_series(1, $2) n, lateral (select now() - n * interval '94 seconds' as at) moment,
       lateral (select (n::bigint * 7919 % ${advisers})::int as who) chosen, (select id, row_number() over (order by id) - 1 as who from users where email like 'record%') p
     where p.who = chosen.who`,
    [teamId, sessions - yearOfOne],
  );
  await database.query(
    `insert into tool_usage (${recordColumns})
     select ${recordValues('$3::uuid', 'at', 'own')}
     from generate_series(1, $2) n, lateral (select now() - n * interval '2 hours 55 minutes' as at) moment`,
    [teamId, yearOfOne, adviser.id],
  );
  await database.query('alter table tool_usage enable trigger user');
  await database.query(
    `insert into session_statements (session_id, user_id, checked, remark, made_at)
     select id, user_id, true, case when substr(id::text, 1, 1) < '4' then 'Compared with the notes of the meeting; two amounts corrected.' end, stated_at
     from tool_usage where checked`,
  );
  // Writes out what filling left behind before anything is measured.
  await database.query('vacuum analyze');
  await database.query('checkpoint');
  return teamId;
}

/** One person's call, again and again. */
async function timed(server: Server, cookie: string, path: string, often = times) {
  const taken: number[] = [];
  for (let i = -5; i < often; i += 1) {
    const begin = performance.now();
    const response = await call(server, path, { cookie });
    const text = await response.text();
    expect(response.ok, `${path} answered ${response.status}: ${text}`);
    if (i >= 0) taken.push(performance.now() - begin);
  }
  return { p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}

/** Asks for a pack and waits until it is made; returns how long that took. */
async function packOf(server: Server, cookie: string, body: object): Promise<number> {
  const begin = performance.now();
  const asked = await call(server, '/api/record/packs', { cookie, body });
  expect(asked.ok, `a pack was refused: ${await asked.clone().text()}`);
  const { id } = (await asked.json()) as { id: string };
  const list = 'teamId' in body ? `/api/record/packs?teamId=${String(body.teamId)}` : '/api/record/packs';
  const isMade = async () => {
    const { packs } = (await (await call(server, list, { cookie })).json()) as {
      packs: { id: string; state: string }[];
    };
    const state = packs.find((pack) => pack.id === id)?.state;
    expect(state !== 'failed', 'the pack failed');
    return state === 'made';
  };
  await until('the pack is made', 5 * 60_000, isMade, 50);
  return performance.now() - begin;
}

type Filled = { owner: Adviser; adviser: Adviser; teamId: string };

/** One call after the other on a server that has answered each of them before, as one that has run for days; then the packs. */
async function measureRecord(server: Server, database: Database, { owner, adviser, teamId }: Filled): Promise<void> {
  const deep = async (part: number, where = 'team_id = $1', value = teamId) =>
    (
      await database.query<{ id: string }>(
        `select id from tool_usage where ${where} order by created_at desc nulls first, id offset $2 limit 1`,
        [value, Math.floor(part)],
      )
    )[0]!.id;
  const team = `/api/teams/${teamId}/record`;
  const own = '/api/record/sessions';
  const [half, last] = [await deep(sessions / 2), await deep(sessions - 30)];
  const ownLast = await deep(yearOfOne - 30, 'user_id = $1', adviser.id);
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const reads: [name: string, cookie: string, path: string, target: string, often?: number][] = [
    ['GET /api/user, to compare', adviser.cookie, '/api/user', ''],
    ['own register, first page', adviser.cookie, own, '≤ 20'],
    ['own register, last page', adviser.cookie, `${own}?after=${ownLast}`, '≤ 20'],
    ['own register, not stated', adviser.cookie, `${own}?unstated=true`, '≤ 20'],
    ['own register, one tool, last page', adviser.cookie, `${own}?toolId=pre-fill-ai&after=${ownLast}`, '≤ 20'],
    ['unstated line of the dashboard', adviser.cookie, '/api/record/unstated', '≤ 20'],
    ['practice, first page', owner.cookie, `${team}/sessions`, '≤ 20'],
    ['practice, page in the middle', owner.cookie, `${team}/sessions?after=${half}`, '≤ 20'],
    ['practice, last page', owner.cookie, `${team}/sessions?after=${last}`, '≤ 20'],
    ['practice, one month two years ago', owner.cookie, `${team}/sessions?from=${day(730)}&to=${day(700)}`, '≤ 20'],
    ['practice, one tool', owner.cookie, `${team}/sessions?toolId=pre-fill-ai`, '≤ 20'],
    ['practice, one tool nobody used', owner.cookie, `${team}/sessions?toolId=tool-nobody-used`, '≤ 20'],
    ['practice, one person', owner.cookie, `${team}/sessions?userId=${adviser.id}`, '≤ 20'],
    ['practice, the owner, who used none', owner.cookie, `${team}/sessions?userId=${owner.id}`, '≤ 20'],
    ['practice, not stated, middle', owner.cookie, `${team}/sessions?unstated=true&after=${half}`, '≤ 20'],
    ['practice, inventory of 90 days', owner.cookie, team, '', 20],
    ['choices of a pack of the practice', owner.cookie, `/api/record/packs/choices?teamId=${teamId}`, '', 10],
  ];
  const lines = heading('call', 'p50 ms', 'p99 ms', 'target p99');
  for (const [, cookie, path, , often = 200] of reads) await timed(server, cookie, path, often);
  for (const [name, cookie, path, target, often] of reads) {
    const { p50, p99 } = await timed(server, cookie, path, often);
    lines.push(row([name, round(p50, 1), round(p99, 1), target]));
  }
  const year = { fromDay: day(365), toDay: day(0) };
  const alone = await load(`${server.base}/api/user`, { cookie: owner.cookie, connections: 10, seconds: 4 });
  const packs: [string, string, object][] = [
    [`own pack of a year, ${yearOfOne} sessions`, adviser.cookie, year],
    ['the practice’s pack of the same adviser', owner.cookie, { ...year, teamId, adviserId: adviser.id }],
  ];
  for (const [name, cookie, body] of packs) {
    const quiet = await packOf(server, cookie, body);
    lines.push(row([`${name}, quiet`, `${round(quiet)} in all`, '', '≤ 5,000']));
    const [beside, user] = await Promise.all([
      packOf(server, cookie, body),
      load(`${server.base}/api/user`, { cookie: owner.cookie, connections: 10, seconds: 8 }),
    ]);
    lines.push(row([`${name}, beside 10 connections`, `${round(beside)} in all`, '', '≤ 5,000']));
    lines.push(row(['GET /api/user meanwhile', user.p50, `${user.p99} (${user.errors} errors)`, '≤ 250']));
  }
  lines.push(row(['GET /api/user without a pack', alone.p50, `${alone.p99} (${alone.errors} errors)`, '']));
  console.log(`\n${lines.join('\n')}\n\nLoad of the machine at the end: ${machineLoad()}\n`);
}

/** How many minutes it may take until everybody is told of a recall. */
const tellsWithin = 10;

/** An administrator recalls one version of a tool, one in eighteen sessions; people are told beside GET /api/user, and read the lists. */
async function measureRecall(server: Server, database: Database, { owner, adviser, teamId }: Filled): Promise<void> {
  const admin = await signUp(server, database);
  await database.query('update users set is_admin = true where id = $1', [admin.id]);
  const token = await call(server, '/api/admin/csrf-token', { cookie: admin.cookie });
  const { csrfToken } = (await token.json()) as { csrfToken: string };
  const toolId = 'risk-profile-ai';
  const terms = { versions: ['2.0'], fromDay: '2020-01-01', untilDay: null, severity: 'low', stops: false };
  const body = { ...terms, wrong: 'It erred.', lookFor: 'Errors.', _csrf: csrfToken };
  const begin = performance.now();
  const opened = await call(server, `/api/admin/tools/${toolId}/recalls`, { cookie: admin.cookie, body });
  expect(opened.ok, `the recall was refused: ${await opened.clone().text()}`);
  const opening = performance.now() - begin;
  const { id } = (await opened.json()) as { id: string };
  const one = async (text: string, values: unknown[]) =>
    Number((await database.query<{ n: string }>(text, values))[0]!.n);
  const mails = `select count(*) as n from mails where kind = 'recall' and sent_at is not null`;
  // Everybody with such sessions, and the practice's owner for the practice.
  const people =
    1 +
    (await one(`select count(distinct user_id) as n from tool_usage where tool_id = $1 and tool_version = '2.0'`, [
      toolId,
    ]));
  const meanwhile: Load[] = [];
  while ((await one(mails, [])) < people) {
    expect(performance.now() - begin < tellsWithin * 60_000, 'not everybody was told in time');
    meanwhile.push(await load(`${server.base}/api/user`, { cookie: owner.cookie, connections: 10, seconds: 2 }));
  }
  const told = (performance.now() - begin) / 1000;
  const sessions = await one('select count(*) as n from recall_sessions where recall_id = $1', [id]);
  const p99 = Math.max(...meanwhile.map((run) => run.p99));
  const errors = meanwhile.reduce((sum, run) => sum + run.errors, 0);
  const lines = heading('recall', 'p50 ms', 'p99 ms', 'target p99');
  lines.push(row([`opened, with ${sessions} sessions`, `${round(opening)} in all`, '', '']));
  lines.push(row([`${people} people told by mail`, `${round(told)} s in all`, '', `≤ ${tellsWithin * 60} s`]));
  lines.push(row(['GET /api/user meanwhile, the slowest two seconds', '', `${p99} (${errors} errors)`, '≤ 250']));
  const list = '/api/record/recalls';
  const page = `${list}/${id}/sessions`;
  const half = await database.query<{ id: string }>(
    'select session_id as id from recall_sessions where recall_id = $1 order by session_id offset $2 limit 1',
    [id, Math.floor(sessions / 2)],
  );
  const reads: [name: string, cookie: string, path: string][] = [
    ['an adviser’s recalls', adviser.cookie, list],
    ['their sessions', adviser.cookie, page],
    ['the practice’s recalls', owner.cookie, `${list}?teamId=${teamId}`],
    ['its sessions, first page', owner.cookie, `${page}?teamId=${teamId}`],
    ['its sessions, a page in between', owner.cookie, `${page}?teamId=${teamId}&after=${half[0]!.id}`],
    ['its open sessions', owner.cookie, `${page}?teamId=${teamId}&open=true`],
  ];
  for (const [name, cookie, path] of reads) {
    await timed(server, cookie, path, 50);
    const taken = await timed(server, cookie, path);
    lines.push(row([name, round(taken.p50, 1), round(taken.p99, 1), '≤ 50']));
  }
  console.log(`\n${lines.join('\n')}\n\nLoad of the machine at the end: ${machineLoad()}\n`);
}

/** `npm run bench -- record`: the register of a million sessions, a recall of one version, and a year's pack of one adviser beside GET /api/user. */
export const recordBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    const server = await startServer(database, withoutSandbox);
    const [owner, adviser] = [await signUp(server, database), await signUp(server, database)];
    console.error(`  ${sessions.toLocaleString('en-AU')} sessions`);
    const teamId = await fillRegister(database, owner, adviser);
    await measureRecall(server, database, { owner, adviser, teamId });
    await measureRecord(server, database, { owner, adviser, teamId });
  });
