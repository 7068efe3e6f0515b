import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { openPerson } from '#server/people/service.ts';
import { type Db, pick } from '#server/platform/data/database.ts';
import { mostTries } from '#server/platform/mailer.ts';
import { together } from '#server/platform/data/together.ts';

const s = reminderSettings;

export type Recipient = { email: string; firstName: string; emailReminders: boolean; inAppNotifications: boolean };

/** Address and preferences of an open account; without a settings row both channels are on. */
export async function findRecipient(db: Db, userId: string): Promise<Recipient | null> {
  const [row] = await db
    .select({
      email: openPerson.email,
      firstName: openPerson.firstName,
      emailReminders: s.emailReminders,
      inAppNotifications: s.inAppNotifications,
    })
    .from(openPerson)
    .leftJoin(s, eq(s.userId, openPerson.id))
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

export const deleteMail = async (db: Db, mailId: string) => {
  await db.delete(mails).where(eq(mails.id, mailId));
};

/** What became of these mails, and whose account has the address that each went to. */
export const mailsById = (db: Db, ids: string[]) =>
  db
    .select({
      id: mails.id,
      userId: openPerson.id,
      ...pick(mails, 'subject', 'toAddress', 'attempts', 'lastError', 'sentAt'),
    })
    .from(mails)
    .leftJoin(openPerson, eq(sql`lower(${openPerson.email})`, mails.toAddress))
    .where(inArray(mails.id, ids));

const storedSettings = together((db) => {
  const query = db
    .select()
    .from(s)
    .where(sql`${s.userId} = any(${sql.placeholder('userIds')}::uuid[])`)
    .prepare('reminder_settings_of');
  return async (userIds) => (await query.execute({ userIds })).map((row) => [row.userId, row] as const);
});

/** Without a row: all days, both channels. */
export async function settingsOf(db: Db, userId: string): Promise<ReminderSettings> {
  const row = await storedSettings(db, userId);
  const days = row?.reminderDays ?? [...reminderDays];
  return {
    emailReminders: row?.emailReminders ?? true,
    inAppNotifications: row?.inAppNotifications ?? true,
    reminderDays: reminderDays.filter((day) => days.includes(day)),
    weeklyStatements: row?.weeklyStatements ?? false,
  };
}

/** What is left out stays as it is: a form that was open before undoes nothing. */
export async function saveSettings(db: Db, userId: string, settings: Partial<ReminderSettings>): Promise<void> {
  await db
    .insert(s)
    .values({ userId, ...settings })
    .onConflictDoUpdate({ target: s.userId, set: { ...settings, updatedAt: sql`now()` } });
}

/** At most `limit` advisers who want a weekly mail about sessions without a statement; by id, from the one after `after`. */
export async function wantingStatements(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .select({ userId: s.userId })
    .from(s)
    .where(and(s.weeklyStatements, after === null ? undefined : gt(s.userId, after)))
    .orderBy(asc(s.userId))
    .limit(limit);
  return rows.map(({ userId }) => userId);
}

/** The mails that were to leave before this moment and that the mail server did not take, with what it said of the oldest; null if there are none. */
export async function waitingMails(db: Db, before: Date) {
  const m = mails;
  const [found] = await db
    .select({
      id: m.id,
      since: m.createdAt,
      attempts: m.attempts,
      error: m.lastError,
      count: sql<number>`count(*) over ()::int`,
    })
    .from(m)
    .where(
      and(
        isNull(m.sentAt),
        ne(m.textBody, ''),
        lt(m.createdAt, before),
        isNotNull(m.lastError),
        lt(m.attempts, mostTries),
      ),
    )
    .orderBy(asc(m.createdAt), asc(m.id))
    .limit(1);
  return found ?? null;
}
