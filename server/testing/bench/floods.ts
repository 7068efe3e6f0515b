import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { type Adviser, call, signUp } from '../faults/people.ts';
import { password } from '../newcomer.ts';
import { startServer } from '../production-server.ts';
import type { Flood } from './flood-sender.ts';
import { unreadAnswers, wideBodies } from './wide-and-pipelined.ts';
import { heading, load, onCluster, round, row, withoutSandbox } from './measure.ts';

const customers = 20;
const each = 10;
/** Customers who attack as members. */
const attackers = 8;
const signIns = 10;

/** Sends the flood; `during` runs once it has begun. Returns what `during` found, and what the flood was answered. */
async function beside<T>(flood: Flood, during: () => Promise<T>) {
  const sender = fork(path.join(import.meta.dirname, 'flood-sender.ts'), { execArgv: ['--import', 'tsx'] });
  const answered = async () => (await once(sender, 'message'))[0] as unknown;
  sender.send(flood);
  await answered();
  const running = answered();
  const found = await during();
  return { found, counts: (await running) as Record<string, number> };
}

/** Signs in ten times, one after another: how many succeeded, and the median of their times. */
async function signInTimes(server: { base: string }, email: string, headers: (n: number) => Record<string, string>) {
  const times: number[] = [];
  let right = 0;
  for (let n = 0; n < signIns; n += 1) {
    const begun = performance.now();
    const { status } = await call(server, '/api/login', { body: { email, password }, headers: headers(n) });
    times.push(performance.now() - begun);
    if (status === 200) right += 1;
  }
  const p50 = times.toSorted((a, b) => a - b)[signIns / 2]!;
  return `${right} of ${signIns}, p50 ${round(p50)} ms`;
}

/**
 * `npm run bench -- floods`: how long an honest person waits while one address sends 100 wrong sign-ins, and twenty customers ask for ten
 * PDFs of different invoices and ten exports each, all at once, from another process; then while eight of them keep ten right proofs each
 * under way; then what wide bodies and unread answers do to others.
 */
export const floodsBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('floods');
    const started = await startServer(database, withoutSandbox);
    // By number: otherwise 500 look-ups of `localhost` at once would be what is measured.
    const server = { base: `http://127.0.0.1:${started.port}` };
    const honest = await signUp(server, database);
    const first = await call(server, '/api/login', { body: { email: honest.email, password } });
    const device = first.headers
      .getSetCookie()
      .find((line) => line.startsWith('device='))!
      .split(';')[0]!;
    const people: Adviser[] = [];
    for (let i = 0; i < customers; i += 1) people.push(await signUp(server, database));
    for (const { id } of people)
      await database.query(
        `insert into invoices (stripe_invoice_id, user_id, number, status, description, total_cents, gst_cents, amount_paid_cents, due_cents, lines, issued_at)
          select gen_random_uuid()::text, $1, 'AD-' || n, 'paid', 'Risk Profile AI', 3000, 273, 3000, 0, '[]', now() from generate_series(1, $2::int) n`,
        [id, each],
      );
    const invoices = await database.query<{ id: string; user_id: string }>('select id, user_id from invoices');
    const cookieOf = new Map(people.map(({ id, cookie }) => [id, cookie]));

    const flood: Flood = {
      base: server.base,
      wrongSignIns: 100,
      pdfs: invoices.map(({ id, user_id }) => ({ id, cookie: cookieOf.get(user_id)! })),
      exports: people.flatMap(({ cookie }) => Array.from({ length: each }, () => cookie)),
      members: [],
    };

    const [load1 = 0] = os.loadavg();
    const quiet = await load(`${server.base}/api/user`, { cookie: honest.cookie, seconds: 4, connections: 4 });
    const { found, counts } = await beside(flood, async () => {
      const begun = performance.now();
      const signedIn = call(server, '/api/login', { body: { email: honest.email, password }, cookie: device }).then(
        ({ status }) => ({ status, ms: performance.now() - begun }),
      );
      const during = await load(`${server.base}/api/user`, { cookie: honest.cookie, seconds: 4, connections: 4 });
      return { during, ...(await signedIn) };
    });
    const { during, status, ms } = found;
    const members = people.slice(0, attackers).map(({ cookie }) => cookie);
    const attacked = await beside({ ...flood, wrongSignIns: 0, pdfs: [], exports: [], members }, async () => ({
      known: await signInTimes(server, honest.email, () => ({ cookie: device })),
      strange: await signInTimes(server, honest.email, (n) => ({ 'x-forwarded-for': `198.51.100.${n}` })),
    }));
    const wide = await wideBodies(server.base, honest.cookie);
    const unread = await unreadAnswers({ ...started, ...server });
    console.log(
      [
        '',
        ...heading('what', 'measured', 'demanded'),
        row([`honest sign-in from a known device (${status})`, `${round(ms)} ms`, '≤ 3000 ms']),
        row([
          'GET /api/user, p99 during the flood',
          during.perSecond > 0 ? `${round(during.p99)} ms` : 'no answer',
          '≤ 250 ms',
        ]),
        row(['GET /api/user, p99 before', `${round(quiet.p99)} ms`, '']),
        row(['members attack: sign-ins from a known device', attacked.found.known, '10 of 10, ≤ 3000 ms']),
        row(['members attack: sign-ins from new devices', attacked.found.strange, '10 of 10, ≤ 3000 ms']),
        ...wide,
        ...unread,
        row(['load of the machine before (1 minute)', round(load1, 1), 'below its cores']),
        ...Object.entries({ ...counts, ...attacked.counts })
          .toSorted()
          .map(([what, times]) => row([what, times, ''])),
        '',
      ].join('\n'),
    );
  });
