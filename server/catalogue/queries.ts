import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { PriceDecision } from '#shared/rules/billing/own-price.ts';
import type { DatedTier } from '#shared/rules/billing/pricing.ts';
import { discountTiers } from '#shared/schema/subscriptions.ts';
import { toolPrices } from '#shared/schema/tool-prices.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, first, pick } from '#server/platform/data/database.ts';
import { oneForAll, together } from '#server/platform/data/together.ts';

const p = toolPrices;
const t = discountTiers;

const numberedPrices = oneForAll((db) => {
  const query = db.select().from(p).where(isNotNull(p.number)).orderBy(asc(p.number)).prepare('numbered_prices');
  return () => query.execute();
});

/** By tool, what was decided about its price for those who have it, in order. */
export async function priceDecisions(db: Db): Promise<Map<string, PriceDecision[]>> {
  const decisions = new Map<string, PriceDecision[]>();
  const rows = await numberedPrices(db);
  for (const { toolId, number, unitCents, beforeCents, startsAt, withdraws, createdAt: decidedAt } of rows) {
    if (number === null) continue;
    const withdrawn = rows.find((one) => one.toolId === toolId && one.number === withdraws);
    const decision: PriceDecision = withdrawn
      ? { kind: 'withdrawal', number, unitCents, withdraws: withdraws!, withdrawnCents: withdrawn.unitCents, decidedAt }
      : { kind: 'change', number, unitCents, beforeCents, startsAt: startsAt ?? decidedAt, decidedAt };
    decisions.set(toolId, [...(decisions.get(toolId) ?? []), decision]);
  }
  return decisions;
}

/** Every tool, also withdrawn ones and those outside, for joins. Postgres plans it as if the table itself were named there. */
export const catalogueTool = new QueryBuilder()
  .select({
    ...pick(tools, 'id', 'name', 'description', 'basePrice', 'priceNumber', 'minutesSaved', 'isActive'),
    outsideOf: tools.teamId,
    ...pick(tools, 'scopes', 'subjectSalt', 'stoppedAt'),
  })
  .from(tools)
  .as('catalogue_tool');

export const activeTools = oneForAll((db) => {
  const query = db
    .select()
    .from(tools)
    .where(eq(tools.isActive, true))
    .orderBy(asc(tools.name))
    .prepare('active_tools');
  return () => query.execute();
});

/** Finds withdrawn tools too: look at `isActive`. What a practice uses elsewhere is no tool here. */
export const findTool = together((db) => {
  const query = db
    .select()
    .from(tools)
    .where(sql`${tools.id} = any(${sql.placeholder('ids')}::text[]) and ${tools.teamId} is null`)
    .prepare('tools_by_id');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

/** One of the operator's own tools other than this one; null where there is none. */
export const otherOwnTool = (db: Db, id: string) =>
  first(
    db
      .select({ id: tools.id })
      .from(tools)
      .where(and(eq(tools.isActive, true), isNull(tools.ownerId), ne(tools.id, id)))
      .orderBy(asc(tools.id))
      .limit(1),
  );

/** The tool's name, or its id where there is none. */
export const toolName = async (db: Db, id: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, id)))[0]?.name ?? id;

export const insertMissingTools = (db: Db, rows: (typeof tools.$inferInsert)[]) =>
  db.insert(tools).values(rows).onConflictDoNothing();

/** Every volume discount that holds, held or will hold, with its dates and the number of the newest change, all read at one moment. */
const tierRows = oneForAll((db) => {
  const query = db
    .select({
      ...pick(t, 'id', 'toolCount', 'discountPercent', 'description', 'startsAt', 'endsAt'),
      number: sql<number>`coalesce((select max(number) from tier_changes), 0)`,
    })
    .from(t)
    .where(sql`${t.isActive} or ${t.startsAt} is not null or ${t.endsAt} is not null`)
    .orderBy(asc(t.toolCount))
    .prepare('tier_rows');
  return () => query.execute();
});

/** The volume discounts with their dates, and how often they were changed. */
export type TierSchedule = { number: number; tiers: DatedTier[] };

export async function tierSchedule({ db }: Pick<Context, 'db'>): Promise<TierSchedule> {
  const rows = await tierRows(db);
  return {
    number: rows[0]?.number ?? 0,
    tiers: rows.map(({ toolCount, discountPercent, startsAt, endsAt }) => ({
      toolCount,
      discountPercent: Number(discountPercent),
      from: startsAt,
      until: endsAt,
    })),
  };
}

/** `GET /api/discounts/tiers`: those that hold now, smallest first. */
export async function tiersNow({ db, now }: Pick<Context, 'db' | 'now'>) {
  const at = now();
  const rows = await tierRows(db);
  return rows.filter(({ startsAt, endsAt }) => (!startsAt || startsAt <= at) && (!endsAt || endsAt > at));
}

export async function insertFirstTiers(db: Db, rows: (typeof t.$inferInsert)[]): Promise<void> {
  if ((await db.select({ id: t.id }).from(t).limit(1)).length > 0) return;
  await db.insert(t).values(rows).onConflictDoNothing();
}
