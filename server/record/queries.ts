import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import type { Disclosure } from '#shared/rules/record/disclosure.ts';
import { sessionSignOffs, sessionStatements, toolDisclosures, toolReviews } from '#shared/schema/record.ts';
import { referenceKey } from '#shared/schema/usage.ts';
import { person } from '#server/people/service.ts';
import { register } from '#server/usage/service.ts';
import { type Db, deleteSome, first, hasChanged, pick } from '#server/platform/data/database.ts';

const s = sessionStatements;
const d = toolDisclosures;
const r = toolReviews;
const o = sessionSignOffs;

export const statementsOf = (db: Db, sessionId: string) =>
  db.select().from(s).where(eq(s.sessionId, sessionId)).orderBy(asc(s.position));

/** How many lines each of these sessions has, and what its adviser's last review says: others in the practice add lines, too. */
export async function linesOf(db: Db, sessions: readonly { id: string; userId: string }[]) {
  const ids = sql.param(sessions.map(({ id }) => id));
  const advisers = sql.param(sessions.map(({ userId }) => userId));
  const lastReview = (said: SQL | PgColumn) =>
    sql`(array_agg(${said} order by ${s.position} desc) filter (where ${s.checked} is not null and ${s.userId} = asked.adviser))[1]`;
  const rows = await db
    .select({
      sessionId: s.sessionId,
      lines: sql<number>`count(*)::int`,
      late: sql<boolean>`coalesce(${lastReview(s.late)}, false)`,
      byFormer: sql<boolean>`coalesce(${lastReview(s.byFormer)}, false)`,
      checks: sql<string | null>`${lastReview(sql`array_to_json(${s.checks})::text`)}`,
      remark: sql<string | null>`${lastReview(s.remark)}`,
    })
    .from(s)
    .innerJoin(sql`unnest(${ids}::uuid[], ${advisers}::uuid[]) as asked (id, adviser)`, sql`asked.id = ${s.sessionId}`)
    .groupBy(s.sessionId);
  return new Map(rows.map((row) => [row.sessionId, row]));
}

export const insertStatements = (db: Db, lines: (typeof s.$inferInsert)[]) => db.insert(s).values(lines);

export const countStatements = (db: Db, userId: string, among: SQL) =>
  db.$count(s, and(eq(s.userId, userId), sql`${s.sessionId} in ${among}`));

export const findStatement = (db: Db, id: string) => first(db.select().from(s).where(eq(s.id, id)));

export const findSignOff = (db: Db, id: string) => first(db.select().from(o).where(eq(o.id, id)));

export const findReview = (db: Db, teamId: string, id: string) =>
  first(
    db
      .select()
      .from(r)
      .where(and(eq(r.id, id), eq(r.teamId, teamId))),
  );

type Redaction = { redactedFor: string; redactedAt: Date; redactedById: string | null };

/** Takes the words out of the statement, sign-off or review with this id; false where that was done before. */
export async function redactLine(tx: Db, id: string, redaction: Redaction): Promise<boolean> {
  await tx.execute(sql`select set_config('record.redacting', ${id}, true)`);
  const isOpen = (table: typeof s | typeof o | typeof r) => and(eq(table.id, id), isNull(table.redactedAt));
  const said = {
    ...redaction,
    remark: null,
    clientReference: sql`case when ${s.clientReference} is not null then '' end`,
  };
  return (
    (await hasChanged(tx.update(s).set(said).where(isOpen(s)))) ||
    (await hasChanged(
      tx
        .update(o)
        .set({ ...redaction, remark: null })
        .where(isOpen(o)),
    )) ||
    hasChanged(
      tx
        .update(r)
        .set({ ...redaction, remark: '' })
        .where(isOpen(r)),
    )
  );
}

