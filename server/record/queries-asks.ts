import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, or } from 'drizzle-orm';
import { toolAsks } from '#shared/schema/record.ts';
import { person } from '#server/people/service.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';

const a = toolAsks;
export type AskRow = typeof a.$inferSelect;

/** Writes what somebody asks; null where they have asked already. */
export const insertAsk = (db: Db, row: typeof a.$inferInsert): Promise<AskRow | null> =>
  first(db.insert(a).values(row).onConflictDoNothing().returning());

const withAsker = (db: Db) =>
  db
    .select({ ...getTableColumns(a), firstName: person.firstName, lastName: person.lastName })
    .from(a)
    .innerJoin(person, eq(person.id, a.userId));

export const openAsks = (db: Db, teamId: string) =>
  withAsker(db)
    .where(and(eq(a.teamId, teamId), isNull(a.outcome)))
    .orderBy(a.askedAt);

export const answeredAsks = (db: Db, teamId: string, limit: number) =>
  withAsker(db)
    .where(and(eq(a.teamId, teamId), isNotNull(a.outcome)))
    .orderBy(desc(a.answeredAt))
    .limit(limit);

/** What somebody asks, newest first; of what was answered only what was since that moment. */
export const asksBy = (db: Db, userId: string, since: Date) =>
  db
    .select()
    .from(a)
    .where(and(eq(a.userId, userId), or(isNull(a.outcome), gt(a.answeredAt, since))))
    .orderBy(desc(a.askedAt));

export const lockAsk = (tx: Db, teamId: string, id: string) =>
  first(
    tx
      .select()
      .from(a)
      .where(and(eq(a.teamId, teamId), eq(a.id, id)))
      .for('update'),
  );

type Answer = Pick<AskRow, 'outcome' | 'answer' | 'answeredById' | 'answeredAt'>;

/** Writes the answer; false where there was one. */
export const closeAsk = (tx: Db, id: string, answer: Answer): Promise<boolean> =>
  hasChanged(
    tx
      .update(a)
      .set(answer)
      .where(and(eq(a.id, id), isNull(a.outcome))),
  );

export const deleteAsk = (db: Db, id: string) => db.delete(a).where(eq(a.id, id));

export const teamsWithOpenAsks = async (db: Db): Promise<string[]> =>
  (await db.selectDistinct({ teamId: a.teamId }).from(a).where(isNull(a.outcome))).map(({ teamId }) => teamId);
