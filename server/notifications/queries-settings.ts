import { eq, sql } from 'drizzle-orm';
import type { ReminderSettings } from '#shared/api/reminders.ts';
import { reminderDays } from '#shared/rules/reminders.ts';
import { users } from '#shared/schema/accounts.ts';
import { reminderSettings } from '#shared/schema/notifications.ts';
import type { Db } from '#server/platform/database.ts';

const s = reminderSettings;

/** Without a row: all days, both channels (decisions §9). */
export async function settingsOf(db: Db, userId: string): Promise<ReminderSettings> {
  const [row] = await db.select().from(s).where(eq(s.userId, userId));
  const days = row?.reminderDays ?? [...reminderDays];
  return {
    emailReminders: row?.emailReminders ?? true,
    inAppNotifications: row?.inAppNotifications ?? true,
    reminderDays: reminderDays.filter((day) => days.includes(day)),
  };
}

/** Keeps them, where the account still exists. */
export async function saveSettings(db: Db, userId: string, settings: ReminderSettings): Promise<void> {
  const { emailReminders, inAppNotifications, reminderDays: days } = settings;
  const values = { emailReminders, inAppNotifications, reminderDays: days };
  const owner = db
    .select({
      userId: users.id,
      emailReminders: sql`${emailReminders}::boolean`.as('email_reminders'),
      inAppNotifications: sql`${inAppNotifications}::boolean`.as('in_app_notifications'),
      reminderDays: sql`${`{${days.join()}}`}::integer[]`.as('reminder_days'),
      updatedAt: sql`now()`.as('updated_at'),
    })
    .from(users)
    .where(eq(users.id, userId));
  await db
    .insert(s)
    .select(owner)
    .onConflictDoUpdate({ target: s.userId, set: { ...values, updatedAt: sql`now()` } });
}
