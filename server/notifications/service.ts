import type { NotificationType } from '#shared/rules/notifications.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { renderMail, type MailContent } from '#server/platform/mail-layout.ts';
import { hideNotification, insertNotification, recipient } from './queries.ts';

export type Notice = {
  userId: string;
  type: NotificationType;
  title: string;
  message: string;
  /** A path of ours, or https. */
  actionUrl?: string;
  expiresAt?: Date;
  /** Once per adviser and key, for ever: `trial-started:{subscription}`. */
  dedupeKey: string;
  /** Also mailed, once, when the notice is new. */
  mail?: { subject: string; kind: string; content: Omit<MailContent, 'preheader'> };
};

/** Preferences concern reminders only: security and team notices always reach their adviser (decisions §9). */
const isReminder = (type: NotificationType) => type === 'subscription_renewal';

/**
 * Writes a notification and, by preference, a mail, in the caller's transaction. Its dedupe key makes it once-only, so
 * that jobs and webhooks may repeat themselves. Answers whether it was new.
 */
export function notify(context: Context, notice: Notice): Promise<boolean> {
  return transaction(context.db, async (tx) => {
    const { mail, ...row } = notice;
    const added = await insertNotification(tx, { ...row, createdAt: context.now() });
    if (!added) return false;
    const to = await recipient(tx, notice.userId);
    if (!to) return true;
    const reminder = isReminder(notice.type);
    if (reminder && to.inAppNotifications === false)
      await hideNotification(tx, notice.userId, notice.dedupeKey, context.now());
    if (mail && !(reminder && to.emailReminders === false)) {
      const { html, text } = renderMail({ preheader: notice.message, ...mail.content });
      await context.mailer.send(tx, { to: to.email, subject: mail.subject, html, text, kind: mail.kind });
    }
    return true;
  });
}
