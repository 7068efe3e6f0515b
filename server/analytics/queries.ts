import { and, asc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { usageDays } from '#shared/schema/analytics.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { type Db, pick } from '#server/platform/data/database.ts';
import { askedWith, together } from '#server/platform/data/together.ts';

const d = usageDays;
/** What was recorded by hand with a tool from elsewhere is no use of ours. */
const isOurs = isNull(catalogueTool.outsideOf);

export type DayRow = Awaited<ReturnType<typeof daysSince>>[number];

export const daysSince = (db: Db, userId: string, since: string) =>
  db
    .select({
      day: d.day,
      toolId: d.toolId,
      name: catalogueTool.name,
      minutesSaved: catalogueTool.minutesSaved,
      ...pick(d, 'sessions', 'durationSeconds', 'scoreTotal', 'scoreCount'),
    })
    .from(d)
    .innerJoin(catalogueTool, eq(catalogueTool.id, d.toolId))
    .where(and(eq(d.userId, userId), gte(d.day, since), isOurs))
    .orderBy(asc(d.day), asc(d.toolId));

/** What one adviser did since one day (the window) and since another (the month). Keys are "user since month". */
export const figuresOf = together((db) => {
  const inWindow = sql`filter (where ${d.day} >= asked.since and ${isOurs})`;
  const inMonth = sql`filter (where ${d.day} >= asked.month and ${isOurs})`;
  const e = alias(d, 'ever');
  const ever = db
    .select({ one: sql`1` })
    .from(e)
    .innerJoin(catalogueTool, eq(catalogueTool.id, e.toolId))
    .where(and(sql`${e.userId} = asked.user_id`, isOurs));
  const query = db
    .select({
      key: sql<string>`asked.key`,
      sessions: sql<number>`coalesce(sum(${d.sessions}) ${inWindow}, 0)::int`,
      durationSeconds: sql<number>`coalesce(sum(${d.durationSeconds}) ${inWindow}, 0)::float8`,
      scoreTotal: sql<string>`coalesce(sum(${d.scoreTotal}) ${inWindow}, 0)`,
      scoreCount: sql<number>`coalesce(sum(${d.scoreCount}) ${inWindow}, 0)::int`,
      monthSessions: sql<number>`coalesce(sum(${d.sessions}) ${inMonth}, 0)::int`,
      monthMinutesSaved: sql<number>`coalesce(sum(${d.sessions} * ${catalogueTool.minutesSaved}) ${inMonth}, 0)::int`,
      everUsed: sql<boolean>`exists (${ever})`,
    })
    .from(askedWith({ user_id: 'uuid', since: 'date', month: 'date' }))
    .leftJoin(d, sql`${d.userId} = asked.user_id and ${d.day} >= least(asked.since, asked.month)`)
    .leftJoin(catalogueTool, eq(catalogueTool.id, d.toolId))
    .groupBy(sql`asked.key, asked.user_id`)
    .prepare('figures_of');
  return async (keys) => (await query.execute({ keys })).map((row) => [row.key, row] as const);
});

/** Lets only one transaction at a time add sessions of this adviser. */
export const lockSessionCount = (db: Db, userId: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sessions:${userId}`}, 0))`);

/** All sessions of this adviser with our tools, ever. */
export const sessionCount = async (db: Db, userId: string): Promise<number> =>
  (
    await db
      .select({ count: sql<number>`coalesce(sum(${d.sessions}), 0)::int` })
      .from(d)
      .innerJoin(catalogueTool, eq(catalogueTool.id, d.toolId))
      .where(and(eq(d.userId, userId), isOurs))
  )[0]?.count ?? 0;

/** At most `limit` advisers who used a tool from `day` until before `next`, by day and id; on the first day only those after `after`. */
export const usersByDay = (
  db: Db,
  { day, after, next }: { day: string; after: string | null; next: string },
  limit: number,
) =>
  db
    .selectDistinct({ day: d.day, userId: d.userId })
    .from(d)
    .where(and(after === null ? gte(d.day, day) : sql`(${d.day}, ${d.userId}) > (${day}, ${after})`, lt(d.day, next)))
    .orderBy(asc(d.day), asc(d.userId))
    .limit(limit);

export type MonthTotals = Awaited<ReturnType<typeof monthTotals>>[number];

/** What each of these advisers did from the day `first` until before `next`. */
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
    .where(and(inArray(d.userId, userIds), gte(d.day, first), lt(d.day, next), isOurs))
    .groupBy(d.userId);
