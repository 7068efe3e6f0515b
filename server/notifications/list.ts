import type { Notification } from '#shared/api/notifications.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
import { blankExpired, countUnread, hideNotice, markAllRead, markRead, newestNotices } from './queries-list.ts';

export const listNotices = async (context: Context, userId: string, limit: number): Promise<Notification[]> =>
  (await newestNotices(context.db, `${userId} ${context.now().toISOString()} ${limit}`)) ?? [];

export const unreadCount = async (context: Context, userId: string) => ({
  count: (await countUnread(context.db, `${userId} ${context.now().toISOString()}`)) ?? 0,
});

/** Marks it as read. Somebody else's notice, a deleted one or an expired one is not found. */
export const readNotice = (context: Context, userId: string, id: string): Promise<Notification> =>
  orRefuse(markRead(context.db, userId, id, context.now()), 'not_found');

export const readAllNotices = async (context: Context, userId: string) => ({
  count: await markAllRead(context.db, userId, context.now()),
});

export async function deleteNotice(context: Context, userId: string, id: string) {
  if (!(await hideNotice(context.db, userId, id, context.now()))) throw new AppError('not_found');
  return { message: 'Notification deleted' };
}

/** For how long support can look up an expired notice. */
const keptDays = 30;

/** A job: blanks what expired a month ago. The rows stay, so that their keys still prevent a second notice. */
export async function blankOldNotices(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  await inBatches((limit) => blankExpired(context.db, before, limit));
}
