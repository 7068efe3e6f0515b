import { rowsOf } from './purchases.ts';
import { withClient } from './outside.ts';
import type { TestApp } from './test-app.ts';
import { until } from './until.ts';

type Call = () => Promise<{ status: number }>;
type Row = { table: 'users' | 'teams' | 'tools'; id: string };

const lockOf = ({ table, id }: Row) => ({ text: `select from ${table} where id = $1 for update`, values: [id] });

const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Sends these calls while nobody can change the row, each once those before it wait or are answered; returns the answers' statuses. */
export async function inTurn(app: TestApp, row: Row | { lock: string }, calls: Call[]): Promise<number[]> {
  const answers: Promise<{ status: number }>[] = [];
  let answered = 0;
  await withClient(app.database.url, async (client) => {
    await client.query('begin');
    await client.query('lock' in row ? { text: row.lock } : lockOf(row));
    for (const call of calls) {
      answers.push(call().finally(() => (answered += 1)));
      const waits = async () => (await rowsOf(app, waiting)).length === answers.length - answered;
      await until('the call waits, or is answered', 10_000, waits);
    }
    await client.query('commit');
  });
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** The owner's use of the link that a forgotten password is answered with. */
export async function resetOf(app: TestApp, email: string): Promise<Call> {
  await app.agent().post('/api/forgot-password').send({ email }).expect(200);
  await app.context.queue.drain();
  const [mail] = await rowsOf(
    app,
    `select text_body from mails where to_address = $1 and kind = 'password-reset' order by created_at desc`,
    [email],
  );
  const token = /token=([\w-]+)/.exec((mail as { text_body: string }).text_body)![1]!;
  return async () => app.agent().post('/api/reset-password').send({ token, password: newPassword });
}
export const newPassword = 'Brave-Otter-42';
