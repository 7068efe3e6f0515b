import { and, asc, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Disclosure } from '#shared/rules/record/record.ts';
import { sessionSignOffs, sessionStatements, toolDisclosures, toolReviews } from '#shared/schema/record.ts';
import { person } from '#server/people/service.ts';
import { type Db, deleteSome, first, hasChanged } from '#server/platform/data/database.ts';

const s = sessionStatements;
const d = toolDisclosures;
const r = toolReviews;
const o = sessionSignOffs;

/** The lines of a session, the oldest first. */
export const statementsOf = (db: Db, sessionId: string) =>
  db.select().from(s).where(eq(s.sessionId, sessionId)).orderBy(asc(s.position));

/** How many lines each of these sessions has, and the remark of the last one that says whether it was checked. */
export async function linesOf(db: Db, sessionIds: string[]) {
  const rows = await db
    .select({
      sessionId: s.sessionId,
      lines: sql<number>`count(*)::int`,
      late: sql<boolean>`coalesce((array_agg(${s.late} order by ${s.position} desc) filter (where ${s.checked} is not null))[1], false)`,
      byFormer: sql<boolean>`coalesce((array_agg(${s.byFormer} order by ${s.position} desc) filter (where ${s.checked} is not null))[1], false)`,
      checks: sql<
        string | null
      >`(array_agg(array_to_json(${s.checks})::text order by ${s.position} desc) filter (where ${s.checked} is not null))[1]`,
      remark: sql<
        string | null
      >`(array_agg(${s.remark} order by ${s.position} desc) filter (where ${s.checked} is not null))[1]`,
    })
    .from(s)
    .where(inArray(s.sessionId, sessionIds))
    .groupBy(s.sessionId);
  return new Map(rows.map((row) => [row.sessionId, row]));
}

export const insertStatement = async (db: Db, line: typeof s.$inferInsert) => {
  await db.insert(s).values(line);
};

/** What was found on looking at sessions again. */
export const insertStatements = async (db: Db, lines: (typeof s.$inferInsert)[]) => {
  await db.insert(s).values(lines);
};

export const findStatement = (db: Db, id: string) => first(db.select().from(s).where(eq(s.id, id)));

type Redaction = { redactedFor: string; redactedAt: Date; redactedById: string | null };

/** Takes remark and client reference out of a line; false where that was done before. */
export async function redactLine(
  tx: Db,
  { id, clientReference }: typeof s.$inferSelect,
  redaction: Redaction,
): Promise<boolean> {
  await tx.execute(sql`select set_config('record.redacting', ${id}, true)`);
  const taken = { remark: null, clientReference: clientReference === null ? null : '' };
  return hasChanged(
    tx
      .update(s)
      .set({ ...taken, ...redaction })
      .where(and(eq(s.id, id), isNull(s.redactedAt))),
  );
}

/** Deletes at most `limit` lines that were made before a moment, but those of held sessions; returns how many. */
export async function forgetStatements(db: Db, before: Date, heldSessions: string[], limit: number): Promise<number> {
  await db.execute(sql`select set_config('record.erasing', ${`before ${before.toISOString()}`}, true)`);
  return deleteSome(
    db,
    s,
    s.id,
    and(lt(s.madeAt, before), sql`not (${s.sessionId} = any(${sql.param(heldSessions)}::uuid[]))`),
    limit,
  );
}

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
      toolId: d.toolId,
      version: d.version,
      madeAt: d.madeAt,
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

/** A team's reviews, the newest first. */
export const reviewsOf = (db: Db, teamId: string) =>
  db
    .select({
      id: r.id,
      toolId: r.toolId,
      userId: r.userId,
      firstName: person.firstName,
      lastName: person.lastName,
      remark: r.remark,
      disclosureVersion: r.disclosureVersion,
      nextDue: r.nextDue,
      madeAt: r.madeAt,
    })
    .from(r)
    .innerJoin(person, eq(person.id, r.userId))
    .where(eq(r.teamId, teamId))
    .orderBy(desc(r.madeAt))
    .limit(500);

export const insertReview = async (db: Db, review: typeof r.$inferInsert) => {
  await db.insert(r).values(review);
};

export const insertSignOffs = async (db: Db, rows: (typeof o.$inferInsert)[]) => {
  await db.insert(o).values(rows);
};

/** The last sign-off of each of these sessions. */
export const lastSignOffs = (db: Db, sessionIds: string[]) =>
  db
    .selectDistinctOn([o.sessionId], {
      sessionId: o.sessionId,
      teamId: o.teamId,
      userId: o.userId,
      firstName: person.firstName,
      lastName: person.lastName,
      remark: o.remark,
      sampledFrom: o.sampledFrom,
      madeAt: o.madeAt,
    })
    .from(o)
    .innerJoin(person, eq(person.id, o.userId))
    .where(inArray(o.sessionId, sessionIds))
    .orderBy(o.sessionId, desc(o.madeAt));
