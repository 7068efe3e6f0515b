import type { Context } from './context.ts';
import { type MailContent, renderMail } from './mail-content.ts';
import type { OutgoingMail } from './mailer.ts';
import type { stopLinks } from './stop-links.ts';

export type Letter = Omit<MailContent, 'stop'> &
  Omit<OutgoingMail, 'text' | 'html'> & {
    /** How the reader and the mail program get no more such mails (RFC 8058). */
    stop?: ({ label: string } & ReturnType<typeof stopLinks>) | undefined;
  };

/** Mails a letter when the caller's transaction commits. */
export function sendMail({ mailer, db }: Context, { to, subject, kind, headers, files, stop, ...content }: Letter) {
  const unsubscribe = stop && {
    'List-Unsubscribe': `<${stop.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const body = renderMail({ ...content, ...(stop && { stop: { label: stop.label, url: stop.page } }) });
  return mailer.send(db, { to, subject, ...body, kind, headers: unsubscribe ?? headers, files });
}
