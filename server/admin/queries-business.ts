import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import type { Plan } from '#shared/rules/business.ts';
import { businessBackfill, businessMonths, cohortMonths } from '#shared/schema/business.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import type { Db } from '#server/platform/database.ts';

const m = businessMonths;
const c = cohortMonths;

export type Slice = { tool?: string | undefined; plan?: Plan | undefined };

const day = (month: string) => `${month}-01`;
const monthText = (column: typeof m.month | typeof c.month | typeof c.cohort) =>
  sql<string>`to_char(${column}, 'YYYY-MM')`;
const ofSlice = (table: typeof m | typeof c, { tool, plan }: Slice) =>
  and(tool === undefined ? undefined : eq(table.toolId, tool), plan === undefined ? undefined : eq(table.plan, plan));
const total = (column: (typeof m)[Exclude<keyof typeof m.$inferSelect, 'month' | 'toolId' | 'plan' | 'recountedAt'>]) =>
  sql<number>`coalesce(sum(${column}), 0)::float8`;

/** What is added up, whatever by. */
const sums = {
  mrrCents: total(m.mrrCents),
  subscriptions: total(m.subscriptions),
  openingCents: total(m.openingCents),
  newCents: total(m.newCents),
  expandedCents: total(m.expandedCents),
  contractedCents: total(m.contractedCents),
  churnedCents: total(m.churnedCents),
  reactivatedCents: total(m.reactivatedCents),
  trialsStarted: total(m.trialsStarted),
  trialsConverted: total(m.trialsConverted),
  winBacks: total(m.winBacks),
  failedPayments: total(m.failedPayments),
  failedCents: total(m.failedCents),
  recoveredPayments: total(m.recoveredPayments),
  recoveredCents: total(m.recoveredCents),
  lostPayments: total(m.lostPayments),
  lostCents: total(m.lostCents),
  invoicedCents: total(m.invoicedCents),
  invoicedGstCents: total(m.invoicedGstCents),
  adjustedCents: total(m.adjustedCents),
  adjustedGstCents: total(m.adjustedGstCents),
  recountedAt: sql<Date | null>`max(${m.recountedAt})`.mapWith(m.recountedAt),
};

/** Every month until the last, as changes: a level is the sum of all that came before it. */
export const monthSums = (db: Db, slice: Slice, last: string) =>
  db
    .select({ month: monthText(m.month), ...sums })
    .from(m)
    .where(and(ofSlice(m, slice), lte(m.month, day(last))))
    .groupBy(m.month)
    .orderBy(asc(m.month));
export type MonthSums = Awaited<ReturnType<typeof monthSums>>[number];

const net = (first: string) =>
  sql<number>`coalesce(sum(${m.invoicedCents} - ${m.adjustedCents}) filter (where ${m.month} >= ${day(first)}), 0)::float8`;
const shareOf = (first: string) => ({
  mrrCents: sums.mrrCents,
  subscriptions: sums.subscriptions,
  revenueCents: net(first),
});

/** By tool and by plan: the level at the end of the last month, and the revenue since the first. */
export const toolShares = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({
      toolId: m.toolId,
      name: sql<string>`coalesce(max(${catalogueTool.name}), 'No tool')`,
      ...shareOf(first),
    })
    .from(m)
    .leftJoin(catalogueTool, eq(catalogueTool.id, m.toolId))
    .where(and(ofSlice(m, slice), lte(m.month, day(last))))
    .groupBy(m.toolId)
    .orderBy(sql`sum(${m.mrrCents}) desc`, m.toolId);

export const planShares = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({ plan: m.plan, ...shareOf(first) })
    .from(m)
    .where(and(ofSlice(m, slice), lte(m.month, day(last))))
    .groupBy(m.plan);

/** By how many each cohort grew or shrank in each month. */
export const cohortSums = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({
      cohort: monthText(c.cohort),
      month: monthText(c.month),
      subscriptions: sql<number>`sum(${c.subscriptions})::int`,
      begun: sql<number>`sum(${c.begun})::int`,
    })
    .from(c)
    .where(and(ofSlice(c, slice), gte(c.cohort, day(first)), lte(c.month, day(last))))
    .groupBy(c.cohort, c.month)
    .orderBy(asc(c.cohort), asc(c.month));

/** Every month by tool and plan, for the spreadsheet. */
export const everyMonth = (db: Db) =>
  db
    .select({
      month: monthText(m.month),
      toolId: m.toolId,
      toolName: sql<string>`coalesce(max(${catalogueTool.name}), 'No tool')`,
      plan: m.plan,
      ...sums,
    })
    .from(m)
    .leftJoin(catalogueTool, eq(catalogueTool.id, m.toolId))
    .groupBy(m.month, m.toolId, m.plan)
    .orderBy(asc(m.month), asc(m.toolId), asc(m.plan));

/** Since when changes of recurring revenue are known where some were not, and whether all that was there before is counted. */
export async function countingState(db: Db): Promise<{ knownSince: string | null; counting: boolean }> {
  const rows = await db
    .select({
      source: businessBackfill.source,
      taken: businessBackfill.taken,
      done: businessBackfill.done,
      beganIn: sql<string>`to_char(${businessBackfill.beganIn}, 'YYYY-MM')`,
    })
    .from(businessBackfill);
  const [opened] = await db
    .select({ month: sql<string | null>`to_char(min(${m.month}), 'YYYY-MM')` })
    .from(m)
    .where(sql`${m.openingCents} > 0`);
  const subscriptions = rows.find(({ source }) => source === 'subscriptions');
  const takenIn = subscriptions && subscriptions.taken > 0 ? subscriptions.beganIn : null;
  return { knownSince: opened?.month ?? takenIn, counting: rows.length < 3 || rows.some(({ done }) => !done) };
}
