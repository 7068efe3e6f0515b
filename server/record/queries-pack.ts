import { and, asc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import {
  recordSamples,
  sessionSignOffs,
  sessionStatements,
  toolDisclosures,
  toolReviews,
} from '#shared/schema/record.ts';
import type { practices } from '#server/payers/service.ts';
import { type Db, sydneyMidnight } from '#server/platform/data/database.ts';

const s = sessionStatements;
const d = toolDisclosures;
const r = toolReviews;
const o = sessionSignOffs;
const m = recordSamples;

const { id: _statement, position: _position, ...stated } = getTableColumns(s);
export const statementsOfSessions = (db: Db, sessionIds: string[]) =>
  db
    .select(stated)
    .from(s)
    .where(sql`${s.sessionId} = any(${sql.param(sessionIds)}::uuid[])`)
    .orderBy(asc(s.sessionId), asc(s.position));
export type PackStatement = Awaited<ReturnType<typeof statementsOfSessions>>[number];

const { id: _signOff, teamId: _team, ...signedOff } = getTableColumns(o);
export const signOffsOfSessions = (db: Db, sessionIds: string[]) =>
  db
    .select({
      ...signedOff,
      /** Null where the sample is older than seven years, or was none. */
      sampleSize: sql<number | null>`cardinality(${m.sessionIds})`,
      sampleDrawnAt: m.drawnAt,
    })
    .from(o)
    .leftJoin(m, eq(m.id, o.sampleId))
    .where(sql`${o.sessionId} = any(${sql.param(sessionIds)}::uuid[])`)
    .orderBy(asc(o.madeAt));
export type PackSignOff = Awaited<ReturnType<typeof signOffsOfSessions>>[number];

export const disclosuresOfTools = (db: Db, toolIds: string[]) =>
  db
    .select({ toolId: d.toolId, version: d.version, answers: d.answers, madeAt: d.madeAt })
    .from(d)
    .where(inArray(d.toolId, toolIds))
    .orderBy(asc(d.toolId), asc(d.version));
export type PackDisclosure = Awaited<ReturnType<typeof disclosuresOfTools>>[number];

/** What a practice says of a tool, as it is now. */
export type PackDecision = Awaited<ReturnType<typeof practices.decisionsOf>>[number] & {
  toolName: string;
  outside: boolean;
  isReviewed: boolean;
};

const { id: _review, teamId: _practice, ...reviewed } = getTableColumns(r);
/** The practice's reviews of these tools up to the end of a day. */
export const reviewsOfTools = (db: Db, teamId: string, toolIds: string[], toDay: string | null) =>
  db
    .select(reviewed)
    .from(r)
    .where(
      and(
        eq(r.teamId, teamId),
        inArray(r.toolId, toolIds),
        toDay === null ? undefined : lt(r.madeAt, sydneyMidnight(toDay, 1)),
      ),
    )
    .orderBy(asc(r.madeAt));
export type PackReview = Awaited<ReturnType<typeof reviewsOfTools>>[number];

/** The tools that the practice has ever reviewed. */
export async function reviewedTools(db: Db, teamId: string): Promise<Set<string>> {
  const rows = await db.selectDistinct({ toolId: r.toolId }).from(r).where(eq(r.teamId, teamId));
  return new Set(rows.map(({ toolId }) => toolId));
}
