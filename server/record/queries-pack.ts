import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
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

/** Every line that was stated about these sessions, each session's in order. */
export const statementsOfSessions = (db: Db, sessionIds: string[]) =>
  db
    .select({
      sessionId: s.sessionId,
      userId: s.userId,
      checked: s.checked,
      checks: s.checks,
      remark: s.remark,
      purpose: s.purpose,
      clientReference: s.clientReference,
      madeAt: s.madeAt,
      late: s.late,
      byFormer: s.byFormer,
      recallId: s.recallId,
      recallFault: s.recallFault,
      redactedFor: s.redactedFor,
      redactedAt: s.redactedAt,
      redactedById: s.redactedById,
    })
    .from(s)
    .where(sql`${s.sessionId} = any(${sql.param(sessionIds)}::uuid[])`)
    .orderBy(asc(s.sessionId), asc(s.position));
export type PackStatement = Awaited<ReturnType<typeof statementsOfSessions>>[number];

/** Every sign-off on these sessions, the oldest first. */
export const signOffsOfSessions = (db: Db, sessionIds: string[]) =>
  db
    .select({
      sessionId: o.sessionId,
      userId: o.userId,
      remark: o.remark,
      sampledFrom: o.sampledFrom,
      sampleId: o.sampleId,
      /** Null where the sample is older than seven years, or was none. */
      sampleSize: sql<number | null>`cardinality(${m.sessionIds})`,
      sampleDrawnAt: m.drawnAt,
      madeAt: o.madeAt,
      redactedFor: o.redactedFor,
      redactedAt: o.redactedAt,
      redactedById: o.redactedById,
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

/** The practice's reviews of these tools up to the end of a day. */
export const reviewsOfTools = (db: Db, teamId: string, toolIds: string[], toDay: string | null) =>
  db
    .select({
      toolId: r.toolId,
      userId: r.userId,
      remark: r.remark,
      disclosureVersion: r.disclosureVersion,
      nextDue: r.nextDue,
      madeAt: r.madeAt,
      redactedFor: r.redactedFor,
      redactedAt: r.redactedAt,
      redactedById: r.redactedById,
    })
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
