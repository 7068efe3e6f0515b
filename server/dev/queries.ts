import { desc, eq, sql } from 'drizzle-orm';
import { sessions } from '#shared/schema/accounts.ts';
import { mails } from '#shared/schema/notifications.ts';
import type { Db } from '#server/platform/database.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  to: mails.toAddress,
  subject: mails.subject,
  text: mails.textBody,
  html: mails.htmlBody,
  at: mails.createdAt,
};

/** The newest mails, to one address or to all. */
export const newestMails = (db: Db, to: string | null, limit: number) =>
  db
    .select(columns)
    .from(mails)
    .where(to === null ? undefined : eq(mails.toAddress, to))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit);

export const mailById = async (db: Db, id: string) =>
  (await db.select(columns).from(mails).where(eq(mails.id, id)))[0] ?? null;

/** As if every session's ten minutes since its proof were over. */
export const forgetProofs = (db: Db) =>
  db.update(sessions).set({ sess: sql`(${sessions.sess}::jsonb - 'provenAt')::json` });
