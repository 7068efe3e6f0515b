import { eq, sql } from 'drizzle-orm';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { openPerson } from '#server/people/service.ts';
import type { Db } from '#server/platform/data/database.ts';

export type Recipient = { email: string; firstName: string; emailReminders: boolean; inAppNotifications: boolean };

/** Address and preferences of an open account; without a settings row both channels are on. */
export async function findRecipient(db: Db, userId: string): Promise<Recipient | null> {
  const [row] = await db
    .select({
      email: openPerson.email,
      firstName: openPerson.firstName,
      emailReminders: reminderSettings.emailReminders,
      inAppNotifications: reminderSettings.inAppNotifications,
    })
    .from(openPerson)
    .leftJoin(reminderSettings, eq(reminderSettings.userId, openPerson.id))
    .where(eq(openPerson.id, userId));
  if (!row) return null;
  return { ...row, emailReminders: row.emailReminders ?? true, inAppNotifications: row.inAppNotifications ?? true };
}

/** Writes the notice unless this adviser has had one with its key; returns whether it is new. */
export async function insertOnce(db: Db, values: typeof notifications.$inferInsert): Promise<boolean> {
  const added = await db
    .insert(notifications)
    .values(values)
    .onConflictDoNothing({ target: [notifications.userId, notifications.dedupeKey] })
    .returning({ id: notifications.id });
  return added.length === 1;
}

/** Which of these occasions advisers have already been notified of, as `userId dedupeKey`. */
export async function notifiedOccasions(
  db: Db,
  occasions: { userId: string; dedupeKey: string }[],
): Promise<Set<string>> {
  if (occasions.length === 0) return new Set();
  const rows = await db
    .select({ userId: notifications.userId, dedupeKey: notifications.dedupeKey })
    .from(notifications)
    .where(
      sql`(${notifications.userId}, ${notifications.dedupeKey}) in (select * from unnest(
        ${sql.param(occasions.map(({ userId }) => userId))}::uuid[], ${sql.param(occasions.map(({ dedupeKey }) => dedupeKey))}::text[]))`,
    );
  return new Set(rows.map((row) => `${row.userId} ${row.dedupeKey}`));
}

/** Deletes a mail from the outbox, sent or not. */
export const deleteMail = async (db: Db, mailId: string) => {
  await db.delete(mails).where(eq(mails.id, mailId));
};
