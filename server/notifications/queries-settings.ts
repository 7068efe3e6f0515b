import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { reminderSettings } from '#shared/schema/notifications.ts';
import { person } from '#server/people/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import { together } from '#server/platform/data/together.ts';

const s = reminderSettings;

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

/** Stores them, if the account still exists. */
export async function saveSettings(db: Db, userId: string, settings: ReminderSettings): Promise<void> {
  const { emailReminders, inAppNotifications, reminderDays: days, weeklyStatements } = settings;
  const weekly = weeklyStatements !== undefined && { weeklyStatements };
  const values = { emailReminders, inAppNotifications, reminderDays: days, ...weekly };
  const owner = db
    .select({
      userId: person.id,
      emailReminders: sql`${emailReminders}::boolean`.as('email_reminders'),
      inAppNotifications: sql`${inAppNotifications}::boolean`.as('in_app_notifications'),
      reminderDays: sql`${`{${days.join()}}`}::integer[]`.as('reminder_days'),
      weeklyStatements: sql`${weeklyStatements ?? false}::boolean`.as('weekly_statements'),
      updatedAt: sql`now()`.as('updated_at'),
    })
    .from(person)
    .where(eq(person.id, userId));
  await db
    .insert(s)
    .select(owner)
    .onConflictDoUpdate({ target: s.userId, set: { ...values, updatedAt: sql`now()` } });
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
