import { day, plus } from '#shared/rules/dates.ts';
import { canBeTurnedOff, type NotificationType } from '#shared/rules/people/notifications.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { type Letter, sendMail } from '#server/platform/send-mail.ts';
import { stopLinks } from '#server/platform/stop-links.ts';
import { findRecipient, insertOnce, type Recipient } from './queries.ts';

export { deleteMail, mailsById, notifiedOccasions, settingsOf, waitingMails, wantingStatements } from './queries.ts';

/** The `kind` of every mail about money; `money-mails.test.ts` reads each, for an adviser and for a team. */
export const moneyMails = [
  'trial-started',
  'subscription-started',
  'receipt',
  'payment-failed',
  'payment-recovered',
  'free-access-ended',
  'bill-changed',
  'price-announced',
  'auto-renew',
  'cancelled',
  'reactivated',
  'win-back',
  'ended-unpaid',
  'trial-ending',
  'renewal-reminder',
  'yearly-summary',
  'year-statement',
  'refund',
  'free-months',
  'free-months-taken-back',
  'trial-extended',
  'charge-retried',
  'invoice-voided',
  'team-received',
  'team-handed-over',
  'closed',
  'payment-disputed',
] as const;
export type MoneyMail = (typeof moneyMails)[number];

/** Subject and heading are by default the notice's title, and the paragraphs its message. */
export type NoticeMail = Partial<Pick<Letter, 'subject' | 'heading' | 'paragraphs'>> &
  Pick<Letter, 'kind' | 'table' | 'secondTable' | 'after' | 'files' | 'footer'> & {
    /** Label of the button that leads to the notice's `actionUrl`; without it there is no button. */
    actionLabel?: string;
    /** Sent whatever the reminder settings, such as a receipt or a failed payment. */
    always?: boolean;
  };

export type Notice = {
  userId: string;
  /** Default: `system_alert`, which always arrives. */
  type?: NotificationType;
  /** With a heading, the mail's subject is the heading's. */
  title: string | Heading;
  message: string;
  /** A path of ours, or https. */
  actionUrl?: string;
  /** Names the occasion, such as `trial-started:{subscription}`: an adviser is notified of it once. */
  dedupeKey: string;
  expiresAt?: Date;
  mail?: NoticeMail;
};

/** After this, notices drop off the list by themselves. */
const shownDays = 365;

/**
 * Notifies an adviser once, in the caller's transaction: in the app and, if `mail` is given, by mail. Their settings apply to
 * reminders, milestones and reports; a `system_alert` always arrives. Returns whether they hear of it now.
 */
export function notify(context: Context, { mail, type = 'system_alert', title, ...notice }: Notice): Promise<boolean> {
  return transaction(context.db, async (tx) => {
    const to = await findRecipient(tx, notice.userId);
    if (!to) return false;
    const now = context.now();
    const optional = canBeTurnedOff[type];
    // If it is unwanted in the app, it is stored read and expired: never listed, but its key prevents a second mail.
    const hidden = optional && !to.inAppNotifications && { isRead: true, expiresAt: now };
    const about = typeof title === 'string' ? heading`${title}` : title;
    const shown = { type, title: about.title, expiresAt: plus(now, shownDays * day) };
    const isNew = await insertOnce(tx, { ...shown, ...notice, createdAt: now, ...hidden });
    const wanted = mail && (!optional || to.emailReminders || mail.always === true);
    if (isNew && wanted)
      await sendNotice(within(context, tx), to, { ...notice, about }, mail, optional && mail.always !== true);
    return isNew && (wanted === true || !hidden);
  });
}

/** Mails a notice when the caller's transaction commits. */
function sendNotice(
  context: Context,
  to: Recipient,
  { userId, about, message, actionUrl }: Omit<Notice, 'title'> & { about: Heading },
  mail: NoticeMail,
  /** A reminder tells the reader and the mail program how to unsubscribe (RFC 8058). */
  isReminder: boolean,
) {
  const {
    subject = about.subject,
    heading: headline = about.title,
    paragraphs = [message],
    actionLabel,
    ...rest
  } = mail;
  return sendMail(context, {
    ...rest,
    to: to.email,
    subject,
    preheader: message,
    heading: headline,
    paragraphs: [`Hi ${to.firstName},`, ...paragraphs],
    action:
      actionUrl !== undefined && actionLabel !== undefined
        ? { label: actionLabel, url: new URL(actionUrl, context.env.appUrl).href }
        : undefined,
    stop: isReminder
      ? { label: 'Unsubscribe from reminders', ...stopLinks(context, 'unsubscribe', userId) }
      : undefined,
  });
}
