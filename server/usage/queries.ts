import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { toolUsage } from '#shared/schema/usage.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { testAdvisers } from '#server/people/service.ts';
import { countChanged, type Db, first, pick, sydneyMidnight } from '#server/platform/data/database.ts';
import { askedKey, askedWith, grouped, together } from '#server/platform/data/together.ts';

const s = toolUsage;

/** How often, since when and when last a person used each tool, however long ago; the last used first. Keys are people. */
export const toolUse = together(
  (db) => {
    const used = db
      .select({
        toolId: s.toolId,
        sessions: sql<number>`count(*)::int`.as('sessions'),
        createdAt: sql`min(${s.createdAt})`.mapWith(s.createdAt).as('first_used'),
        lastAccessed: sql`max(${s.lastAccessed})`.mapWith(s.lastAccessed).as('last_used'),
      })
      .from(s)
      .where(sql`${s.userId} = asked.user_id`)
      .groupBy(s.toolId)
      .as('used');
    const query = db
      .select({
        key: askedKey,
        ...pick(used, 'toolId', 'sessions', 'createdAt', 'lastAccessed'),
      })
      .from(askedWith({ user_id: 'uuid' }))
      .crossJoinLateral(used)
      .orderBy(desc(used.lastAccessed), used.toolId)
      .prepare('tool_use');
    return async (keys) => grouped(await query.execute({ keys }), ({ key }) => key);
  },
  { atOnce: 10 },
);

export const insertSession = (db: Db, session: typeof toolUsage.$inferInsert & { id: string }) =>
  db.insert(s).values(session);

export const findSession = (db: Db, sessionId: string) =>
  first(db.select({ id: s.id, lastAccessed: s.lastAccessed }).from(s).where(eq(s.sessionId, sessionId)).limit(1));

export const findSessionOfToken = (db: Db, tokenId: string) =>
  first(db.select({ id: s.id }).from(s).where(eq(s.authTokenId, tokenId)).limit(1));

/** What was reported for the sessions that these launches opened. */
export const sessionsOfTokens = (db: Db, tokenIds: string[]) =>
  db
    .select(pick(s, 'id', 'userId', 'authTokenId', 'reports', 'durationSeconds'))
    .from(s)
    .where(inArray(s.authTokenId, tokenIds));

/** Opens the session with that session id, or marks it used where another request has opened it; returns its row's id. */
export async function upsertSession(
  db: Db,
  session: { userId: string; toolId: string; sessionId: string; teamId: string | null },
  now: Date,
): Promise<string> {
  const [row] = await db
    .insert(s)
    .values({ ...session, createdAt: now, lastAccessed: now })
    .onConflictDoUpdate({ target: s.sessionId, set: { lastAccessed: now } })
    .returning({ id: s.id });
  if (!row) throw new Error('the session was neither opened nor found');
  return row.id;
}

