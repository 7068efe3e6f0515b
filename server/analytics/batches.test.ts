import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hour, minute } from '#shared/rules/dates.ts';
import { invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { insertSession } from '#server/usage/service.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

const tool = 'risk-profile-ai';

const app = testApp();
let secret: string;
let userId: string;
beforeAll(async () => {
  secret = await makeSecret(app, tool);
  userId = (await createUser(app.context)).id;
});

const open = async () => {
  const [id, now] = [randomUUID(), app.context.now()];
  await insertSession(app.context.db, { id, userId, toolId: tool, sessionId: id, createdAt: now, lastAccessed: now });
  return id;
};
const send = (events: unknown[]) => app.agent().post('/api/tools/usage').auth(tool, secret).send({ events });
const event = (session_id: string, more: object = {}) => ({
  event_id: randomUUID(),
  session_id,
  duration_seconds: 600,
  performance_score: 8,
  ...more,
});

/** Everything that is counted, as stored in the database. */
async function counted() {
  const read = async (sql: string) => (await app.context.db.$client.query(sql)).rows as object[];
  return {
    days: await read('select * from usage_days order by user_id, day, tool_id'),
    metrics: await read('select * from tool_metrics order by tool_id, date'),
    sessions: await read('select * from tool_usage order by id'),
    events: await read('select count(*) from usage_analytics'),
  };
}
const metrics = async () => {
  const { rows } = await app.context.db.$client.query(
    `select sum(total_revenue)::text as revenue, sum(total_sessions)::int as sessions, sum(total_users)::int as users,
      sum(reported_sessions)::int as reported, sum(total_duration)::int as seconds from tool_metrics`,
  );
  return rows[0] as { revenue: string; sessions: number; users: number; reported: number; seconds: number };
};

describe('a batch that is sent late, twice or with malice', () => {
  it('changes no figure as a duplicate, however it is sent again', async () => {
    const [session, other] = [await open(), await open()];
    const sent = event(session);
    await send([sent]).expect(200);
    const before = await counted();
    await send([sent, { ...sent, duration_seconds: 86_400 }, { ...sent, session_id: other }]).expect(200);
    await Promise.all(Array.from({ length: 10 }, () => send([sent]).expect(200)));
    expect(await counted()).toEqual(before);
  });

  it('changes no figure as a late one', async () => {
    const session = await open();
    await app.clock.advance(49 * hour);
    const before = await counted();
    await send([event(session), event(session, { duration_seconds: 1 })]).expect(200);
    expect(await counted()).toEqual(before);
  });

  it('changes no figure as a hostile one, of random content', async () => {
    const session = await open();
    const before = await counted();
    const amount = fc.oneof(fc.integer({ max: -1 }), fc.double(), fc.string(), fc.constant(1e308), fc.constant(null));
    const hostile = fc.oneof(
      fc.anything(),
      fc.record({ event_id: fc.string(), session_id: fc.constant(session), duration_seconds: amount }),
      fc.record({
        event_id: fc.string({ minLength: 1 }),
        session_id: fc.oneof(fc.uuid(), fc.string()),
        duration_seconds: fc.nat(1000),
      }),
      fc.record({
        event_id: fc.string({ minLength: 1 }),
        session_id: fc.constant(session),
        duration_seconds: fc.integer({ min: 86_401 }),
        performance_score: fc.double(),
      }),
    );
    const isWhole = (item: unknown) =>
      typeof item === 'object' &&
      item !== null &&
      Number.isInteger((item as { duration_seconds?: number }).duration_seconds);
    const refused = hostile.filter(
      (item) =>
        !isWhole(item) ||
        (item as { session_id?: unknown }).session_id !== session ||
        !((item as { duration_seconds: number }).duration_seconds >= 0) ||
        (item as { duration_seconds: number }).duration_seconds > 86_400,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(refused, { minLength: 1, maxLength: 20 }), async (events) => {
        const answer = await app.agent().post('/api/tools/usage').auth(tool, secret).send({ events });
        expect(answer.status).toBeLessThan(500);
        if (answer.status !== 200) return;
        for (const each of (answer.body as { events: { accepted: boolean }[] }).events)
          expect(each.accepted).toBe(false);
      }),
      { numRuns: 40, seed: 7 },
    );
    expect(await counted()).toEqual(before);
  });

  it('counts once, though several cross at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, open));
    const before = await metrics();
    const events = Array.from({ length: 20 }, (_, i) => event(sessions[i % 4]!));
    await Promise.all(Array.from({ length: 8 }, (_, i) => send(i % 2 ? events : events.toReversed()).expect(200)));
    const after = await metrics();
    expect(after.seconds - before.seconds).toBe(20 * 600);
    expect(after.reported - before.reported).toBe(4);
    expect(after.sessions - before.sessions).toBe(0);
  });
});

