import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { businessApi } from '#shared/api/operators/business.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { administrator } from '#server/testing/administrator.ts';
import { businessRows } from '#server/testing/business-rows.ts';
import { DAY, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { refreshBusiness } from '../jobs.ts';

type Shown = Reply<typeof businessApi.show>;

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

/** The page once two replicas have refreshed it at once. */
const shown = async () => {
  await Promise.all([refreshBusiness(app.context), refreshBusiness(replica.context)]);
  return (await admin.agent.get('/api/admin/business').expect(200)).body as Shown;
};
const thisMonth = ({ months }: Shown) => months.at(-1)!;
const { begin, change, cancelled, issue, adjust } = businessRows(() => app);

/** What the documents themselves come to in each Sydney month, without using any of the sums. */
async function documents() {
  const found = new Map<string, [cents: number, gst: number]>();
  const add = (at: unknown, sign: number, cents: unknown, gst: unknown) => {
    const month = sydneyDate(at as Date).slice(0, 7);
    const [had, hadGst] = found.get(month) ?? [0, 0];
    found.set(month, [had + sign * Number(cents), hadGst + sign * Number(gst)]);
  };
  for (const row of await rowsOf(app, `select * from invoices where status <> 'void'`))
    add(row.issued_at, 1, row.total_cents, row.gst_cents);
  const ofInvoices = 'join invoices on invoices.id = note.invoice_id';
  for (const row of await rowsOf(
    app,
    `select note.* from adjustment_notes note ${ofInvoices} where invoices.status <> 'void'`,
  ))
    add(row.issued_at, -1, row.total_cents, row.gst_cents);
  return found;
}

describe('200 generated histories of twelve months', () => {
  const histories = 200;
  const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai'];
  type History = { id: string; userId: string; invoices: string[]; notes: string[] };

  it('revenue, GST and recurring revenue equal those of the rows, to the cent, in every month', async () => {
    const { db, now } = app.context;
    const random = seededRandom(18);
    const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
    const all: History[] = [];
    for (let i = 0; i < histories; i += 1) {
      const row = await begin({ toolId: pick(tools)!, monthlyCents: 1000 + Math.floor(random() * 9000) });
      all.push({ id: row.id, userId: row.userId!, invoices: [], notes: [] });
    }
    /** Some time in the last four months, so that closed months change too, and often right at midnight in Sydney. */
    const someTime = () =>
      random() < 0.2
        ? new Date(`${sydneyDate(now()).slice(0, 7)}-01T${random() < 0.5 ? '12:59:59' : '14:00:00'}Z`)
        : new Date(now().getTime() - random() * 120 * DAY);
    const acts: ((history: History) => Promise<unknown>)[] = [
      async (h) => h.invoices.push(await issue(h.userId, h.id, someTime(), Math.floor(random() * 20_000))),
      async (h) => h.invoices.push(await issue(h.userId, random() < 0.2 ? null : h.id, now(), 3000)),
      async ({ invoices: [id] }) => id && db.update(invoices).set({ status: 'paid' }).where(eq(invoices.id, id)),
      async ({ invoices: of }) =>
        of.length > 0 &&
        db.update(invoices).set({ status: 'void', updatedAt: now() }).where(eq(invoices.id, of.pop()!)),
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
    for (const { month, gstCents } of page.months)
      expect([month, gstCents]).toEqual([month, held.get(month)?.[1] ?? 0]);
    const inWindow = [...held].filter(([month]) => page.months.some((row) => row.month === month));
    const net = inWindow.reduce((sum, [, [cents, gst]]) => sum + cents - gst, 0);
    expect(page.tools.reduce((sum, row) => sum + row.revenueCents, 0)).toBe(net);
    expect(page.plans.reduce((sum, row) => sum + row.revenueCents, 0)).toBe(net);
    const gst = page.quarters.reduce((sum, row) => sum + row.gstInvoicedCents - row.gstAdjustedCents, 0);
    expect(gst).toBe([...held.values()].reduce((sum, [, cents]) => sum + cents, 0));
    // Each month's level is the previous month's plus what moved.
    page.months.slice(1).forEach((row, index) => {
      const moved = row.openingCents + row.newCents + row.expandedCents + row.reactivatedCents;
      expect(row.mrrCents).toBe(page.months[index]!.mrrCents + moved - row.contractedCents - row.churnedCents);
    });
    expect(page.months.some(({ recountedAt }) => recountedAt !== null)).toBe(true);
    const csv = await admin.agent.get('/api/admin/business.csv').expect(200);
    const [header, ...lines] = csv.text.trim().split('\r\n');
    const at = header!.split(',').indexOf('Revenue net of GST');
    const inFile = lines.reduce((sum, line) => sum + Math.round(Number(line.split(',')[at]) * 100), 0);
    expect(inFile).toBe([...held.values()].reduce((sum, [cents, gstCents]) => sum + cents - gstCents, 0));
  }, 120_000);

  it('cohorts end as the rows do', async () => {
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
