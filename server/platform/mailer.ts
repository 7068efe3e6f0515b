import { and, eq, isNull } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { mails } from '#shared/schema/notifications.ts';
import type { Db } from './database.ts';
import type { Env } from './env.ts';
import { maskText } from './log-redaction.ts';
import type { Queue } from './queue.ts';

export type OutgoingMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  kind: string;
  /** Extra headers, such as List-Unsubscribe or Reply-To. */
  headers?: Record<string, string>;
};

export type Mailer = {
  /** Puts the mail into the outbox: it leaves when the transaction of `db` commits, and not at all if that fails. */
  send(db: Db, mail: OutgoingMail): Promise<void>;
};

type Parts = {
  /** For the delivery, which happens after the sender's transaction. */
  db: Db;
  env: Pick<Env, 'smtpUrl' | 'mailFrom' | 'appUrl'>;
  queue: Queue;
  log: Logger;
  now: () => Date;
};

const JOB = 'deliver-mail';

/** Mail over SMTP, through the queue; without SMTP the outbox is the development mailbox (decisions §1). */
export function createMailer({ db: deliveryDb, env, queue, log, now }: Parts): Mailer {
  const deliver = env.smtpUrl ? smtpDelivery(env.smtpUrl, env) : undefined;

  /** Links in a mail are secrets: once it is sent, or given up, text and headers are not kept. */
  const finish = (id: string, fields: { sentAt?: Date; lastError?: string | null; attempts: number }) =>
    deliveryDb
      .update(mails)
      .set({ ...fields, textBody: '', htmlBody: '', headers: null })
      .where(eq(mails.id, id));

  if (deliver) {
    const options = { retryLimit: 8, retryDelaySeconds: 15, concurrency: 4, expireInSeconds: 60 };
    void queue.define<{ mailId: string }>(JOB, options, async ({ mailId }, { attempt, lastAttempt }) => {
      const open = and(eq(mails.id, mailId), isNull(mails.sentAt));
      const [mail] = await deliveryDb.select().from(mails).where(open);
      if (!mail || mail.textBody === '') return;
      try {
        await deliver(mail);
      } catch (error) {
        const lastError = maskText(error instanceof Error ? error.message : 'unknown fault').slice(0, 500);
        if (lastAttempt || isRefusedForGood(error)) {
          log.error({ err: error, mailId, kind: mail.kind }, 'mail given up');
          await finish(mailId, { lastError, attempts: attempt });
          return;
        }
        await deliveryDb.update(mails).set({ lastError, attempts: attempt }).where(eq(mails.id, mailId));
        throw error;
      }
      await finish(mailId, { sentAt: now(), lastError: null, attempts: attempt });
    });
  }

  return {
    send: async (db, { to, subject, text, html, kind, headers }) => {
      const row = { toAddress: to, subject, textBody: text, htmlBody: html, kind, headers, createdAt: now() };
      const [mail] = await db
        .insert(mails)
        .values({ ...row, sentAt: deliver ? null : now() })
        .returning({ id: mails.id });
      if (deliver && mail) await queue.send(db, JOB, { mailId: mail.id });
    },
  };
}

/** 5xx: the server will never take it (no such mailbox). Wrong credentials (535) are ours to mend, so they are retried. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  return Number(error.responseCode) >= 550 && Number(error.responseCode) < 560;
}

type Letter = Pick<typeof mails.$inferSelect, 'id' | 'toAddress' | 'subject' | 'textBody' | 'htmlBody' | 'headers'>;

function smtpDelivery(smtpUrl: string, { mailFrom, appUrl }: Parts['env']): (mail: Letter) => Promise<unknown> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(appUrl).hostname;
  return (mail) =>
    transport.sendMail({
      from: mailFrom,
      to: { name: '', address: mail.toAddress }, // as an object, so that it is one recipient whatever it contains
      subject: mail.subject,
      text: mail.textBody,
      html: mail.htmlBody,
      messageId: `<${mail.id}@${host}>`, // the same on a retry: receivers drop the second copy
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    });
}
