import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { businessApi } from '#shared/api/business.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { users } from '#shared/schema/accounts.ts';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createUser } from '#server/testing/factories.ts';
import { DAY, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { countBusiness } from './jobs.ts';

type Shown = Reply<typeof businessApi.show>;
type NewRow = Partial<typeof toolSubscriptions.$inferInsert>;

let app: TestApp;
let replica: TestApp;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({}, app.database);
  admin = await administrator(app);
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const ask = async (query = '') => (await admin.agent.get(`/api/admin/business${query}`).expect(200)).body as Shown;
/** The page once everything is counted: by two replicas at once, and again. */
const shown = async (query = '') => {
  await Promise.all([countBusiness(app.context), countBusiness(replica.context)]);
  await countBusiness(app.context);
  return ask(query);
};
const thisMonth = ({ months }: Shown) => months.at(-1)!;
const toolId = 'risk-profile-ai';

const begin = async (values: NewRow = {}, userId?: string) => {
  const row = {
    userId: userId ?? (await createUser(app.context)).id,
    toolId,
    monthlyCents: 3000,
    stripeSubscriptionId: `sub_${randomUUID()}`,
    createdAt: app.context.now(),
    ...values,
  };
  const [added] = await app.context.db.insert(toolSubscriptions).values(row).returning();
  return added!;
};
const change = (id: string, values: NewRow) =>
  app.context.db.update(toolSubscriptions).set(values).where(eq(toolSubscriptions.id, id));

const inADay = () => new Date(app.context.now().getTime() + DAY);
const trial = { status: 'trial', trialEndDate: new Date('2030-01-01') } as const;
const grace = (): NewRow => ({ status: 'grace_period', gracePeriodEnd: inADay() });
const owed = (amountCents: number) => ({ invoiceId: 'in_1', amountCents, reason: 'declined', needsAction: false });
const cancelled = (): NewRow => ({ status: 'cancelled', endDate: inADay(), gracePeriodEnd: inADay() });
const expired: NewRow = { status: 'expired', isActive: false };

describe('what a month counts of a subscription', () => {
  const nothing = {
    newCents: 0,
    expandedCents: 0,
    contractedCents: 0,
    churnedCents: 0,
    reactivatedCents: 0,
    trialsStarted: 0,
    trialsConverted: 0,
    failed: { count: 0, cents: 0 },
    recovered: { count: 0, cents: 0 },
    lost: { count: 0, cents: 0 },
  };
  const once = (cents: number) => ({ count: 1, cents });
  const cases: [name: string, first: NewRow, then: (() => NewRow)[], mrr: number, expected: Partial<typeof nothing>][] =
    [
      ['a paid one', {}, [], 3000, { newCents: 3000 }],
      ['a trial', trial, [], 0, { trialsStarted: 1 }],
      [
        'a trial that is paid',
        trial,
        [() => ({ status: 'active' })],
        3000,
        { trialsStarted: 1, trialsConverted: 1, newCents: 3000 },
      ],
      ['a trial that ends', trial, [() => expired], 0, { trialsStarted: 1 }],
      [
        'a trial whose first charge fails, and is paid after all',
        trial,
        [() => ({ ...grace(), paymentProblem: owed(3000) }), () => ({ status: 'active', paymentProblem: null })],
        3000,
        { trialsStarted: 1, trialsConverted: 1, newCents: 3000, failed: once(3000), recovered: once(3000) },
      ],
      ['what costs nothing', { monthlyCents: 0, stripeSubscriptionId: null }, [], 0, {}],
      ['a purchase that nobody has paid', { status: 'incomplete', purchase: {} as never }, [], 0, {}],
      [
        'a purchase that is paid later',
        { status: 'incomplete', purchase: {} as never },
        [() => ({ status: 'active' })],
        3000,
        { newCents: 3000 },
      ],
      ['a higher price', {}, [() => ({ monthlyCents: 9000 })], 9000, { newCents: 3000, expandedCents: 6000 }],
      ['a lower price', {}, [() => ({ monthlyCents: 2850 })], 2850, { newCents: 3000, contractedCents: 150 }],
      ['one that becomes free', {}, [() => ({ monthlyCents: 0 })], 0, { newCents: 3000, churnedCents: 3000 }],
      ['cancelled', {}, [cancelled], 0, { newCents: 3000, churnedCents: 3000 }],
      ['cancelled, then over', {}, [cancelled, () => expired], 0, { newCents: 3000, churnedCents: 3000 }],
      [
        'cancelled and taken back',
        {},
        [cancelled, () => ({ status: 'active' })],
        3000,
        { newCents: 3000, churnedCents: 3000, reactivatedCents: 3000 },
      ],
      ['without automatic renewal', {}, [() => ({ autoRenew: false })], 0, { newCents: 3000, churnedCents: 3000 }],
      [
        'a renewal that fails and is paid',
        {},
        [() => ({ ...grace(), paymentProblem: owed(2500) }), () => ({ status: 'active', paymentProblem: null })],
        3000,
        { newCents: 3000, failed: once(2500), recovered: once(2500) },
      ],
      [
        'a renewal that fails for good',
        {},
        [() => ({ ...grace(), paymentProblem: owed(2500) }), () => ({ ...expired, paymentProblem: null })],
        0,
        { newCents: 3000, churnedCents: 3000, failed: once(2500), lost: once(2500) },
      ],
      [
        'free access that was taken back, without a purchase',
        { monthlyCents: 0, stripeSubscriptionId: null },
        [() => ({ ...grace(), monthlyCents: 3000, paymentProblem: owed(3000) })],
        0,
        {},
      ],
      [
        'a sync that finds nothing new',
        {},
        [() => ({ version: 9, syncedAt: app.context.now() })],
        3000,
        { newCents: 3000 },
      ],
    ];
  it.each(cases)('%s', async (_name, first, then, mrr, expected) => {
    const before = thisMonth(await shown());
    const { id } = await begin(first);
    for (const values of then) await change(id, values());
    const after = thisMonth(await shown());
    const more = Object.fromEntries(
      Object.keys(nothing).map((key) => {
        const [was, is] = [before[key as keyof typeof nothing], after[key as keyof typeof nothing]];
        if (typeof was === 'number' || typeof is === 'number') return [key, Number(is) - Number(was)];
        return [key, { count: is.count - was.count, cents: is.cents - was.cents }];
      }),
    );
    expect(after.mrrCents - before.mrrCents).toBe(mrr);
    expect(more).toEqual({ ...nothing, ...expected });
  });

  it('a win-back is a reactivation of somebody who had paid before, and counts once', async () => {
    const before = thisMonth(await shown());
    const old = await begin();
    await change(old.id, expired);
    const back = await begin({ winBackOf: old.id, monthlyCents: 2100 }, old.userId!);
    await change(back.id, { autoRenew: false });
    await change(back.id, { autoRenew: true });
    const after = thisMonth(await shown());
    expect(after.winBacks - before.winBacks).toBe(1);
    expect(after.newCents - before.newCents).toBe(3000);
    expect(after.reactivatedCents - before.reactivatedCents).toBe(4200);
    expect(after.mrrCents - before.mrrCents).toBe(2100);
  });

  it('is filed by plan and tool, and moves with the plan', async () => {
    const level = async (query: string) => thisMonth(await shown(query)).mrrCents;
    const was = [await level('?plan=individual'), await level('?plan=partner')];
    const row = await begin({ toolId: 'pre-fill-ai' });
    expect(await level('?plan=individual&tool=pre-fill-ai')).toBe(3000);
    await app.context.db.update(users).set({ membershipType: 'shaw_partners' }).where(eq(users.id, row.userId!));
    await change(row.id, { monthlyCents: 1500 });
    expect([await level('?plan=individual'), await level('?plan=partner')]).toEqual([was[0], was[1]! + 1500]);
    const { tools } = await shown();
    expect(tools.find((tool) => tool.toolId === 'pre-fill-ai')).toMatchObject({ mrrCents: 1500, subscriptions: 1 });
  });
});

describe('what was there before changes were kept', () => {
  it('is taken in once, as an opening balance, and the page says since when it knows', async () => {
    const { db } = app.context;
    expect((await shown()).knownSince).toBeNull();
    const before = thisMonth(await ask());
    const run = (sql: string) => db.$client.query(sql);
    await run('alter table tool_subscriptions disable trigger user');
    await run('alter table invoices disable trigger user');
    const [first, second, over] = [await begin(), await begin({ monthlyCents: 4000 }), await begin(expired)];
    await issue(over.userId!, over.id, app.context.now(), 3000);
    await run('alter table tool_subscriptions enable trigger user');
    await run('alter table invoices enable trigger user');
    await run('delete from business_backfill');
    // One is changed before the job comes to it.
    await change(second.id, { monthlyCents: 5000 });
    const page = await shown();
    const after = thisMonth(page);
    expect(page.knownSince).toBe(page.now);
    expect(page.counting).toBe(false);
    expect(after.openingCents - before.openingCents).toBe(7000);
    expect(after.expandedCents - before.expandedCents).toBe(1000);
    expect(after.mrrCents - before.mrrCents).toBe(8000);
    expect(after.newCents).toBe(before.newCents);
    expect(after.invoicedCents - before.invoicedCents).toBe(3000);
    // Who paid before is not new.
    await begin({}, over.userId!);
    expect(thisMonth(await shown()).reactivatedCents - before.reactivatedCents).toBe(3000);
    expect(first.monthlyCents).toBe(3000);
  });
});

const issue = async (userId: string, subscriptionId: string | null, issuedAt: Date, totalCents: number, more = {}) => {
  const [row] = await app.context.db
    .insert(invoices)
    .values({
      stripeInvoiceId: `in_${randomUUID()}`,
      userId,
      subscriptionId,
      status: 'open',
      description: 'Risk Profile AI',
      totalCents,
      gstCents: Math.round(totalCents / 11),
      amountPaidCents: totalCents,
      lines: [],
      issuedAt,
      ...more,
    })
    .returning({ id: invoices.id });
  return row!.id;
};
const adjust = async (invoiceId: string, issuedAt: Date, totalCents: number) => {
  const note = { invoiceId, issuedAt, totalCents, gstCents: Math.round(totalCents / 11), number: 'R1' };
  const [row] = await app.context.db
    .insert(adjustmentNotes)
    .values({ ...note, providerId: `re_${randomUUID()}` })
    .returning({ id: adjustmentNotes.id });
  return row!.id;
};

/** What the database holds, month by month in Sydney, without any of the sums. */
async function documents() {
  const found = new Map<string, [cents: number, gst: number]>();
  const add = (at: unknown, sign: number, cents: unknown, gst: unknown) => {
    const month = sydneyDate(at as Date).slice(0, 7);
    const [had, hadGst] = found.get(month) ?? [0, 0];
    found.set(month, [had + sign * Number(cents), hadGst + sign * Number(gst)]);
  };
  for (const row of await rowsOf(app, `select * from invoices where status <> 'void'`))
    add(row.issued_at, 1, row.total_cents, row.gst_cents);
  for (const row of await rowsOf(app, 'select * from adjustment_notes'))
    add(row.issued_at, -1, row.total_cents, row.gst_cents);
  return found;
}

describe('200 generated histories of twelve months', () => {
  const histories = 200;
  const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai'];
  type History = { id: string; userId: string; invoices: string[]; notes: string[] };

  it('revenue, GST and recurring revenue are those of the rows, to the cent, in every month', async () => {
    const { db, now } = app.context;
    const random = seededRandom(18);
    const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
    const all: History[] = [];
    for (let i = 0; i < histories; i += 1) {
      const row = await begin({ toolId: pick(tools)!, monthlyCents: 1000 + Math.floor(random() * 9000) });
      all.push({ id: row.id, userId: row.userId!, invoices: [], notes: [] });
    }
    /** Anywhere in the last four months, so that closed months are changed too, and right at midnights in Sydney. */
    const someTime = () =>
      random() < 0.2
        ? new Date(`${sydneyDate(now()).slice(0, 7)}-01T${random() < 0.5 ? '12:59:59' : '14:00:00'}Z`)
        : new Date(now().getTime() - random() * 120 * DAY);
    const acts: ((history: History) => Promise<unknown>)[] = [
      async (h) => h.invoices.push(await issue(h.userId, h.id, someTime(), Math.floor(random() * 20_000))),
      async (h) => h.invoices.push(await issue(h.userId, random() < 0.2 ? null : h.id, now(), 3000)),
      async ({ invoices: [id] }) => id && db.update(invoices).set({ status: 'paid' }).where(eq(invoices.id, id)),
      async ({ invoices: of }) =>
        of.length > 0 && db.update(invoices).set({ status: 'void' }).where(eq(invoices.id, of.pop()!)),
      async (h) => {
        const id = pick(h.invoices);
        if (id) h.notes.push(await adjust(id, someTime(), 1 + Math.floor(random() * 3000)));
      },
      // A refund that failed after all.
      async (h) => h.notes.length > 0 && db.delete(adjustmentNotes).where(eq(adjustmentNotes.id, h.notes.pop()!)),
      async ({ id }) => change(id, { status: 'active', monthlyCents: Math.floor(random() * 9000) }),
      async ({ id }) => change(id, cancelled()),
      async ({ id }) => change(id, { autoRenew: random() < 0.5 }),
      async ({ id }) => change(id, { status: 'active', monthlyCents: 3000, autoRenew: true }),
    ];
    for (let month = 0; month < 12; month += 1) {
      for (let round = 0; round < 2; round += 1) await Promise.all(all.map((history) => pick(acts)!(history)));
      const page = await shown();
      const rows = await rowsOf(
        app,
        `select sum(monthly_cents)::int as cents from tool_subscriptions where status = 'active' and auto_renew and is_active`,
      );
      expect(thisMonth(page).mrrCents).toBe(rows[0]!.cents);
      await app.clock.advance(27 * DAY);
    }
    const page = await shown();
    const held = await documents();
    for (const { month, invoicedCents, adjustedCents } of page.months)
      expect([month, invoicedCents - adjustedCents]).toEqual([month, held.get(month)?.[0] ?? 0]);
    const net = (of: Shown) => of.months.reduce((sum, row) => sum + row.invoicedCents - row.adjustedCents, 0);
    const inWindow = [...held].filter(([month]) => page.months.some((row) => row.month === month));
    expect(net(page)).toBe(inWindow.reduce((sum, [, [cents]]) => sum + cents, 0));
    expect(page.tools.reduce((sum, row) => sum + row.revenueCents, 0)).toBe(net(page));
    expect(page.plans.reduce((sum, row) => sum + row.revenueCents, 0)).toBe(net(page));
    const gst = page.quarters.reduce((sum, row) => sum + row.gstInvoicedCents - row.gstAdjustedCents, 0);
    expect(gst).toBe([...held.values()].reduce((sum, [, cents]) => sum + cents, 0));
    // Each month's level is the one before it and what moved.
    page.months.slice(1).forEach((row, index) => {
      const moved = row.openingCents + row.newCents + row.expandedCents + row.reactivatedCents;
      expect(row.mrrCents).toBe(page.months[index]!.mrrCents + moved - row.contractedCents - row.churnedCents);
    });
    expect(page.months.some(({ recountedAt }) => recountedAt !== null)).toBe(true);
    const csv = await admin.agent.get('/api/admin/business.csv').expect(200);
    const [header, ...lines] = csv.text.trim().split('\r\n');
    const at = header!.split(',').indexOf('Revenue');
    const inFile = lines.reduce((sum, line) => sum + Math.round(Number(line.split(',')[at]) * 100), 0);
    expect(inFile).toBe([...held.values()].reduce((sum, [cents]) => sum + cents, 0));
  }, 120_000);

  it('cohorts end as the rows are', async () => {
    const rows = await rowsOf(
      app,
      `select to_char(first, 'YYYY-MM') as month, count(*)::int as paying from (
        select distinct on (subscription_id) cohort as first, cents from subscription_changes order by subscription_id, id desc
      ) newest where first is not null and cents > 0 group by 1`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const { cohorts } = await shown();
    for (const row of rows) expect(cohorts.find(({ month }) => month === row.month)?.left.at(-1)).toBe(row.paying);
    expect(cohorts[0]!.begun).toBeGreaterThanOrEqual(cohorts[0]!.left[0]!);
  });
});

it('refuses what is no month, tool or plan', async () => {
  for (const query of ['until=2026-13', 'tool=%27', 'plan=gold'])
    await admin.agent.get(`/api/admin/business?${query}`).expect(400);
  await admin.agent.get('/api/admin/business.csv?table=users').expect(400);
});
