import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import { referenceKey, toolUsage } from '#shared/schema/usage.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { type Db, pick, sydneyMidnight } from '#server/platform/data/database.ts';

const s = toolUsage;

/** Which sessions an evidence pack holds. Without a team, they are one adviser's own. */
export type PackScope = {
  teamId: string | null;
  adviserId: string | null;
  toolId: string | null;
  clientReference: string | null;
  /** Sydney days, both included. */
  fromDay: string | null;
  toDay: string | null;
  /** Only these, as a list or a query in brackets. */
  among?: SQL | undefined;
};

const inScope = ({ teamId, adviserId, toolId, clientReference, fromDay, toDay, among }: PackScope) =>
  and(
    teamId === null ? undefined : eq(s.teamId, teamId),
    // Without a team, a missing adviser matches nobody, never everybody.
    teamId !== null && adviserId === null ? undefined : sql`${s.userId} = ${adviserId}::uuid`,
    toolId === null ? undefined : eq(s.toolId, toolId),
    clientReference === null ? undefined : sql`${referenceKey(s.clientReference)} = ${keyOfReference(clientReference)}`,
    fromDay === null ? undefined : sql`${s.createdAt} >= ${sydneyMidnight(fromDay)}`,
    toDay === null ? undefined : sql`${s.createdAt} < ${sydneyMidnight(toDay, 1)}`,
    among && sql`${s.id} in ${among}`,
  );

/** How many sessions are in it, counted up to a limit. */
export const countPackSessions = (db: Db, scope: PackScope, limit: number) =>
  db.$count(db.select({ id: s.id }).from(s).where(inScope(scope)).limit(limit).as('some'));

/** The tools and people in it. */
export async function inPack(db: Db, scope: PackScope): Promise<{ toolIds: string[]; userIds: string[] }> {
  const pairs = await db.selectDistinct({ toolId: s.toolId, userId: s.userId }).from(s).where(inScope(scope));
  return {
    toolIds: [...new Set(pairs.map(({ toolId }) => toolId))],
    userIds: [...new Set(pairs.map(({ userId }) => userId))],
  };
}

/** A page of them, the oldest first; `after` is the last one of the previous page. */
export const packSessions = (db: Db, scope: PackScope, limit: number, after?: string) =>
  db
    .select({
      ...pick(s, 'id', 'userId', 'toolId', 'toolVersion', 'createdAt', 'reports', 'durationSeconds', 'actions'),
      ...pick(s, 'purpose', 'purposeFrom', 'clientReference', 'referenceFrom', 'checked'),
      toolName: catalogueTool.name,
      outside: sql<boolean>`${catalogueTool.outsideOf} is not null`,
    })
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .where(
      and(
        inScope(scope),
        // Compared in the database, since a Date has no microseconds. The order is that of the indexes read backwards.
        after === undefined
          ? undefined
          : sql`${s.createdAt} >= (select created_at from tool_usage where id = ${after})
              and (${s.createdAt} > (select created_at from tool_usage where id = ${after}) or ${s.id} < ${after})`,
      ),
    )
    .orderBy(asc(s.createdAt), desc(s.id))
    .limit(limit);
export type PackSession = Awaited<ReturnType<typeof packSessions>>[number];
