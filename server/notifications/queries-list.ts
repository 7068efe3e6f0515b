import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { notifications } from '#shared/schema/notifications.ts';
import { type Db, first } from '#server/platform/database.ts';

const n = notifications;

const columns = {
  id: n.id,
  type: n.type,
  title: n.title,
  message: n.message,
  isRead: n.isRead,
  actionUrl: n.actionUrl,
  createdAt: n.createdAt,
};

/** This adviser's notices, without those that have expired or were deleted. */
const shownTo = (userId: string, now: Date) => and(eq(n.userId, userId), or(isNull(n.expiresAt), gt(n.expiresAt, now)));

export const newestNotices = (db: Db, userId: string, now: Date, limit: number) =>
  db
    .select(columns)
    .from(n)
    .where(shownTo(userId, now))
    .orderBy(sql`${n.createdAt} desc nulls first`, n.id)
    .limit(limit);

export const countUnread = (db: Db, userId: string, now: Date): Promise<number> =>
  db.$count(n, and(shownTo(userId, now), eq(n.isRead, false)));

export const markRead = (db: Db, userId: string, id: string, now: Date) =>
  first(
    db
      .update(n)
      .set({ isRead: true })
      .where(and(eq(n.id, id), shownTo(userId, now)))
      .returning(columns),
  );

/** Answers how many were unread. */
export async function markAllRead(db: Db, userId: string, now: Date): Promise<number> {
  const { rowCount } = await db
    .update(n)
    .set({ isRead: true })
    .where(and(shownTo(userId, now), eq(n.isRead, false)));
  return rowCount ?? 0;
}

/** Takes the notice out of every list. The row stays, so that its key still prevents a second notice. */
export async function hideNotice(db: Db, userId: string, id: string, now: Date): Promise<boolean> {
  const hidden = await db
    .update(n)
    .set({ expiresAt: now, isRead: true })
    .where(and(eq(n.id, id), shownTo(userId, now)))
    .returning({ id: n.id });
  return hidden.length === 1;
}

/** Blanks at most `limit` notices that expired before `before`; answers how many. */
export async function blankExpired(db: Db, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: n.id })
    .from(n)
    .where(and(lte(n.expiresAt, before), ne(n.message, '')))
    .limit(limit);
  const blanked = await db
    .update(n)
    .set({ title: '', message: '', actionUrl: null, isRead: true })
    .where(inArray(n.id, old))
    .returning({ id: n.id });
  return blanked.length;
}
