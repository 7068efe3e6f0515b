import type { Context } from '#server/platform/context.ts';
import { renderMail } from '#server/platform/mail-layout.ts';
import type { Recipient } from './queries.ts';
import { unsubscribeLinks } from './unsubscribe.ts';

export type NoticeMail = {
  /** What the outbox calls it, such as `trial-started`. */
  kind: string;
  subject: string;
  /** The notice's message unless told. */
  paragraphs?: readonly string[];
  /** Text of the button to the notice's actionUrl; without it there is no button. */
  actionLabel?: string;
  /** Why the reader gets this mail. */
  footer?: string;
  /** Sent whatever the reminder preference says: a receipt or a failed payment is no reminder. */
  always?: boolean;
};

type Notice = {
  userId: string;
  title: string;
  message: string;
  actionUrl?: string | undefined;
  mail: NoticeMail;
  /** A reminder: it says how to get no more of them, to the reader and to the mail programme (RFC 8058). */
  optional: boolean;
};

/** Mails a notice; it leaves with the caller's transaction. */
export function sendNotice(context: Context, to: Recipient, notice: Notice) {
  const { userId, title, message, actionUrl, mail, optional } = notice;
  const { kind, subject, paragraphs = [message], actionLabel, footer } = mail;
  const leave = optional ? unsubscribeLinks(context, userId) : null;
  const action =
    actionUrl !== undefined && actionLabel !== undefined
      ? { label: actionLabel, url: new URL(actionUrl, context.env.appUrl).href }
      : undefined;
  const body = renderMail({
    preheader: message,
    heading: title,
    paragraphs: [`Hi ${to.firstName},`, ...paragraphs],
    ...(action && { action }),
    ...(footer !== undefined && { footer }),
    ...(leave && { unsubscribeUrl: leave.page }),
  });
  const headers = leave && {
    'List-Unsubscribe': `<${leave.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind, ...(headers && { headers }) });
}
