import { and, desc, eq, gt, isNull, lte, or } from 'drizzle-orm';
import { approvals } from '#shared/schema/approvals.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const a = approvals;
export type ApprovalRow = typeof a.$inferSelect;

/** Null if the same is already waiting. */
export const insertApproval = (db: Db, values: typeof a.$inferInsert): Promise<ApprovalRow | null> =>
  first(db.insert(a).values(values).onConflictDoNothing().returning());

/** Locks the row, so that of two who decide at once, one does. */
export const lockApproval = (db: Db, id: string): Promise<ApprovalRow | null> =>
  first(db.select().from(a).where(eq(a.id, id)).for('no key update'));

export const findApproval = (db: Db, id: string): Promise<ApprovalRow | null> =>
  first(db.select().from(a).where(eq(a.id, id)));

export const changeApproval = async (db: Db, id: string, values: Partial<typeof a.$inferInsert>): Promise<void> => {
  await db.update(a).set(values).where(eq(a.id, id));
};

/** Notes, once, that it was carried out. */
export const noteExecuted = async (db: Db, id: string, executedAt: Date): Promise<void> => {
  await db
    .update(a)
    .set({ executedAt })
    .where(and(eq(a.id, id), isNull(a.executedAt)));
};

/** Makes way for another request of the same kind. */
export const endExpired = async (db: Db, kind: ApprovalRow['kind'], subjectId: string, now: Date): Promise<void> => {
  await db
    .update(a)
    .set({ state: 'expired' })
    .where(and(eq(a.kind, kind), eq(a.subjectId, subjectId), eq(a.state, 'waiting'), lte(a.expiresAt, now)));
};

/** What waits, and what was asked since then; newest first. */
export const newestApprovals = (db: Db, since: Date, limit: number) =>
  db
    .select()
    .from(a)
    .where(or(eq(a.state, 'waiting'), gt(a.askedAt, since)))
    .orderBy(desc(a.askedAt), a.id)
    .limit(limit);

/** Whether this person was made an administrator since then, by a request that still holds. */
export const wasMadeAdminSince = async (db: Db, userId: string, since: Date): Promise<boolean> =>
  (await first(
    db
      .select({ id: a.id })
      .from(a)
      .where(and(eq(a.kind, 'make_admin'), eq(a.subjectId, userId), gt(a.executedAt, since), isNull(a.undoneAt)))
      .limit(1),
  )) !== null;
