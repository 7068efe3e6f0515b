import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { businessApi } from '#shared/api/operators/business.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { plus } from '#shared/rules/dates.ts';
import { users } from '#shared/schema/accounts.ts';
import { adjustmentNotes, bills, invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { administrator } from '#server/testing/administrator.ts';
import { businessRows } from '#server/testing/business-rows.ts';
import { buy, pass, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { refreshBusiness } from '../jobs.ts';

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
/** The page once two replicas have refreshed it at once. */
const shown = async (query = '') => {
  await Promise.all([refreshBusiness(app.context), refreshBusiness(replica.context)]);
  return ask(query);
};
const thisMonth = ({ months }: Shown) => months.at(-1)!;
const { begin, change, inADay, cancelled, issue, adjust } = businessRows(() => app);

const trial = { status: 'trial', trialEndDate: new Date('2030-01-01') } as const;
const grace = (): NewRow => ({ status: 'grace_period', gracePeriodEnd: inADay() });
const owed = (amountCents: number) => {
  const invoiceId = `in_${randomUUID()}`;
  return { invoiceId, amountCents, reason: 'declined', needsAction: false };
};
const expired: NewRow = { status: 'expired', isActive: false };

describe('the month of a subscription', () => {
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
        'a bill of several tools that fails and is paid',
        {},
        [() => ({ ...grace(), paymentProblem: owed(4500) }), () => ({ status: 'active', paymentProblem: null })],
        3000,
        { newCents: 3000, failed: once(3000), recovered: once(3000) },
      ],
      [
        'a bill of several tools that fails for good',
        {},
        [() => ({ ...grace(), paymentProblem: owed(4500) }), () => ({ ...expired, paymentProblem: null })],
        0,
        { newCents: 3000, churnedCents: 3000, failed: once(3000), lost: once(3000) },
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
        [() => ({ revision: 9, syncedAt: app.context.now() })],
        3000,
        { newCents: 3000 },
      ],
    ];
  it.each(cases)('counts what happened to it, once: %s', async (_name, first, then, mrr, expected) => {
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

  it('counts a win-back once, as the reactivation of somebody who had paid before', async () => {
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

  it('adds up by plan: what a payer takes along moves, and what is lost stays where it was lost', async () => {
    const query = '?tool=lost-money-ai';
    const byPlan = async () =>
      Object.fromEntries((await shown(query)).plans.map(({ plan, ...row }) => [plan, row] as const));
    const row = await begin({ toolId: 'lost-money-ai' });
    await app.context.db.update(users).set({ membershipType: 'shaw_partners' }).where(eq(users.id, row.userId!));
    await change(row.id, { monthlyCents: 1500 });
    expect(await byPlan()).toMatchObject({
      individual: { mrrCents: 0, newCents: 3000, movedCents: -3000 },
      partner: { mrrCents: 1500, contractedCents: 1500, movedCents: 3000 },
    });
    await change(row.id, { monthlyCents: 0 });
    const plans = await byPlan();
    expect(plans).toMatchObject({
      individual: { mrrCents: 0, movedCents: -3000 },
      partner: { mrrCents: 0, churnedCents: 1500, movedCents: 3000 },
      free: { mrrCents: 0, churnedCents: 0, movedCents: 0 },
    });
    for (const one of Object.values(plans))
      expect(
        one.openingCents +
          one.newCents +
          one.expandedCents +
          one.reactivatedCents -
          one.contractedCents -
          one.churnedCents +
          one.movedCents,
      ).toBe(one.mrrCents);
    const csv = (await admin.agent.get('/api/admin/business.csv').expect(200)).text;
    expect(csv.split('\r\n')[0]).toContain('Moved between plans');
  });
});

it('an invoice of several tools counts for each by its lines, and so does its refund', async () => {
  const row = await begin();
  const shares = { 'file-note-ai': 1000, 'pre-fill-ai': 2000, 'portfolio-ai': 333 };
  const lines = Object.entries(shares).map(([toolId, cents]) => ({ toolId, cents, description: toolId, quantity: 1 }));
  const revenue = async () => {
    const { tools } = await shown();
    return Object.keys(shares).map((id) => tools.find(({ toolId }) => toolId === id)?.revenueCents ?? 0);
  };
  // Net of GST, an eleventh of each line.
  const net = [909, 1818, 303];
  const before = await revenue();
  const more = async () => (await revenue()).map((cents, index) => cents - before[index]!);
  const id = await issue(row.userId!, null, app.context.now(), 3333, { lines });
  expect(await more()).toEqual(net);
  const note = await adjust(id, app.context.now(), 1111);
  const left = await more();
  expect(left.reduce((sum, cents) => sum + cents, 0)).toBe(3030 - 1010);
  for (const [index, cents] of left.entries()) expect(Math.abs(cents - (net[index]! * 2) / 3)).toBeLessThanOrEqual(1);
  const setStatus = (status: 'paid' | 'void') =>
    app.context.db.update(invoices).set({ status }).where(eq(invoices.id, id));
  // A tool was cancelled in grace, and the rest never paid: neither counts.
  await setStatus('void');
  expect(await more()).toEqual([0, 0, 0]);
  await setStatus('paid');
  await app.context.db.delete(adjustmentNotes).where(eq(adjustmentNotes.id, note));
  expect(await more()).toEqual(net);
  await setStatus('void');
  expect(await more()).toEqual([0, 0, 0]);
});

it('a subscription from before changes were kept counts as an opening balance, and the page says since when it knows', async () => {
  const { db } = app.context;
  expect((await shown()).knownSince).toBeNull();
  const before = thisMonth(await ask());
  const run = (sql: string) => db.$client.query(sql);
  await run('alter table tool_subscriptions disable trigger user');
  const row = await begin({ monthlyCents: 4000 });
  await run('alter table tool_subscriptions enable trigger user');
  await change(row.id, { monthlyCents: 5000 });
  const page = await shown();
  const after = thisMonth(page);
  expect(page.knownSince).toBe(page.now);
  expect(after.openingCents - before.openingCents).toBe(4000);
  expect(after.expandedCents - before.expandedCents).toBe(1000);
  expect(after.mrrCents - before.mrrCents).toBe(5000);
  expect(after.newCents).toBe(before.newCents);
});

it('a bill of several tools that fails counts as one payment, of each tool and of all together', async () => {
  const query = (tool: string) => `?tool=${tool}`;
  const tools = ['portfolio-ai', 'share-advice-ai'];
  const payments = async (of = '') => {
    const { failed, recovered, lost } = thisMonth(await shown(of));
    return { failed, recovered, lost };
  };
  const first = await begin({ toolId: tools[0]! });
  const second = await begin({ toolId: tools[1]!, monthlyCents: 4000 }, first.userId!);
  const stripeInvoiceId = 'in_of_two';
  const at = app.context.now();
  const amounts = { totalCents: 7000, gstCents: 636, lines: [], parts: [] };
  await app.context.db
    .insert(bills)
    .values({ userId: first.userId, kind: 'month', status: 'paid', at, until: inADay(), ...amounts, stripeInvoiceId });
  const before = await payments();
  const problem = { ...owed(7000), invoiceId: stripeInvoiceId };
  for (const { id } of [first, second]) await change(id, { ...grace(), paymentProblem: problem });
  // One tool is cancelled, whose line is credited; the other is paid.
  await change(first.id, { ...cancelled(), paymentProblem: null });
  await change(second.id, { status: 'active', paymentProblem: null });
  const after = await payments();
  expect(after.failed).toEqual({ count: before.failed.count + 1, cents: before.failed.cents + 7000 });
  expect(after.recovered).toEqual({ count: before.recovered.count + 1, cents: before.recovered.cents + 4000 });
  expect(after.lost).toEqual({ count: before.lost.count, cents: before.lost.cents + 3000 });
  for (const [index, tool] of tools.entries())
    expect((await payments(query(tool))).failed).toEqual({ count: 1, cents: [3000, 4000][index] });
  await app.context.db.update(bills).set({ status: 'void' }).where(eq(bills.stripeInvoiceId, stripeInvoiceId));
  const ended = await payments();
  expect([ended.recovered.count, ended.lost.count]).toEqual([before.recovered.count, before.lost.count + 1]);
});

it('revenue stays with the plan that its payer had on the day of issue', async () => {
  const tool = 'file-note-ai';
  const revenue = async () => {
    const { plans } = await shown(`?tool=${tool}`);
    return ['individual', 'partner'].map((plan) => plans.find((row) => row.plan === plan)?.revenueCents ?? 0);
  };
  const before = await revenue();
  const row = await begin({ toolId: tool });
  const lines = [{ toolId: tool, cents: 3000, description: 'File Note AI', quantity: 1 }];
  await issue(row.userId!, row.id, app.context.now(), 3000, { lines });
  await app.context.db.update(users).set({ membershipType: 'shaw_partners' }).where(eq(users.id, row.userId!));
  await change(row.id, { monthlyCents: 1500 });
  // PostgreSQL noted the change to the microsecond, within the millisecond that it is now.
  await issue(row.userId!, row.id, plus(app.context.now(), 1), 1500, { lines });
  await app.context.db.update(users).set({ membershipType: 'standard' }).where(eq(users.id, row.userId!));
  expect(await revenue()).toEqual([before[0]! + 3000 - 273, before[1]! + 1500 - 136]);
});

it('a purchase succeeds though its change can’t be noted', async () => {
  await rowsOf(app, 'alter table subscription_changes add constraint broken check (false) not valid');
  try {
    const { agent } = await app.signedIn();
    await buy(app, agent, 'fact-find-ai');
    await pass(app, 0);
    const { body } = await agent.get('/api/user/subscriptions').expect(200);
    expect(body).toEqual(
      expect.arrayContaining([expect.objectContaining({ toolId: 'fact-find-ai', status: 'active' })]),
    );
    const invoices = (await agent.get('/api/billing/invoices?page=1').expect(200)).body as { invoices: object[] };
    expect(invoices.invoices).toHaveLength(1);
  } finally {
    await rowsOf(app, 'alter table subscription_changes drop constraint broken');
  }
});

it('the page refuses what is no month, tool or plan', async () => {
  for (const query of ['until=2026-13', 'tool=%27', 'plan=gold'])
    await admin.agent.get(`/api/admin/business?${query}`).expect(400);
  await admin.agent.get('/api/admin/business.csv?table=users').expect(400);
});
