import { and, eq, isNull } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { minute } from '#shared/rules/dates.ts';
import { mailFiles, mails } from '#shared/schema/notifications.ts';
import { type Db, transaction } from './data/database.ts';
import type { Env } from './env.ts';
import type { MailSubject } from './mail-subject.ts';
import { maskText } from './logs/log-redaction.ts';
import type { Queue } from './queue/queue.ts';

export type MailFile = { name: string; contentType: string; body: Uint8Array };

export type OutgoingMail = {
  to: string;
  subject: MailSubject;
  text: string;
  html: string;
  kind: string;
  /** Extra headers, such as List-Unsubscribe or Reply-To. */
  headers?: Record<string, string> | undefined;
  files?: readonly MailFile[] | undefined;
};

export type Mailer = {
  /** Puts the mail into the outbox, to be sent when the transaction of `db` commits. Returns its id. */
  send(db: Db, mail: OutgoingMail): Promise<string>;
  /** Why the mail server would take no mail now, in a line; null if it would, or if no mail is to leave. */
  refusal(): Promise<string | null>;
};

type Parts = {
  /** For the delivery, after the sender's transaction. */
  db: Db;
  env: Pick<Env, 'smtpUrl' | 'mailFrom' | 'appUrl'>;
  queue: Queue;
  log: Logger;
  now: () => Date;
};

const JOB = 'deliver-mail';
/** A release that knows of no files must not send such a mail without them. */
const JOB_WITH_FILES = 'deliver-mail-with-files';
/** A job that fails at once, to make an incident of a mail that the receiver will never take. */
const REFUSED = 'mail-refused';
/** Sent to addresses that somebody typed and nobody has verified: mistyped ones are no incident. */
const untried = new Set(['verification', 'email-change', 'team-invitation', 'contact', 'bookkeeper-question']);

/** While the mail server is away: the second try comes 15 s after the first, each wait is twice the last up to an hour, for three days. */
export const mostTries = 80;
const waitSeconds = (tries: number) => Math.min(15 * 2 ** (tries - 1), 3600);

/** RFC 5321 gives a server ten minutes to take a mail. One that it may have taken already is not sent again sooner. */
const patienceMs = 10 * minute;

/** Mail over SMTP, through the queue; without SMTP the outbox is the development mailbox. */
export function createMailer(parts: Parts): Mailer {
  const { env, queue, now } = parts;
  const transport = env.smtpUrl ? smtpTransport(env.smtpUrl) : undefined;
  if (transport) defineDelivery(parts, smtpDelivery(transport, env));
  return {
    refusal: async () => {
      try {
        await transport?.verify();
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    send: async (db, { to, subject, text, html, kind, headers, files = [] }) => {
      const row = { toAddress: to, subject, textBody: text, htmlBody: html, kind, headers, createdAt: now() };
      const [mail] = await db
        .insert(mails)
        .values({ ...row, sentAt: transport ? null : now() })
        .returning({ id: mails.id });
      const { id } = mail!;
      if (files.length > 0)
        await db.insert(mailFiles).values(files.map((file) => ({ ...file, body: Buffer.from(file.body), mailId: id })));
      if (transport) await queue.send(db, files.length > 0 ? JOB_WITH_FILES : JOB, { mailId: id });
      return id;
    },
  };
}

/** The jobs that send what is in the outbox. */
function defineDelivery({ db, queue, log, now }: Parts, deliver: ReturnType<typeof smtpDelivery>): void {
  /** Links in a mail are secrets, so text, headers and files are deleted once it is sent, or refused for good. */
  const finish = (id: string, fields: { sentAt?: Date; lastError?: string | null; attempts: number }) =>
    transaction(db, async (tx) => {
      await tx
        .update(mails)
        .set({ ...fields, textBody: '', htmlBody: '', headers: null })
        .where(eq(mails.id, id));
      await tx.delete(mailFiles).where(eq(mailFiles.mailId, id));
    });
  const sendBy =
    (job: string) =>
    async ({ mailId }: { mailId: string }) => {
      const open = and(eq(mails.id, mailId), isNull(mails.sentAt));
      const [mail] = await db.select().from(mails).where(open);
      if (!mail || mail.textBody === '') return;
      const attempts = mail.attempts + 1;
      const files = await db.select().from(mailFiles).where(eq(mailFiles.mailId, mailId));
      try {
        await deliver(mail, files);
      } catch (error) {
        const lastError = reasonOf(error);
        if (isRefusedForGood(error)) {
          log.error({ err: error, mailId, kind: mail.kind }, 'mail refused');
          await finish(mailId, { lastError, attempts });
          if (!untried.has(mail.kind)) await queue.send(db, REFUSED, { mailId });
          return;
        }
        await transaction(db, async (tx) => {
          await tx.update(mails).set({ lastError, attempts }).where(eq(mails.id, mailId));
          if (attempts < mostTries) await queue.send(tx, job, { mailId }, { startAfter: waitSeconds(attempts) });
        });
        // The job fails, which is an incident; replaying it sends the mail.
        if (attempts >= mostTries) throw error;
        log.warn({ mailId, kind: mail.kind, attempts, reason: lastError }, 'mail waits');
        return;
      }
      await finish(mailId, { sentAt: now(), lastError: null, attempts });
    };
  const options = { concurrency: 8, expireInSeconds: patienceMs / 1000 + 60 };
  for (const job of [JOB, JOB_WITH_FILES]) void queue.define(job, options, sendBy(job));
  void queue.define<{ mailId: string }>(REFUSED, { retryLimit: 0 }, async ({ mailId }) => {
    const [mail] = await db.select({ lastError: mails.lastError }).from(mails).where(eq(mails.id, mailId));
    if (mail) throw new Error(mail.lastError ?? 'refused');
  });
}

/** What the mail server said, without secrets. */
const reasonOf = (error: unknown) =>
  maskText(error instanceof Error ? error.message : 'unknown fault')
    .replace(/\s+/g, ' ')
    .slice(0, 500);

/** Whether the mail server will never take it, such as for an unknown mailbox. Wrong credentials (535) are retried. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  return Number(error.responseCode) >= 550 && Number(error.responseCode) < 560;
}

type StoredMail = Pick<typeof mails.$inferSelect, 'id' | 'toAddress' | 'subject' | 'textBody' | 'htmlBody' | 'headers'>;

const smtpTransport = (smtpUrl: string) =>
  createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

function smtpDelivery(
  transport: ReturnType<typeof smtpTransport>,
  { mailFrom, appUrl }: Parts['env'],
): (mail: StoredMail, files: readonly MailFile[]) => Promise<unknown> {
  const host = new URL(appUrl).hostname;
  return (mail, files) =>
    transport.sendMail({
      from: mailFrom,
      to: { name: '', address: mail.toAddress }, // as an object, so that it is one recipient whatever it contains
      subject: mail.subject,
      text: mail.textBody,
      html: mail.htmlBody,
      messageId: `<${mail.id}@${host}>`, // the same on a retry: receivers drop the second copy
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      attachments: files.map(({ name, contentType, body }) => ({
        filename: name,
        contentType,
        content: Buffer.from(body),
      })),
    });
}
