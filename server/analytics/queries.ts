import { and, asc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { usageDays } from '#shared/schema/analytics.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import type { Db } from '#server/platform/database.ts';

const d = usageDays;

export type DayRow = Awaited<ReturnType<typeof daysSince>>[number];

/** This adviser's usage per day and tool since the day, and that of the last day they used anything, however long ago. */
export const daysSince = (db: Db, userId: string, since: string) =>
  db
    .select({
      day: d.day,
      toolId: d.toolId,
      name: catalogueTool.name,
      minutesSaved: catalogueTool.minutesSaved,
      sessions: d.sessions,
      durationSeconds: d.durationSeconds,
      scoreTotal: d.scoreTotal,
      scoreCount: d.scoreCount,
    })
    .from(d)
    .innerJoin(catalogueTool, eq(catalogueTool.id, d.toolId))
    .where(
      and(
        eq(d.userId, userId),
        or(gte(d.day, since), eq(d.day, sql`(select max(day) from usage_days where user_id = ${userId})`)),
      ),
    )
    .orderBy(asc(d.day), asc(d.toolId));

/** Lets one transaction at a time add sessions of this adviser. */
export const lockSessionCount = async (db: Db, userId: string) => {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sessions:${userId}`}, 0))`);
};

/** All sessions of this adviser, ever. */
export const sessionCount = async (db: Db, userId: string): Promise<number> =>
  (
    await db
      .select({ count: sql<number>`coalesce(sum(${d.sessions}), 0)::int` })
      .from(d)
      .where(eq(d.userId, userId))
  )[0]?.count ?? 0;

/** At most `limit` advisers who used a tool on the day, ordered by id, starting after `after`. */
export async function usersOnDay(db: Db, day: string, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: d.userId })
    .from(d)
    .where(and(eq(d.day, day), after === null ? undefined : gt(d.userId, after)))
    .orderBy(asc(d.userId))
    .limit(limit);
  return rows.map((row) => row.userId);
}

export type MonthTotals = Awaited<ReturnType<typeof monthTotals>>[number];

/** What each of these advisers did from the day `first` to before `next`. */
export const monthTotals = (db: Db, userIds: string[], first: string, next: string) =>
  db
    .select({
      userId: d.userId,
      sessions: sql<number>`sum(${d.sessions})::int`,
      tools: sql<number>`count(distinct ${d.toolId})::int`,
      durationSeconds: sql<number>`sum(${d.durationSeconds})::float8`,
      minutesSaved: sql<number>`sum(${d.sessions} * ${catalogueTool.minutesSaved})::int`,
      scoreTotal: sql<string>`sum(${d.scoreTotal})`,
      scoreCount: sql<number>`sum(${d.scoreCount})::int`,
    })
    .from(d)
    .innerJoin(catalogueTool, eq(catalogueTool.id, d.toolId))
    .where(and(inArray(d.userId, userIds), gte(d.day, first), lt(d.day, next)))
    .groupBy(d.userId);
