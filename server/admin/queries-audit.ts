import { and, desc, eq, gt, inArray, lt, lte, or, sql, type Column } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AuditFilters } from '#shared/api/oversight.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import type { Db } from '#server/platform/database.ts';

const actors = alias(users, 'actors');
const subjects = alias(users, 'subjects');
const nameOf = (table: typeof actors | typeof subjects) =>
  sql<string | null>`case when ${table.closedAt} is null then ${table.firstName} || ' ' || ${table.lastName} end`;
const emailOf = (table: typeof actors | typeof subjects) =>
  sql<string | null>`case when ${table.closedAt} is null then ${table.email} end`;

const matching = ({ actor, action, subject }: AuditFilters) =>
  and(
    actor === undefined ? undefined : eq(auditLog.actorId, actor),
    action === undefined ? undefined : eq(auditLog.action, action),
    subject === undefined ? undefined : eq(auditLog.subjectId, subject),
  );

/** The subject's id as a uuid, where it is a person: compared as text it could use no index. */
const personOf = ({ subjectType, subjectId }: { subjectType: Column; subjectId: Column }) =>
  sql`case when ${subjectType} = 'user' and ${subjectId} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${subjectId}::uuid end`;

type LastRow = { createdAt: Date; id: string };

/** Newest first; `after` is the last row of the batch before. */
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
  const page = db
    .select()
    .from(auditLog)
    .where(and(matching(filters), rest))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit)
    .offset(start)
    .as('page');
  return named(db, page);
};

const rowsOf = (db: Db, ids: string[]) => db.select().from(auditLog).where(inArray(auditLog.id, ids)).as('page');

export const auditRowsById = (db: Db, ids: string[]) => named(db, rowsOf(db, ids));

/** Rows with the names that people have today. */
const named = (db: Db, page: ReturnType<typeof rowsOf>) =>
  db
    .select({
      id: page.id,
      createdAt: page.createdAt,
      action: page.action,
      actorId: page.actorId,
      actorName: nameOf(actors),
      actorEmail: emailOf(actors),
      subjectType: page.subjectType,
      subjectId: page.subjectId,
      subjectName: nameOf(subjects),
      subjectEmail: emailOf(subjects),
      before: page.before,
      after: page.after,
      ip: page.ip,
      device: page.device,
    })
    .from(page)
    .leftJoin(actors, eq(actors.id, page.actorId))
    .leftJoin(subjects, eq(subjects.id, personOf(page)))
    .orderBy(desc(page.createdAt), page.id);

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

/** Every action in the log. Skips through the index, so that it takes one step per action and not per row. */
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
