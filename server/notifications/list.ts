import type { Notification } from '#shared/api/notifications.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { countUnread, hideNotice, markAllRead, markRead, newestNotices } from './queries-list.ts';

export const listNotices = async (context: Context, userId: string, limit: number): Promise<Notification[]> =>
  (await newestNotices(context.db, `${userId} ${context.now().toISOString()} ${limit}`)) ?? [];

export const unreadCount = async (context: Context, userId: string) => ({
  count: (await countUnread(context.db, `${userId} ${context.now().toISOString()}`)) ?? 0,
});

/** Marks it as read. Somebody else's notice, a deleted one or an expired one is not found. */
export async function readNotice(context: Context, userId: string, id: string): Promise<Notification> {
  const notice = await markRead(context.db, userId, id, context.now());
  if (!notice) throw new AppError('not_found');
  return notice;
}

export const readAllNotices = async (context: Context, userId: string) => ({
  count: await markAllRead(context.db, userId, context.now()),
});

export async function deleteNotice(context: Context, userId: string, id: string) {
  if (!(await hideNotice(context.db, userId, id, context.now()))) throw new AppError('not_found');
  return { message: 'Notification deleted' };
}
