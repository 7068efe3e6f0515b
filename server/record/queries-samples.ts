import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { recordSamples } from '#shared/schema/record.ts';
import { type Db, deleteSome, first, only } from '#server/platform/data/database.ts';

const m = recordSamples;

export const insertSample = (db: Db, sample: typeof m.$inferInsert) => only(db.insert(m).values(sample).returning());

export const findSample = (db: Db, teamId: string, id: string) =>
  first(
    db
      .select()
      .from(m)
      .where(and(eq(m.id, id), eq(m.teamId, teamId))),
  );

export const samplesOf = (db: Db, teamId: string) =>
  db.select().from(m).where(eq(m.teamId, teamId)).orderBy(asc(m.drawnAt), asc(m.id));

/** Deletes at most `limit` samples that were drawn before a moment, but those with a held session; returns how many. */
export function forgetSamples(db: Db, before: Date, heldSessions: string[], limit: number): Promise<number> {
  const isHeld = sql`${m.sessionIds} && ${sql.param(heldSessions)}::uuid[]`;
  return deleteSome(db, m, m.id, and(lt(m.drawnAt, before), sql`not (${isHeld})`), limit);
}
