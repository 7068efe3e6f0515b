import pg from 'pg';
import request from 'supertest';
import { day, hour, minute } from '#shared/rules/dates.ts';
import { runDueJobs } from '#server/jobs.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { startProduct, type Product } from '#server/start.ts';
import { reconcileSubscriptions, remindOfRenewals } from '#server/subscriptions/jobs.ts';
import { createUser } from '../factories.ts';
import { password } from '../newcomer.ts';
import { holdPort } from '../ports.ts';
import { startServer } from '../production-server.ts';
import { buy } from '../purchases.ts';
import { testEnv } from '../test-env.ts';
import { expect } from '../until.ts';
import { heading, machineLoad, onCluster, round, row } from './measure.ts';

/** Each pays for two tools on one bill; a thirtieth of them are billed on the simulated day. */
const advisers = Number(process.env['ADVISERS'] ?? 100_000);
const ofOneDay = Math.ceil(advisers / 30);
const tools = ['risk-profile-ai', 'fact-find-ai'];

/** The one who really buys: everybody else is a copy of their rows, and of their objects at Stripe. */
async function buyer({ context, port, sandbox }: Product): Promise<{ id: string; customer: string }> {
  const { id, email } = await createUser(context);
  const url = `http://127.0.0.1:${port}`;
  const agent = request.agent(url);
  await agent.post('/api/login').send({ email, password }).expect(200);
  for (const toolId of tools) {
    await buy({ url }, agent, toolId);
  }
  await sandbox!.deliverPending();
  await context.queue.drain();
  const { rows } = await context.db.$client.query<{ customer: string }>(
    'select stripe_customer_id as customer from users where id = $1',
    [id],
  );
  return { id, customer: rows[0]!.customer };
}

/** Makes `as_person(text, n)`, which replaces every name of the buyer, and of their objects, by the nth person's. */
async function defineCopies(pool: pg.Pool, { id, customer }: { id: string; customer: string }): Promise<void> {
  const { rows } = await pool.query<{ text: string; prefix: string | null }>(
    `select data::text as text, data ->> 'invoice_prefix' as prefix from sandbox.objects
     where (id = $1 or data ->> 'customer' = $1) and kind <> 'event'`,
    [customer],
  );
  const { rows: kept } = await pool.query<{ id: string }>(
    `select id from tool_subscriptions where user_id = $1 union all select id from bills where user_id = $1
     union all select id from told_bills where user_id = $1`,
    [id],
  );
  const names = new Set(
    rows.flatMap(({ text, prefix }) => [
      ...(text.match(/\b(cus|sub|si|in|ii|il|di|pi|ch|pm|seti|txn|inpay)_[A-Za-z0-9]{8,}/g) ?? []),
      ...(prefix ? [prefix] : []),
    ]),
  );
  const uuids = [id, ...kept.map((one) => one.id)];
  const replaced = [
    ...[...names].map((name) => [name, `'${name}N' || n`]),
    ...uuids.map((uuid) => [uuid, `md5('${uuid}' || n)::uuid::text`]),
    ['@practice.example', `'-' || n || '@practice.example'`],
  ].reduce((text, [name, other]) => `replace(${text}, '${name!}', ${other!})`, 'given');
  await pool.query(
    `create function as_person(given text, n int) returns jsonb language sql immutable as $$ select (${replaced})::jsonb $$`,
  );
}

