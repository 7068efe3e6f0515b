import { day, plus } from '#shared/rules/dates.ts';
import type { NotificationType } from '#shared/rules/notifications.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { sendNotice, type NoticeMail } from './mail.ts';
import { insertOnce, recipient } from './queries.ts';

export { keysTold } from './queries.ts';

export type Notice = {
  userId: string;
  type: NotificationType;
  title: string;
  message: string;
  /** A path of ours, or https. */
  actionUrl?: string;
  /** Names the occasion, such as `trial-started:{subscription}`: one adviser hears of it once. */
  dedupeKey: string;
  expiresAt?: Date;
  mail?: NoticeMail;
};

/** Old news leaves the list by itself. */
const shownDays = 365;

/**
 * Tells an adviser something once, in the caller's transaction: a notification and, if given, a mail. Preferences
 * concern reminders, milestones and reports; security and the like always arrive (decisions §9). Answers whether it was new.
 */
export function notify(context: Context, { mail, ...notice }: Notice): Promise<boolean> {
  return transaction(context.db, async (tx) => {
    const to = await recipient(tx, notice.userId);
    if (!to) return false;
    const now = context.now();
    const optional = notice.type !== 'system_alert';
    // Unwanted in the app, it is kept as read and expired: never listed, but it still remembers that it was told.
    const hidden = optional && !to.inAppNotifications && { isRead: true, expiresAt: now };
    const isNew = await insertOnce(tx, { expiresAt: plus(now, shownDays * day), ...notice, createdAt: now, ...hidden });
    const wanted = mail && (!optional || to.emailReminders || mail.always === true);
    if (isNew && wanted)
      await sendNotice(within(context, tx), to, { ...notice, mail, optional: optional && mail.always !== true });
    return isNew;
  });
}
