import { and, desc, eq, gt, gte, isNotNull, isNull, ne } from 'drizzle-orm';
import { emailUndoHours } from '#shared/rules/people/accounts.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { emailChanges } from '#shared/schema/accounts.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';

const c = emailChanges;
export type EmailChange = typeof c.$inferSelect;

const isPending = isNull(c.confirmedAt);
const canBeUndone = (now: Date) =>
  and(isNotNull(c.undoToken), isNull(c.undoneAt), gt(c.confirmedAt, plus(now, -emailUndoHours * hour)));

/** Whether the address is reserved for another account that had it before and may still undo its change. */
export const isReserved = async (db: Db, email: string, exceptUserId: string, now: Date): Promise<boolean> =>
  (await first(
    db
      .select({ id: c.id })
      .from(c)
      .where(and(eq(c.fromEmail, email), ne(c.userId, exceptUserId), canBeUndone(now)))
      .limit(1),
  )) !== null;

export const pendingChangeOf = (db: Db, userId: string, now: Date) =>
  first(
    db
      .select({ email: c.toEmail, expiresAt: c.expiresAt })
      .from(c)
      .where(and(eq(c.userId, userId), isPending, gt(c.expiresAt, now))),
  );

export const deletePending = (db: Db, userId: string) =>
  hasChanged(db.delete(c).where(and(eq(c.userId, userId), isPending)));

export const insertChange = (db: Db, values: typeof c.$inferInsert) => db.insert(c).values(values);

export const changeByToken = (db: Db, token: string, now: Date) =>
  first(
    db
      .select()
      .from(c)
      .where(and(eq(c.token, token), isPending, gt(c.expiresAt, now))),
  );

export const noteConfirmed = (db: Db, id: string, undoToken: string | null, at: Date) =>
  db.update(c).set({ confirmedAt: at, undoToken }).where(eq(c.id, id));

export const changeByUndoToken = (db: Db, undoToken: string, now: Date) =>
  first(
    db
      .select()
      .from(c)
      .where(and(eq(c.undoToken, undoToken), canBeUndone(now))),
  );

export const newestMove = (db: Db, userId: string, toEmail: string) =>
  first(
    db
      .select()
      .from(c)
      .where(and(eq(c.userId, userId), eq(c.toEmail, toEmail), isNotNull(c.confirmedAt)))
      .orderBy(desc(c.createdAt))
      .limit(1),
  );

/** Marks the change and all later ones undone, and drops a pending one. */
export async function noteUndone(db: Db, { userId, createdAt }: EmailChange, at: Date): Promise<void> {
  await deletePending(db, userId);
  await db
    .update(c)
    .set({ undoneAt: at })
    .where(and(eq(c.userId, userId), gte(c.createdAt, createdAt)));
}