/** The practice's sessions of which a line names this client reference, also where a later line names another. */
export async function sessionsNaming(db: Db, { teamId, clientReference }: register.Held[number]): Promise<string[]> {
  const isNamed = sql`${referenceKey(s.clientReference)} = ${keyOfReference(clientReference)}`;
  const rows = await db
    .selectDistinct({ id: s.sessionId })
    .from(s)
    .where(and(sql`${s.sessionId} in ${register.idsOfTeam(teamId)}`, isNamed));
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` statements that were made before a moment, but those of held sessions; returns how many. */
export const forgetStatements = (db: Db, before: Date, heldSessions: string[], limit: number) =>
  deleteSome(db, s, s.id, oldLines(s, before, heldSessions), limit);

/** Sign-offs, likewise. */
export const forgetSignOffs = (db: Db, before: Date, heldSessions: string[], limit: number) =>
  deleteSome(db, o, o.id, oldLines(o, before, heldSessions), limit);

const oldLines = (table: typeof s | typeof o, before: Date, heldSessions: string[]) =>
  and(lt(table.madeAt, before), sql`not (${table.sessionId} = any(${sql.param(heldSessions)}::uuid[]))`);

/** Reviews of tools, likewise, but for practices that hold something. */
export const forgetReviews = (db: Db, before: Date, holding: string[], limit: number) =>
  deleteSome(db, r, r.id, and(lt(r.madeAt, before), notInArray(r.teamId, holding)), limit);

/** Lets a transaction delete what was said before a moment. */
export const allowForgetting = (db: Db, before: Date) =>
  db.execute(sql`select set_config('record.erasing', ${`before ${before.toISOString()}`}, true)`);

/** What was said about a tool in that version or, without one, in the newest. */
export const findDisclosure = (db: Db, toolId: string, version?: number) =>
  first(
    db
      .select()
      .from(d)
      .where(and(eq(d.toolId, toolId), version === undefined ? undefined : eq(d.version, version)))
      .orderBy(desc(d.version))
      .limit(1),
  );

export const versionsOf = (db: Db, toolId: string) =>
  db.select({ version: d.version, madeAt: d.madeAt }).from(d).where(eq(d.toolId, toolId)).orderBy(desc(d.version));

/** The newest version of each tool that has one. */
export async function newestDisclosures(
  db: Db,
): Promise<Map<string, { version: number; madeAt: Date; about: string | null }>> {
  const rows = await db
    .selectDistinctOn([d.toolId], {
      ...pick(d, 'toolId', 'version', 'madeAt'),
      about: sql<string | null>`${d.answers}->>'version'`,
    })
    .from(d)
    .orderBy(asc(d.toolId), desc(d.version));
  return new Map(rows.map((row) => [row.toolId, row]));
}

type NewDisclosure = { toolId: string; answers: Disclosure; madeById: string; madeAt: Date };

/** Adds the next version. The caller has locked the tool. */
export async function insertDisclosure(db: Db, said: NewDisclosure): Promise<number> {
  const version = ((await findDisclosure(db, said.toolId))?.version ?? 0) + 1;
  await db.insert(d).values({ ...said, version });
  return version;
}

const { teamId: _team, ...reviewed } = getTableColumns(r);

export const reviewsOf = (db: Db, teamId: string) =>
  db
    .select({ ...reviewed, firstName: person.firstName, lastName: person.lastName })
    .from(r)
    .innerJoin(person, eq(person.id, r.userId))
    .where(eq(r.teamId, teamId))
    .orderBy(desc(r.madeAt))
    .limit(500);

export const insertReview = (db: Db, review: typeof r.$inferInsert) => db.insert(r).values(review);

export const insertSignOffs = (db: Db, rows: (typeof o.$inferInsert)[]) => db.insert(o).values(rows);

const signedOff = { ...getTableColumns(o), firstName: person.firstName, lastName: person.lastName };

export const lastSignOffs = (db: Db, sessionIds: string[]) =>
  db
    .selectDistinctOn([o.sessionId], signedOff)
    .from(o)
    .innerJoin(person, eq(person.id, o.userId))
    .where(inArray(o.sessionId, sessionIds))
    .orderBy(o.sessionId, desc(o.madeAt));

export const signOffsOf = (db: Db, sessionId: string) =>
  db
    .select(signedOff)
    .from(o)
    .innerJoin(person, eq(person.id, o.userId))
    .where(eq(o.sessionId, sessionId))
    .orderBy(asc(o.madeAt));
