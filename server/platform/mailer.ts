import { and, eq, isNull } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { brand, seller } from '#shared/brand.ts';
import { minute } from '#shared/rules/dates.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { mails } from '#shared/schema/notifications.ts';
import { type Db, transaction } from './data/database.ts';
import type { Env } from './env.ts';
import { maskText } from './logs/log-redaction.ts';
import type { Queue } from './queue/queue.ts';

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
/** A job that fails at once, to make an incident of a mail that the receiver will never take. */
const REFUSED = 'mail-refused';
/** Sent to addresses that somebody typed and nobody has verified: mistyped ones are no incident. */
const untried = new Set(['verification', 'email-change', 'team-invitation', 'contact']);

/** While the mail server is away: the second try comes 15 s after the first, each wait is twice the last up to an hour, for three days. */
export const mostTries = 80;
const waitSeconds = (tries: number) => Math.min(15 * 2 ** (tries - 1), 3600);

/** RFC 5321 gives a server ten minutes to take a mail. One that it may have taken already is not sent again sooner. */
const patienceMs = 10 * minute;

/** Mail over SMTP, through the queue; without SMTP the outbox is the development mailbox. */
export function createMailer({ db: deliveryDb, env, queue, log, now }: Parts): Mailer {
  const transport = env.smtpUrl ? smtpTransport(env.smtpUrl) : undefined;
  const deliver = transport && smtpDelivery(transport, env);

  /** Links in a mail are secrets, so text and headers are deleted once it is sent, or refused for good. */
  const finish = (id: string, fields: { sentAt?: Date; lastError?: string | null; attempts: number }) =>
    deliveryDb
      .update(mails)
      .set({ ...fields, textBody: '', htmlBody: '', headers: null })
      .where(eq(mails.id, id));

  if (deliver) {
    const options = { concurrency: 8, expireInSeconds: patienceMs / 1000 + 60 };
    void queue.define<{ mailId: string }>(JOB, options, async ({ mailId }) => {
      const open = and(eq(mails.id, mailId), isNull(mails.sentAt));
      const [mail] = await deliveryDb.select().from(mails).where(open);
      if (!mail || mail.textBody === '') return;
      const attempts = mail.attempts + 1;
      try {
        await deliver(mail);
      } catch (error) {
        const lastError = reasonOf(error);
        if (isRefusedForGood(error)) {
          log.error({ err: error, mailId, kind: mail.kind }, 'mail refused');
          await finish(mailId, { lastError, attempts });
          if (!untried.has(mail.kind)) await queue.send(deliveryDb, REFUSED, { mailId });
          return;
        }
        await transaction(deliveryDb, async (tx) => {
          await tx.update(mails).set({ lastError, attempts }).where(eq(mails.id, mailId));
          if (attempts < mostTries) await queue.send(tx, JOB, { mailId }, { startAfter: waitSeconds(attempts) });
        });
        // The job fails, which is an incident; replaying it sends the mail.
        if (attempts >= mostTries) throw error;
        log.warn({ mailId, kind: mail.kind, attempts, reason: lastError }, 'mail waits');
        return;
      }
      await finish(mailId, { sentAt: now(), lastError: null, attempts });
    });
    void queue.define<{ mailId: string }>(REFUSED, { retryLimit: 0 }, async ({ mailId }) => {
      const [mail] = await deliveryDb.select({ lastError: mails.lastError }).from(mails).where(eq(mails.id, mailId));
      if (mail) throw new Error(mail.lastError ?? 'refused');
    });
  }

  return {
    refusal: async () => {
      try {
        await transport?.verify();
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    send: async (db, { to, subject, text, html, kind, headers }) => {
      const row = { toAddress: to, subject, textBody: text, htmlBody: html, kind, headers, createdAt: now() };
      const [mail] = await db
        .insert(mails)
        .values({ ...row, sentAt: deliver ? null : now() })
        .returning({ id: mails.id });
      if (deliver) await queue.send(db, JOB, { mailId: mail!.id });
      return mail!.id;
    },
  };
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
): (mail: StoredMail) => Promise<unknown> {
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

/** An amount and what it is for; `note` explains it in smaller type. */
export type MailRow = { label: string; note?: string; amount: string };
/** Amounts one below the other, and what they come to. */
export type MailTable = { rows: readonly MailRow[]; total: MailRow };

export type MailContent = {
  /** What an inbox shows after the subject. */
  preheader: string;
  heading: string;
  /** Plain text; each becomes a paragraph. */
  paragraphs: readonly string[];
  table?: MailTable;
  /** Paragraphs below the table. */
  after?: readonly string[];
  action?: { label: string; url: string };
  /** Why the reader gets this mail. */
  footer?: string;
  /** The link to unsubscribe, which the Spam Act asks for in reminders. */
  unsubscribeUrl?: string;
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
/** A minus sign stays with its amount, and a card's number in one piece. */
const withBreaks = (text: string) =>
  escape(text)
    .replace(/\n/g, '<br>')
    .replace(/•••• (?=\d)/g, '••••&nbsp;')
    .replace(/−\$[\d,.]*\d/g, '<span style="white-space:nowrap">$&</span>');

/** One mail as HTML and as text. Everything given is plain text, so markup in a name is shown and not run. */
export function renderMail(content: MailContent): { html: string; text: string } {
  if (content.action && !/^https?:\/\//.test(content.action.url)) throw new Error('A mail links to http(s) only.');
  return { html: renderHtml(content), text: renderText(content) };
}

const sender = () => `${seller().name} · ABN ${formatAbn(seller().abn)} · ${seller().supportEmail}`;

const textWidth = 64;
const rule = '-'.repeat(textWidth);

/** Broken between words into lines of at most so many characters. */
const broken = (text: string, width: number): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

/** The amounts stand one below the other, at the right. */
function rowText({ label, note, amount }: MailRow): string {
  const lines = broken(label, textWidth - amount.length - 1);
  const last = lines.pop() ?? '';
  const notes = note === undefined ? [] : broken(note, textWidth - amount.length - 4).map((line) => `  ${line}`);
  return [...lines, last + amount.padStart(textWidth - last.length), ...notes].join('\n');
}

const tableText = ({ rows, total }: MailTable) => [...rows.map(rowText), rule, rowText(total)].join('\n');

function renderText({ heading, paragraphs, table, after = [], action, footer, unsubscribeUrl }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const end = `-- \n${brand.name} – ${brand.tagline}\n${sender()}`;
  const last = [
    ...(footer ? [footer] : []),
    ...(unsubscribeUrl ? [`Unsubscribe from reminders:\n${unsubscribeUrl}`] : []),
  ];
  return [heading, ...paragraphs, ...(table ? [tableText(table)] : []), ...after, ...link, ...last, end].join('\n\n');
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Drawn with a table cell: mail programs block pictures and don't show SVG. */
const logo = `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr>
<td width="32" height="32" align="center" valign="middle" style="border-radius:8px;background:#0f5f5c;color:#ffffff;font-weight:700;font-size:18px;line-height:32px">${escape(brand.name.charAt(0))}</td>
<td style="padding-left:10px;font-weight:700;font-size:18px">${escape(brand.name)}</td>
</tr></table>`;

const rowHtml = ({ label, note, amount }: MailRow, style: string) => `<tr>
<th scope="row" align="left" class="line" style="padding:8px 16px 8px 0;${style}">${withBreaks(label)}${note === undefined ? '' : `<br><span class="muted" style="font-weight:400;font-size:13px;color:#475569">${withBreaks(note)}</span>`}</th>
<td class="line" align="right" valign="top" style="padding:8px 0;white-space:nowrap;${style}">${escape(amount)}</td>
</tr>`;

const tableHtml = ({
  rows,
  total,
}: MailTable) => `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">
${rows.map((row) => rowHtml(row, 'border-bottom:1px solid #e2e8f0;font-weight:400')).join('\n')}
${rowHtml(total, 'font-weight:700;font-size:20px')}
</table>`;

const paragraphsHtml = (paragraphs: readonly string[]) =>
  paragraphs.map((p) => `<p style="margin:0 0 16px">${withBreaks(p)}</p>`).join('\n');

/** Where the mail program knows dark colours; the others show the light ones, or their own. */
const dark = `<style>@media (prefers-color-scheme: dark) {
.page { background: #0c0f12 !important; color: #e9edf1 !important }
.card { background: #14181c !important }
.muted { color: #a0abb6 !important }
.link { color: #4cc2b4 !important }
.line { border-color: #2a3138 !important }
}</style>`;

function renderHtml(content: MailContent): string {
  const { preheader, heading, paragraphs, table, after = [], action, footer, unsubscribeUrl } = content;
  const body = [paragraphsHtml(paragraphs), ...(table ? [tableHtml(table)] : []), paragraphsHtml(after)].join('\n');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escape(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5f5c;color:#ffffff;text-decoration:none;font-weight:600">${escape(action.label)}</a></p>
<p class="muted" style="margin:0 0 16px;font-size:13px;color:#475569">If the button does not work, open this address:<br><a class="link" href="${escape(action.url)}" style="color:#0f5f5c;word-break:break-all">${escape(action.url)}</a></p>`
    : '';
  const reason = footer ? `<p style="margin:0 0 8px">${withBreaks(footer)}</p>` : '';
  const unsubscribe = unsubscribeUrl
    ? `<p style="margin:0 0 8px"><a href="${escape(unsubscribeUrl)}" class="muted" style="color:#475569">Unsubscribe from reminders</a></p>`
    : '';
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(heading)}</title>${dark}</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f1f5f9;color:#0f172a;font-size:16px;line-height:1.5;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escape(preheader)}</div>
<div style="max-width:560px;margin:0 auto">
${logo}
<div class="card" style="padding:28px;border-radius:12px;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escape(heading)}</h1>
${body}
${button}</div>
<div class="muted" style="padding:16px 4px;font-size:13px;color:#475569">${reason}${unsubscribe}<p style="margin:0">${escape(sender())}</p></div>
</div>
</body>
</html>`;
}