/** Copies the buyer's rows of a table for everybody else, without what its triggers would do for each. */
async function copyRows(pool: pg.Pool, table: string, where: string, id: string, changed = `'{}'::jsonb`) {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  await pool.query(`alter table ${table} disable trigger user`);
  await pool.query(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => `(made).${name}`).join(', ')}
     from (
       select jsonb_populate_record(null::${table}, as_person(to_jsonb(t)::text, n) || ${changed}) as made
       from ${table} t, generate_series(2, ${advisers}) n where t.${where} = $1 offset 0
     ) as people`,
    [id],
  );
  await pool.query(`alter table ${table} enable trigger user`);
}

/** Puts everybody into our tables, but into Stripe's only those whose month ends on the simulated day. */
async function fill(pool: pg.Pool, { id, customer }: { id: string; customer: string }): Promise<void> {
  // The others' months end on later days, and theirs are not due to be read again.
  const later = (...changed: string[]) =>
    `case when n > ${ofOneDay} then jsonb_build_object(${changed.join(', ')}) else '{}'::jsonb end`;
  const movedBack = (column: string) => `'${column}', to_jsonb(t.${column} + (1 + n % 29) * interval '1 day')`;
  await copyRows(pool, 'users', 'id', id, later(movedBack('billing_anchor'), movedBack('next_bill_at')));
  await copyRows(
    pool,
    'tool_subscriptions',
    'user_id',
    id,
    later(movedBack('period_start'), movedBack('end_date'), `'synced_at', now() + interval '1 year'`),
  );
  await copyRows(pool, 'bills', 'user_id', id);
  await copyRows(pool, 'told_bills', 'user_id', id, later(movedBack('bill_at')));
  await pool.query(
    `insert into sandbox.objects (id, kind, created, due_at, data, hidden)
     select made ->> 'id', kind, created, due_at, made, hidden
     from (
       select as_person(data::text, n) as made, kind, created, due_at, as_person(hidden::text, n) as hidden
       from sandbox.objects, generate_series(2, ${ofOneDay}) n
       where (id = $1 or data ->> 'customer' = $1) and kind <> 'event' offset 0
     ) as objects`,
    [customer],
  );
  await pool.query('vacuum analyze');
}

/** A drain gives up after two minutes; a day's webhooks take longer. */
async function drainLong(queue: Product['context']['queue']): Promise<void> {
  for (let patience = 30; ; patience -= 1) {
    try {
      return await queue.drain();
    } catch (error) {
      if (patience === 0 || !(error instanceof Error && error.message.startsWith('Jobs are still due'))) throw error;
    }
  }
}

/** Lives through the day on which the buyer's month ends, and prints how long each piece of work took. */
async function liveThroughDay(product: Product): Promise<void> {
  const { context, clock, sandbox } = product;
  const pool = context.db.$client;
  const counted = async (text: string) =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from ${text}`)).rows[0]!.n);
  const lines = heading('work', 'how much', 'seconds', 'has');
  const timed = async (name: string, has: string, work: () => Promise<unknown>, much: () => Promise<string>) => {
    const begin = performance.now();
    await work();
    const seconds = (performance.now() - begin) / 1000;
    lines.push(row([name, await much(), round(seconds, 1), has]));
    console.error(`  ${lines.at(-1)!}`);
  };
  const { rows } = await pool.query<{ at: Date }>('select min(end_date) as at from tool_subscriptions');
  const renewsAt = rows[0]!.at.getTime();
  const goTo = (at: number) => clock.advance(at - context.now().getTime());

  await goTo(renewsAt - day + hour);
  await timed(
    'reminders 7, 3 and 1 days before',
    '3,600',
    () => remindOfRenewals(context),
    async () => `${await counted("mails where kind = 'renewal-reminder'")} mails`,
  );
  await timed(
    'those mails, to the mailbox',
    '3,600',
    () => context.queue.drain(),
    async () => `${await counted('mails where sent_at is not null')} sent`,
  );
  const readBefore = context.now();
  await timed(
    'a minute’s share of the subscriptions read again at Stripe',
    '60',
    () => reconcileSubscriptions(context),
    async () =>
      `${await counted(`tool_subscriptions where synced_at between '${readBefore.toISOString()}' and '${new Date(readBefore.getTime() + hour).toISOString()}'`)} of ${await counted('tool_subscriptions')}`,
  );
  const events = await counted('stripe_events');
  const renew = async () => {
    await sandbox!.tick();
    await drainLong(context.queue);
  };
  await goTo(renewsAt + minute);
  await timed(
    'a day’s bills at one moment: invoices drawn up',
    '3,600',
    renew,
    async () => `${(await counted('stripe_events')) - events} webhooks`,
  );
  await goTo(renewsAt + hour + 2 * minute);
  await timed(
    'and charged an hour later',
    '3,600',
    renew,
    async () => `${(await counted('stripe_events')) - events} webhooks in all`,
  );
  await timed(
    'every scheduled job once, those of a night and a month too',
    '3,600',
    () => runDueJobs(context),
    async () => 'all',
  );

  const renewed = await counted(
    `tool_subscriptions where status = 'active' and end_date > '${new Date(renewsAt + 20 * day).toISOString()}'
     and user_id in (select user_id from bills where kind = 'month')`,
  );
  const paid = await counted(`invoices where status = 'paid' and issued_at >= '${new Date(renewsAt).toISOString()}'`);
  const bills = await counted(`bills where kind = 'month' and status = 'paid'`);
  const parked = await counted("stripe_events where status in ('pending', 'parked')");
  console.log(
    `\n${lines.join('\n')}\n\n${bills} bills of ${ofOneDay} paid by ${paid} invoices, ${renewed} subscriptions of ${ofOneDay * tools.length} go on; ${parked} webhooks not worked through. Load of the machine at the end: ${machineLoad()}\n`,
  );
  const isRight = paid === ofOneDay && bills === ofOneDay && renewed === ofOneDay * tools.length && parked === 0;
  expect(isRight, 'every payer of the day paid one bill for both tools, and it was worked through');
}

/**
 * `npm run bench -- simulate`: a day of 100,000 paying advisers (ADVISERS for another number) on one server. PostgreSQL and the payments
 * sandbox, which makes one change at a time, share its machine.
 */
export const simulateBench = (): Promise<void> =>
  onCluster(async (cluster) => {
    const database = await cluster.create('adviserly');
    await (await startServer(database)).stop(); // migrates and seeds
    const { socket, port } = await holdPort();
    const env = testEnv({ PORT: String(port), JOBS: 'off' });
    const product = await startProduct({
      env,
      databaseUrl: database.url,
      log: createLog({ logLevel: 'error' }),
      socket,
    });
    const first = await buyer(product);
    console.error(`  ${advisers.toLocaleString('en-AU')} advisers`);
    // Filling takes longer than the product waits for a statement.
    const filling = new pg.Pool({ connectionString: database.url, max: 1 });
    await defineCopies(filling, first);
    await fill(filling, first);
    await filling.end();
    await liveThroughDay(product);
    await product.stop();
  });
