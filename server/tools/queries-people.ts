import { and, asc, eq, gt, lt, lte } from 'drizzle-orm';
import { toolPeople } from '#shared/schema/tools.ts';
import { type Db } from '#server/platform/data/database.ts';

const p = toolPeople;
type KnownPerson = Pick<typeof p.$inferSelect, 'userId' | 'toolId' | 'teamId'>;

/**
 * Notes that a tool has met this person, who may use it. They are checked again within a minute, since access may end while this
 * is written. For somebody who is known and may use it already, nothing is written.
 */
export const rememberPerson = async (db: Db, person: KnownPerson, now: Date) => {
  const open = { teamId: person.teamId, mayUse: true, checkAt: now };
  await db
    .insert(p)
    .values({ ...person, ...open, createdAt: now })
    .onConflictDoUpdate({ target: [p.userId, p.toolId], set: open, setWhere: eq(p.mayUse, false) });
};

/** The tools that know this person, locked, so that they hear of each change once and in order. */
export const lockKnown = (db: Db, userId: string) =>
  db.select().from(p).where(eq(p.userId, userId)).orderBy(asc(p.toolId)).for('update');

export const noteAccess = (
  db: Db,
  { userId, toolId }: KnownPerson,
  access: Partial<Pick<typeof p.$inferSelect, 'mayUse' | 'checkAt' | 'teamId'>>,
) =>
  db
    .update(p)
    .set(access)
    .where(and(eq(p.userId, userId), eq(p.toolId, toolId)));

export const forgetPerson = (db: Db, userId: string) => db.delete(p).where(eq(p.userId, userId));

/** Puts off until then what is to be checked earlier. */
export const checkAgain = (db: Db, userId: string, checkAt: Date) =>
  db
    .update(p)
    .set({ checkAt })
    .where(and(eq(p.userId, userId), lt(p.checkAt, checkAt)));

/** People whose access may have ended by the clock, the longest waiting first. */
export const peopleToCheck = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .select({ userId: p.userId })
    .from(p)
    .where(lte(p.checkAt, now))
    .orderBy(asc(p.checkAt), asc(p.userId))
    .limit(limit);
  return [...new Set(rows.map(({ userId }) => userId))];
};

/** Who has opened this tool and may go on, by id, from the one after `after`. */
export const peopleKnown = async (db: Db, toolId: string, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db
    .select({ userId: p.userId })
    .from(p)
    .where(and(eq(p.toolId, toolId), p.mayUse, after === null ? undefined : gt(p.userId, after)))
    .orderBy(asc(p.userId))
    .limit(limit);
  return rows.map(({ userId }) => userId);
};