const findById = together((db) => {
  const query = db
    .select({ id: s.id, toolId: s.toolId, userId: s.userId, createdAt: s.createdAt })
    .from(s)
    .where(sql`${s.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('sessions_by_id');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

export async function findSessionsOfTool(db: Db, toolId: string, ids: string[]) {
  const found = await Promise.all(ids.map((id) => findById(db, id)));
  return found.flatMap((session) => (session?.toolId === toolId ? [session] : []));
}

/** Ends at most `limit` sessions without news since `before`, at their last sign of life; returns how many. */
export async function endSilentSessions(db: Db, before: Date, limit: number): Promise<number> {
  const silent = db
    .select({ id: s.id })
    .from(s)
    .where(and(isNull(s.endedAt), lt(s.lastAccessed, before)))
    .limit(limit)
    .for('update', { skipLocked: true });
  const ended = db
    .update(s)
    .set({ endedAt: sql`${s.lastAccessed}` })
    .where(sql`${s.id} in (${silent})`);
  return countChanged(ended);
}

const listed = {
  ...pick(s, 'id', 'toolId', 'createdAt', 'endedAt', 'reports', 'durationSeconds', 'actions', 'bytes'),
  ...pick(s, 'scoreTotal', 'scoreCount'),
  toolName: catalogueTool.name,
};
export type SessionRow = Awaited<ReturnType<typeof newestSessions>>[number];

/** An adviser's sessions with our tools since a Sydney day, at most `number`, the newest first. Keys are "user day number". */
export const newestOf = together((db) => {
  const { id, toolId, createdAt, reports, durationSeconds, scoreTotal, scoreCount } = listed;
  const newest = db
    .select({ key: askedKey, id, toolId, createdAt, reports, durationSeconds, scoreTotal, scoreCount })
    .from(s)
    .innerJoin(catalogueTool, and(eq(catalogueTool.id, s.toolId), isNull(catalogueTool.outsideOf)))
    .where(
      and(
        sql`${s.userId} = asked.user_id`,
        sql`${s.createdAt} >= asked.since::timestamp at time zone 'Australia/Sydney'`,
      ),
    )
    .orderBy(desc(s.createdAt), desc(s.id))
    .limit(sql`asked.number` as unknown as number)
    .as('newest');
  const query = db
    .select()
    .from(askedWith({ user_id: 'uuid', since: 'date', number: 'int' }))
    .crossJoinLateral(newest)
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .prepare('newest_sessions_of');
  return async (keys) => {
    const rows = (await query.execute({ keys })).map((row) => row.newest);
    return grouped(rows, ({ key }) => key);
  };
});
export type NewestRow = NonNullable<Awaited<ReturnType<typeof newestOf>>>[number];

/** By adviser who has used a tool from elsewhere, how many sessions with ours they have. */
export function usesBesideOutside(db: Db) {
  const elsewhere = db
    .select({ userId: s.userId })
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .where(isNotNull(catalogueTool.outsideOf));
  return db
    .select({ userId: s.userId, uses: sql<number>`count(*) filter (where ${catalogueTool.outsideOf} is null)::int` })
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .where(inArray(s.userId, elsewhere))
    .groupBy(s.userId);
}

/** This adviser's sessions with our tools since the day, newest first; `after` is the last row of the previous page. */
export const newestSessions = (
  db: Db,
  userId: string,
  since: string,
  limit: number,
  after?: Pick<typeof s.$inferSelect, 'id'>,
) =>
  db
    .select(listed)
    .from(s)
    .innerJoin(catalogueTool, and(eq(catalogueTool.id, s.toolId), isNull(catalogueTool.outsideOf)))
    .where(
      and(
        eq(s.userId, userId),
        gte(s.createdAt, sydneyMidnight(since)),
        // Compared in the database, since a Date has no microseconds.
        after &&
          sql`(${s.createdAt}, ${s.id}) < (select last.created_at, last.id from tool_usage last where last.id = ${after.id})`,
      ),
    )
    .orderBy(desc(s.createdAt), desc(s.id))
    .limit(limit);

/** How often these people opened the tool between two moments. */
export const countSessions = (db: Db, userIds: string[], toolId: string, from: Date, to: Date) =>
  db.$count(s, and(inArray(s.userId, userIds), eq(s.toolId, toolId), gte(s.createdAt, from), lte(s.createdAt, to)));

/** Advisers' sessions with a tool since then: of how many people, and which were reviewed as checked or not checked. */
export async function reviewShares(db: Db, toolId: string, since: Date) {
  const of = (is: boolean) => sql`filter (where ${s.checked} = ${is})`;
  const people = sql`count(distinct ${s.userId})`;
  const [row] = await db
    .select({
      sessions: sql<number>`count(*)::int`,
      people: sql<number>`${people}::int`,
      checked: sql<number>`(count(*) ${of(true)})::int`,
      checkers: sql<number>`(${people} ${of(true)})::int`,
      unchecked: sql<number>`(count(*) ${of(false)})::int`,
      others: sql<number>`(${people} ${of(false)})::int`,
    })
    .from(s)
    .where(and(eq(s.toolId, toolId), gte(s.createdAt, since), testAdvisers.isReal(s.userId)));
  const { sessions, people: users, checked, checkers, unchecked, others } = row!;
  return {
    sessions,
    people: users,
    reviewed: { sessions: checked, people: checkers },
    notChecked: { sessions: unchecked, people: others },
  };
}
