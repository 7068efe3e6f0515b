import { and, count, desc, eq, gte, inArray, isNotNull, lt, max, type SQL, sql } from 'drizzle-orm';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import { referenceKey, toolUsage } from '#shared/schema/usage.ts';
import { testAdvisers } from '#server/people/service.ts';
import { type Db, pick, sydneyMidnight } from '#server/platform/data/database.ts';

const s = toolUsage;

/** Which sessions of advisers with a tool a recall touches; days are Sydney's, both included. */
export type Touched = { toolId: string; versions: string[]; fromDay: string; untilDay: string | null };

const version = sql<string>`coalesce(${s.toolVersion}, '')`;

const touches = ({ toolId, versions, fromDay, untilDay }: Touched) =>
  and(
    eq(s.toolId, toolId),
    testAdvisers.isReal(s.userId),
    gte(s.createdAt, sydneyMidnight(fromDay)),
    untilDay === null ? undefined : lt(s.createdAt, sydneyMidnight(untilDay, 1)),
    versions.length === 0 ? undefined : sql`${version} = any(${sql.param(versions)}::text[])`,
  );

/** The sessions that a recall touches, to be joined. */
export const touchedBy = (db: Db, recall: Touched) =>
  db.select({ id: s.id, userId: s.userId, teamId: s.teamId, createdAt: s.createdAt }).from(s).where(touches(recall));

/** A page of them, the oldest first; `after` is the last one of the previous page. */
export const touchedPage = (db: Db, recall: Touched, limit: number, after?: string) =>
  db
    .select({ sessionId: s.id, userId: s.userId, teamId: s.teamId, begunAt: s.createdAt })
    .from(s)
    .where(
      and(
        touches(recall),
        // Compared in the database, since a Date has no microseconds.
        after === undefined
          ? undefined
          : sql`(${s.createdAt}, ${s.id}) > (select last.created_at, last.id from tool_usage last where last.id = ${after})`,
      ),
    )
    .orderBy(s.createdAt, s.id)
    .limit(limit);

/** Those of these sessions that a recall touches. */
export async function touchedAmong(db: Db, recall: Touched, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: s.id })
    .from(s)
    .where(and(sql`${s.id} = any(${sql.param(ids)}::uuid[])`, touches(recall)));
  return new Set(rows.map(({ id }) => id));
}

/** The versions that advisers' sessions with a tool reported since then, the last used first; an empty word stands for none. */
export const versionsOf = (db: Db, toolId: string, since: Date) =>
  db
    .select({ version, sessions: count(), lastUsedAt: sql`max(${s.createdAt})`.mapWith(s.createdAt) })
    .from(s)
    .where(and(eq(s.toolId, toolId), gte(s.createdAt, since), testAdvisers.isReal(s.userId)))
    .groupBy(version)
    .orderBy(desc(max(s.createdAt)))
    .limit(100);

/** Of how many client files the sessions are whose ids this subquery finds. */
export async function countFiles(db: Db, ids: SQL): Promise<number> {
  const [row] = await db
    .select({ files: sql<number>`count(distinct ${referenceKey(s.clientReference)})::int` })
    .from(s)
    .where(sql`${s.id} in ${ids}`);
  return row?.files ?? 0;
}

export async function ofReference(db: Db, ids: string[], clientReference: string): Promise<string[]> {
  const rows = await db
    .select({ id: s.id })
    .from(s)
    .where(
      and(
        sql`${s.id} = any(${sql.param(ids)}::uuid[])`,
        isNotNull(s.clientReference),
        sql`${referenceKey(s.clientReference)} = ${keyOfReference(clientReference)}`,
      ),
    );
  return rows.map(({ id }) => id);
}

export async function usersOf(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: s.userId })
    .from(s)
    .where(sql`${s.id} = any(${sql.param(ids)}::uuid[])`);
  return rows.map(({ userId }) => userId);
}

export const sessionsById = (db: Db, ids: string[]) =>
  db
    .select(pick(s, 'id', 'userId', 'createdAt', 'toolVersion', 'purpose', 'clientReference'))
    .from(s)
    .where(inArray(s.id, ids));

export const noteChecked = async (db: Db, ids: string[], statedAt: Date) => {
  if (ids.length > 0) await db.update(s).set({ checked: true, statedAt }).where(inArray(s.id, ids));
};
