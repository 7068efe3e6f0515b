import { and, asc, eq, gte, lt, lte, ne, sql, type SQLWrapper } from 'drizzle-orm';
import { movements, type Plan } from '#shared/rules/operators/business.ts';
import { minute } from '#shared/rules/dates.ts';
import { allTools, cohortFigures, monthlyFigures } from '#shared/schema/business.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';

const m = monthlyFigures;
const c = cohortFigures;

/** How long the sums may take, in milliseconds. */
const patienceMs = 10 * minute;

export type Slice = { tool?: string | undefined; plan?: Plan | undefined };

const day = (month: string) => `${month}-01`;
const monthText = (column: typeof m.month | typeof c.month | typeof c.cohort) =>
  sql<string>`to_char(${column}, 'YYYY-MM')`;
const ofSlice = (table: typeof m | typeof c, { tool, plan }: Slice) =>
  and(tool === undefined ? undefined : eq(table.toolId, tool), plan === undefined ? undefined : eq(table.plan, plan));
const total = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::float8`;

const each = <Name extends string, Of>(names: readonly Name[], of: (name: Name) => Of) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Of>;

/** What recurring revenue changed by. */
const moved = movements.map((movement) => `${movement}Cents` as const);
const invoiced = ['invoicedCents', 'invoicedGstCents', 'adjustedCents', 'adjustedGstCents'] as const;
const levels = ['mrrCents', 'subscriptions'] as const;
const summed = [
  ...levels,
  ...moved,
  ...invoiced,
  'trialsStarted',
  'trialsConverted',
  'winBacks',
  'failedCents',
  'recoveredCents',
  'lostCents',
] as const;
/** These are of the tool, or of all tools together, where a bill of several tools is one. */
const payments = ['failedPayments', 'recoveredPayments', 'lostPayments'] as const;

/** Each month from the first to the last, as changes rather than levels. */
export const monthSums = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({
      month: monthText(m.month),
      ...each(summed, (name) => total(m[name])),
      ...each(
        payments,
        (name) => sql<number>`coalesce(sum(${m[name]}) filter (where ${m.toolId} = ${slice.tool ?? allTools}), 0)::int`,
      ),
      recountedAt: sql<Date | null>`max(${m.recountedAt})`.mapWith(m.recountedAt),
    })
    .from(m)
    .where(and(ofSlice(m, slice), gte(m.month, day(first)), lte(m.month, day(last))))
    .groupBy(m.month)
    .orderBy(asc(m.month));
export type MonthSums = Awaited<ReturnType<typeof monthSums>>[number];

/** A month without changes. */
export const noSums = { ...each([...summed, ...payments], () => 0), recountedAt: null };

/** The level before that month: the sum of all changes. */
export const levelBefore = async (db: Db, slice: Slice, first: string) => {
  const [before] = await db
    .select(each(levels, (name) => total(m[name])))
    .from(m)
    .where(and(ofSlice(m, slice), lt(m.month, day(first))));
  return before!;
};

/** What was invoiced and adjusted in each month from the first to the last. */
export const taxSums = (db: Db, first: string, last: string) =>
  db
    .select({ month: monthText(m.month), ...each(invoiced, (name) => total(m[name])) })
    .from(m)
    .where(and(gte(m.month, day(first)), lte(m.month, day(last))))
    .groupBy(m.month)
    .orderBy(asc(m.month));

/** Revenue as an Australian reports it: without GST. */
const netCents = sql`(${m.invoicedCents} - ${m.invoicedGstCents} - ${m.adjustedCents} + ${m.adjustedGstCents})`;

const since = (of: SQLWrapper, first: string) =>
  sql<number>`coalesce(sum(${of}) filter (where ${m.month} >= ${day(first)}), 0)::float8`;
const shareOf = (first: string) => ({
  ...each(levels, (name) => total(m[name])),
  revenueCents: since(netCents, first),
});

/** The change in recurring revenue that is not a movement: its payer went on under another plan. */
const movedCents = sql`${m.mrrCents} - ${m.openingCents} - ${m.newCents} - ${m.expandedCents} - ${m.reactivatedCents} + ${m.contractedCents} + ${m.churnedCents}`;

/** By tool (`planShares`: by plan): the level at the end of the last month, and the revenue since the first. */
export const toolShares = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({
      toolId: m.toolId,
      name: sql<string>`coalesce(max(${catalogueTool.name}), 'No tool')`,
      ...shareOf(first),
    })
    .from(m)
    .leftJoin(catalogueTool, eq(catalogueTool.id, m.toolId))
    .where(and(ofSlice(m, slice), ne(m.toolId, allTools), lte(m.month, day(last))))
    .groupBy(m.toolId)
    .orderBy(sql`sum(${m.mrrCents}) desc`, m.toolId);

export const planShares = (db: Db, slice: Slice, first: string, last: string) =>
  db
    .select({
      plan: m.plan,
      ...shareOf(first),
      ...each(moved, (name) => since(m[name], first)),
      movedCents: since(movedCents, first),
    })
    .from(m)
    .where(and(ofSlice(m, slice), lte(m.month, day(last))))
    .groupBy(m.plan);

/** By how many subscriptions each cohort grew or shrank in each month. */
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

const dollars = (cents: SQLWrapper) => sql`${cents}::float8 / 100`;
const figures: [name: string, of: SQLWrapper][] = [
  ['Recurring revenue change', dollars(m.mrrCents)],
  ['Subscriptions change', m.subscriptions],
  ['Recurring revenue at the beginning of the records', dollars(m.openingCents)],
  ['New', dollars(m.newCents)],
  ['Expanded', dollars(m.expandedCents)],
  ['Contracted', dollars(m.contractedCents)],
  ['Churned', dollars(m.churnedCents)],
  ['Reactivated', dollars(m.reactivatedCents)],
  ['Moved between plans', dollars(sql`(${movedCents})`)],
  ['Trials started', m.trialsStarted],
  ['Trials converted', m.trialsConverted],
  ['Win-backs', m.winBacks],
  ['Payments failed', m.failedPayments],
  ['Failed amount', dollars(m.failedCents)],
  ['Payments recovered', m.recoveredPayments],
  ['Recovered amount', dollars(m.recoveredCents)],
  ['Payments lost', m.lostPayments],
  ['Lost amount', dollars(m.lostCents)],
  ['Invoiced', dollars(m.invoicedCents)],
  ['Adjusted', dollars(m.adjustedCents)],
  ['GST invoiced', dollars(m.invoicedGstCents)],
  ['GST adjusted', dollars(m.adjustedGstCents)],
  ['Revenue net of GST', dollars(netCents)],
];

/** The pairs of tool and plan that have months. */
export const countedTools = (db: Db) =>
  db
    .selectDistinct({
      toolId: m.toolId,
      toolName: sql<string>`coalesce(${catalogueTool.name}, 'No tool')`,
      plan: m.plan,
    })
    .from(m)
    .leftJoin(catalogueTool, eq(catalogueTool.id, m.toolId))
    .where(ne(m.toolId, allTools));

type CountedTool = { toolId: string; plan: Plan; /** Their cells, as the file has them. */ cells: string };

/**
 * Every month by tool and plan, a line each, for the spreadsheet. PostgreSQL writes the lines, since thousands of rows would cost twice
 * as much here. Dollars are plain numbers, so that a spreadsheet can add them up.
 */
export async function everyMonth(db: Db, tools: CountedTool[]) {
  const line = sql.join([monthText(m.month), sql`tool.cells`, ...figures.map(([, of]) => sql`${of}`)], sql`, `);
  const list = (of: keyof CountedTool) => sql.param(tools.map((tool) => tool[of]));
  const [all] = await db
    .select({
      lines: sql<string>`coalesce(string_agg(concat_ws(',', ${line}) || e'\\r\\n', '' order by ${m.month}, ${m.toolId} collate "C", ${m.plan}), '')`,
    })
    .from(m)
    .innerJoin(
      sql`unnest(${list('toolId')}::text[], ${list('plan')}::text[], ${list('cells')}::text[]) as tool (id, plan, cells)`,
      sql`tool.id = ${m.toolId} and tool.plan = ${m.plan}::text`,
    );
  return { header: figures.map(([name]) => name), lines: all!.lines };
}

/** The month since which changes of recurring revenue are known; null: all are. */
export async function knownSince(db: Db): Promise<string | null> {
  const [opened] = await db
    .select({ month: sql<string | null>`to_char(min(${m.month}), 'YYYY-MM')` })
    .from(m)
    .where(sql`${m.openingCents} > 0`);
  return opened!.month;
}

/**
 * Sums everything anew, beside whoever reads, and writes what differs. A query of the pool may take 2.5 s; this one takes longer, some
 * 20 s per million invoices.
 */
export const refreshFigures = (db: Db): Promise<void> =>
  transaction(db, async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${patienceMs}`));
    await tx.$client.query({ text: 'select refresh_figures()', query_timeout: patienceMs } as { text: string });
  });
