import { and, asc, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import { usageDays } from '#shared/schema/analytics.ts';
import { tools, toolUsage } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

const d = usageDays;
const s = toolUsage;

/** The moment a calendar day of Sydney begins. */
const startOf = (date: string) => sql`${date}::date::timestamp at time zone 'Australia/Sydney'`;

export type DayRow = Awaited<ReturnType<typeof daysSince>>[number];

/** This adviser's usage per day and tool since the day, and that of the last day they used anything, however long ago. */
export const daysSince = (db: Db, userId: string, since: string) =>
  db
    .select({
      day: d.day,
      toolId: d.toolId,
      name: tools.name,
      minutesSaved: tools.minutesSaved,
      sessions: d.sessions,
      durationSeconds: d.durationSeconds,
      scoreTotal: d.scoreTotal,
      scoreCount: d.scoreCount,
    })
    .from(d)
    .innerJoin(tools, eq(tools.id, d.toolId))
    .where(
      and(
        eq(d.userId, userId),
        or(gte(d.day, since), eq(d.day, sql`(select max(day) from usage_days where user_id = ${userId})`)),
      ),
    )
    .orderBy(asc(d.day), asc(d.toolId));

const session = {
  id: s.id,
  toolId: s.toolId,
  createdAt: s.createdAt,
  endedAt: s.endedAt,
  reports: s.reports,
  durationSeconds: s.durationSeconds,
  actions: s.actions,
  bytes: s.bytes,
  scoreTotal: s.scoreTotal,
  scoreCount: s.scoreCount,
};
export type SessionRow = Awaited<ReturnType<typeof newestSessions>>[number];

/** This adviser's sessions since the day, newest first; `after` is the last row of the page before. */
export const newestSessions = (
  db: Db,
  userId: string,
  since: string,
  limit: number,
  after?: Pick<typeof s.$inferSelect, 'id'>,
) =>
  db
    .select({ ...session, toolName: tools.name })
    .from(s)
    .innerJoin(tools, eq(tools.id, s.toolId))
    .where(
      and(
        eq(s.userId, userId),
        gte(s.createdAt, startOf(since)),
        // Compared where it is exact: a Date has no microseconds.
        after &&
          sql`(${s.createdAt}, ${s.id}) < (select last.created_at, last.id from tool_usage last where last.id = ${after.id})`,
      ),
    )
    .orderBy(desc(s.createdAt), desc(s.id))
    .limit(limit);

/** Lets one at a time add sessions of this adviser, until the transaction ends. */
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

/** Closes at most `limit` sessions that were last heard of before `before`, at that moment; answers how many. */
export async function closeSilent(db: Db, before: Date, limit: number): Promise<number> {
  const silent = db
    .select({ id: s.id })
    .from(s)
    .where(and(isNull(s.endedAt), lt(s.lastAccessed, before)))
    .limit(limit)
    .for('update', { skipLocked: true });
  const { rowCount } = await db
    .update(s)
    .set({ endedAt: sql`${s.lastAccessed}` })
    .where(sql`${s.id} in (${silent})`);
  return rowCount ?? 0;
}
