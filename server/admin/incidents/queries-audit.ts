import { and, desc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import type { AuditFilters } from '#shared/api/oversight.ts';
import { auditLog } from '#shared/schema/admin.ts';
import type { Db } from '#server/platform/data/database.ts';

const matching = ({ actor, action, subject }: AuditFilters) =>
  and(
    actor === undefined ? undefined : eq(auditLog.actorId, actor),
    action === undefined ? undefined : eq(auditLog.action, action),
    subject === undefined ? undefined : eq(auditLog.subjectId, subject),
  );

type LastRow = { createdAt: Date; id: string };

/** Newest first; `after` is the last row of the previous batch. */
export const auditRows = (
  db: Db,
  filters: AuditFilters,
  { limit, start = 0, after }: { limit: number; start?: number; after?: LastRow | undefined },
) => {
  const rest =
    after &&
    and(
      lte(auditLog.createdAt, after.createdAt),
      or(lt(auditLog.createdAt, after.createdAt), gt(auditLog.id, after.id)),
    );
  return db
    .select()
    .from(auditLog)
    .where(and(matching(filters), rest))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit)
    .offset(start);
};

export const auditRowsById = (db: Db, ids: string[]) =>
  db.select().from(auditLog).where(inArray(auditLog.id, ids)).orderBy(desc(auditLog.createdAt), auditLog.id);

/** How many rows match, counted up to `most`. */
export async function countAudit(db: Db, filters: AuditFilters, most: number): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(auditLog)
    .where(matching(filters))
    .limit(most)
    .as('some');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some);
  return row!.count;
}

/** Every action in the log. Skips through the index: one step per action, not per row. */
export async function knownActions(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ action: string }>(sql`
    with recursive known as (
      (select action from ${auditLog} order by action limit 1)
      union all
      select (select next.action from ${auditLog} as next where next.action > known.action order by next.action limit 1)
      from known where known.action is not null
    )
    select action from known where action is not null`);
  return rows.map((row) => row.action);
}