describe('tool_metrics', () => {
  it('counts an adviser once a day, and again on the next', async () => {
    const before = await metrics();
    await Promise.all([open(), open(), open()]);
    await app.clock.advance(24 * hour + minute);
    await open();
    const after = await metrics();
    expect(after.sessions - before.sessions).toBe(4);
    expect([1, 2]).toContain(after.users - before.users);
    const { rows } = await app.context.db.$client.query(
      `select count(*)::int as wrong from (select tool_id, day, count(*) filter (where sessions > 0) as users from usage_days group by 1, 2) d
        join tool_metrics m on m.tool_id = d.tool_id and m.date = d.day where m.total_users <> d.users`,
    );
    expect(rows).toEqual([{ wrong: 0 }]);
  });

  it('performanceRating is clamped to 9.99', async () => {
    const session = await open();
    await app.context.db.$client.query('update tool_metrics set score_total = 0, score_count = 0');
    await send([event(session, { performance_score: 10 })]).expect(200);
    const { rows } = await app.context.db.$client.query('select max(performance_rating) as best from tool_metrics');
    expect(rows).toEqual([{ best: '9.99' }]);
  });

  it('adds paid invoices once, on the day they were paid in Sydney, and corrects what changes', async () => {
    const now = app.context.now();
    const [subscription] = await app.context.db
      .insert(toolSubscriptions)
      .values({ userId, toolId: tool, status: 'active' })
      .returning({ id: toolSubscriptions.id });
    const { revenue: before } = await metrics();
    const invoice = {
      stripeInvoiceId: `in_${randomUUID()}`,
      userId,
      subscriptionId: subscription!.id,
      status: 'open',
      description: 'Risk Profile AI',
      totalCents: 3000,
      gstCents: 273,
      amountPaidCents: 0,
      lines: [],
      issuedAt: now,
      paidAt: null,
    };
    await app.context.db.insert(invoices).values(invoice);
    const write = async (sql: string, ...values: unknown[]) => {
      await app.context.db.$client.query(
        `update invoices set ${sql} where stripe_invoice_id = '${invoice.stripeInvoiceId}'`,
        values,
      );
      return Number((await metrics()).revenue) - Number(before);
    };
    expect(await write('total_cents = 3000')).toBe(0);
    const paid = `status = 'paid', amount_paid_cents = 3000, paid_at = $1`;
    expect(await write(paid, '2026-10-03T13:59:59Z')).toBeCloseTo(30, 9);
    expect(await write(paid, '2026-10-03T13:59:59Z')).toBeCloseTo(30, 9);
    expect(await write(paid, '2026-10-03T14:00:00Z')).toBeCloseTo(30, 9);
    const { rows } = await app.context.db.$client.query(
      `select date::text, total_revenue from tool_metrics where total_revenue <> 0`,
    );
    expect(rows).toEqual([{ date: '2026-10-04', total_revenue: '30.00' }]);
    expect(await write('amount_paid_cents = 2550')).toBeCloseTo(25.5, 9);
    expect(await write(`status = 'void'`)).toBeCloseTo(0, 9);
  });

  it('counts an invoice of several tools for each by its lines, once', async () => {
    const user = await createUser(app.context);
    const line = (toolId: string, cents: number, off = 0) => ({
      toolId,
      cents,
      description: toolId,
      quantity: 1,
      ...(off > 0 && { discounts: [{ label: 'Bulk discount (5%)', cents: off }] }),
    });
    const perTool = async () => {
      const { rows } = await app.context.db.$client.query<{ tool_id: string; revenue: string }>(
        `select tool_id, sum(total_revenue)::text as revenue from tool_metrics where tool_id in ('pre-fill-ai', 'portfolio-ai') group by 1`,
      );
      return Object.fromEntries(rows.map(({ tool_id: tool, revenue }) => [tool, Math.round(Number(revenue) * 100)]));
    };
    const before = await perTool();
    const more = async () => {
      const now = await perTool();
      return ['pre-fill-ai', 'portfolio-ai'].map((tool) => (now[tool] ?? 0) - (before[tool] ?? 0));
    };
    const now = app.context.now();
    const invoice = {
      stripeInvoiceId: `in_${user.id}`,
      userId: user.id,
      status: 'paid',
      description: '2 tools',
      totalCents: 6650,
      gstCents: 605,
      amountPaidCents: 6650,
      // The first tool's month and a credit for days of it; the other's month, less a discount.
      lines: [line('pre-fill-ai', 3000), line('pre-fill-ai', -150), line('portfolio-ai', 4000, 200)],
      issuedAt: now,
      paidAt: now,
    };
    await app.context.db.insert(invoices).values(invoice);
    expect(await more()).toEqual([2850, 3800]);
    const set = (sql: string) =>
      app.context.db.$client.query(`update invoices set ${sql} where stripe_invoice_id = '${invoice.stripeInvoiceId}'`);
    // Credit has paid a part of it: what the card paid counts, in the same proportion.
    await set('amount_paid_cents = 6649');
    const [one, two] = (await more()) as [number, number];
    expect([one + two, Math.abs(one - 2850) <= 1]).toEqual([6649, true]);
    await set("status = 'void'");
    expect(await more()).toEqual([0, 0]);
  });
});

