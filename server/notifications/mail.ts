import type { Context } from '#server/platform/context.ts';
import { renderMail } from '#server/platform/mail-layout.ts';
import type { Recipient } from './queries.ts';

export type NoticeMail = {
  /** What the outbox calls it, such as `trial-started`. */
  kind: string;
  subject: string;
  /** The notice's message unless told. */
  paragraphs?: readonly string[];
  /** Text of the button to the notice's actionUrl; without it there is no button. */
  actionLabel?: string;
  /** Sent whatever the reminder preference says: a receipt or a failed payment is no reminder. */
  always?: boolean;
};

type Notice = { title: string; message: string; actionUrl?: string | undefined; mail: NoticeMail };

/** Mails a notice; it leaves with the caller's transaction. */
export function sendNotice(context: Context, to: Recipient, { title, message, actionUrl, mail }: Notice) {
  const { kind, subject, paragraphs = [message], actionLabel } = mail;
  const action =
    actionUrl !== undefined && actionLabel !== undefined
      ? { label: actionLabel, url: new URL(actionUrl, context.env.appUrl).href }
      : undefined;
  const body = renderMail({
    preheader: message,
    heading: title,
    paragraphs: [`Hi ${to.firstName},`, ...paragraphs],
    ...(action && { action }),
  });
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind });
}
