import { and, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { minute, plus } from '#shared/rules/dates.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { countChanged, type Db, first, hasChanged, pick } from '#server/platform/data/database.ts';
import { askedKey, askedWith, grouped, together } from '#server/platform/data/together.ts';

const n = notifications;

const columns = pick(n, 'id', 'type', 'title', 'message', 'isRead', 'actionUrl', 'createdAt');

/** Neither expired nor deleted, since deleting expires a notice. */
const shownAt = (now: Date | SQL) => or(isNull(n.expiresAt), gt(n.expiresAt, now));
const shownTo = (userId: string, now: Date) => and(eq(n.userId, userId), shownAt(now));

const asked = askedWith({ user_id: 'uuid', at: 'timestamptz', number: 'int' });

/** The newest notices that an adviser is shown at a moment; a key is "user moment number". */
export const newestNotices = together((db) => {
  const newest = db
    .select({ key: askedKey, ...columns })
    .from(n)
    .where(and(sql`${n.userId} = asked.user_id`, shownAt(sql`asked.at`)))
    .orderBy(sql`${n.createdAt} desc nulls first`, n.id)
    .limit(sql`asked.number` as unknown as number)
    .as('newest');
  const query = db
    .select()
    .from(asked)
    .crossJoinLateral(newest)
    .orderBy(sql`${newest.createdAt} desc nulls first`, newest.id)
    .prepare('newest_notices');
  return async (keys) => {
    const rows = (await query.execute({ keys })).map((row) => row.newest);
    return grouped(rows, ({ key }) => key);
  };
});

/** A key is "user moment". */
export const countUnread = together((db) => {
  const query = db
    .select({ key: sql<string>`asked.key`, count: sql<number>`count(${n.id})::int` })
    .from(asked)
    .innerJoin(n, and(sql`${n.userId} = asked.user_id`, shownAt(sql`asked.at`), eq(n.isRead, false)))
    .groupBy(sql`asked.key`)
    .prepare('count_unread');
  return async (keys) => (await query.execute({ keys })).map(({ key, count }) => [key, count] as const);
});

export const markRead = (db: Db, userId: string, id: string, now: Date) =>
  first(
    db
      .update(n)
      .set({ isRead: true })
      .where(and(eq(n.id, id), shownTo(userId, now)))
      .returning(columns),
  );

/** Returns how many were unread. */
export const markAllRead = (db: Db, userId: string, now: Date): Promise<number> =>
  countChanged(
    db
      .update(n)
      .set({ isRead: true })
      .where(and(shownTo(userId, now), eq(n.isRead, false))),
  );

/**
 * Takes the notice out of every list. The row stays, so that its key still prevents a second notice. It expires a minute in the past,
 * so that a request at the same time on a replica whose clock is a little behind doesn't find it.
 */
export const hideNotice = (db: Db, userId: string, id: string, now: Date): Promise<boolean> =>
  hasChanged(
    db
      .update(n)
      .set({ expiresAt: plus(now, -minute), isRead: true })
      .where(and(eq(n.id, id), shownTo(userId, now))),
  );

/** Blanks at most `limit` notices that expired before `before`; returns how many. */
export async function blankExpired(db: Db, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: n.id })
    .from(n)
    .where(and(lte(n.expiresAt, before), ne(n.message, '')))
    .limit(limit);
  return countChanged(
    db.update(n).set({ title: '', message: '', actionUrl: null, isRead: true }).where(inArray(n.id, old)),
  );
}
