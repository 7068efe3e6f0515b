import { and, asc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import { usageDays } from '#shared/schema/analytics.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

const d = usageDays;

/** At most `limit` advisers who used a tool on the day, in the order of their ids, beginning after `after`. */
export async function usersOf(db: Db, day: string, after: string | null, limit: number): Promise<string[]> {
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
      minutesSaved: sql<number>`sum(${d.sessions} * ${tools.minutesSaved})::int`,
      scoreTotal: sql<string>`sum(${d.scoreTotal})`,
      scoreCount: sql<number>`sum(${d.scoreCount})::int`,
    })
    .from(d)
    .innerJoin(tools, eq(tools.id, d.toolId))
    .where(and(inArray(d.userId, userIds), gte(d.day, first), lt(d.day, next)))
    .groupBy(d.userId);
