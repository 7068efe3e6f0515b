import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { type Adviser, call, signUp } from '../faults/people.ts';
import { password } from '../newcomer.ts';
import { startServer } from '../production-server.ts';
import type { Flood } from './flood-sender.ts';
import { heading, load, onCluster, round, row, withoutSandbox } from './measure.ts';

const customers = 20;
const each = 10;

/**
 * `npm run bench -- floods`: how long an honest person waits while one address sends 100 wrong sign-ins, and twenty customers ask for ten
 * PDFs of different invoices and ten exports each, all at once, from another process.
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

    const sender = fork(path.join(import.meta.dirname, 'flood-sender.ts'), { execArgv: ['--import', 'tsx'] });
    const answered = async () => (await once(sender, 'message'))[0] as unknown;
    const flood: Flood = {
      base: server.base,
      wrongSignIns: 100,
      pdfs: invoices.map(({ id, user_id }) => ({ id, cookie: cookieOf.get(user_id)! })),
      exports: people.flatMap(({ cookie }) => Array.from({ length: each }, () => cookie)),
    };

    const [load1 = 0] = os.loadavg();
    const quiet = await load(`${server.base}/api/user`, { cookie: honest.cookie, seconds: 4, connections: 4 });
    sender.send(flood);
    await answered();
    const running = answered();
    const begun = performance.now();
    const signedIn = call(server, '/api/login', { body: { email: honest.email, password }, cookie: device }).then(
      ({ status }) => ({ status, ms: performance.now() - begun }),
    );
    const during = await load(`${server.base}/api/user`, { cookie: honest.cookie, seconds: 4, connections: 4 });
    const { status, ms } = await signedIn;
    const counts = (await running) as Record<string, number>;
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
        row(['load of the machine before (1 minute)', round(load1, 1), 'below its cores']),
        ...Object.entries(counts)
          .toSorted()
          .map(([what, times]) => row([what, times, ''])),
        '',
      ].join('\n'),
    );
  });