// Last in the file: deleted people stay in the counts of a day.
describe('the kept sums', () => {
  const count = async (sql: string) => (await app.context.db.$client.query(sql)).rows as object[];
  const wrong = async () => ({
    sessions: await count(`select s.id from tool_usage s left join (select usage_id, count(*) as reports,
        sum(session_duration) as seconds, sum(performance_score) as score from usage_analytics group by 1) e on e.usage_id = s.id
      where (s.reports, s.duration_seconds, s.score_total) is distinct from (coalesce(e.reports, 0), coalesce(e.seconds, 0), coalesce(e.score, 0))`),
    days: await count(`select d.user_id from usage_days d full join (select user_id, tool_id,
        (date at time zone 'Australia/Sydney')::date as day, sum(session_duration) as seconds, count(performance_score) as scores
        from usage_analytics group by 1, 2, 3) e using (user_id, tool_id, day)
      where (coalesce(d.duration_seconds, 0), coalesce(d.score_count, 0)) is distinct from (coalesce(e.seconds, 0), coalesce(e.scores, 0))`),
    orphans: await count(
      'select id from usage_analytics e where not exists (select from tool_usage s where s.id = e.usage_id and s.user_id = e.user_id)',
    ),
  });

  it('equal a recount after batches of two tools at once, with shared event ids, while people are deleted', async () => {
    const secrets = new Map([[tool, secret]]);
    secrets.set('file-note-ai', await makeSecret(app, 'file-note-ai'));
    const people = await Promise.all(Array.from({ length: 6 }, async () => (await createUser(app.context)).id));
    const [db, now] = [app.context.db, app.context.now()];
    const sessions = people.flatMap((person) =>
      [...secrets.keys()].map((toolId) => ({ id: randomUUID(), userId: person, toolId })),
    );
    for (const one of sessions)
      await insertSession(db, { ...one, sessionId: one.id, createdAt: now, lastAccessed: now });
    const events = Array.from({ length: 40 }, () => randomUUID());
    const batch = (toolId: string, turn: number) => {
      const mine = sessions.filter((one) => one.toolId === toolId);
      const all = events.map((event_id, n) => event(mine[(n + turn) % mine.length]!.id, { event_id }));
      return app.agent().post('/api/tools/usage').auth(toolId, secrets.get(toolId)!).send({ events: all });
    };
    const sent = [...secrets.keys()].flatMap((toolId) => [0, 1, 2, 3].map((turn) => batch(toolId, turn)));
    const deleted = people.slice(0, 2).map((id) => db.$client.query('delete from users where id = $1', [id]));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    await Promise.all(deleted);
    expect(await wrong()).toEqual({ sessions: [], days: [], orphans: [] });
  });
});
