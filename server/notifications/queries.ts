import { and, eq } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { notifications, reminderSettings } from '#shared/schema/notifications.ts';
import type { Db } from '#server/platform/database.ts';

type NewNotification = typeof notifications.$inferInsert;

/** Writes it unless one with its dedupe key is there; answers whether it is new. */
export async function insertNotification(db: Db, notification: NewNotification): Promise<boolean> {
  const added = await db
    .insert(notifications)
    .values(notification)
    .onConflictDoNothing()
    .returning({ id: notifications.id });
  return added.length > 0;
}

/** Takes back what was written only to hold its dedupe key. */
export const hideNotification = (db: Db, userId: string, dedupeKey: string, expiresAt: Date) =>
  db
    .update(notifications)
    .set({ expiresAt, isRead: true })
    .where(and(eq(notifications.userId, userId), eq(notifications.dedupeKey, dedupeKey)));

/** Address, first name and reminder preferences of one adviser; missing preferences are the defaults. */
export async function recipient(db: Db, userId: string) {
  const [row] = await db
    .select({
      email: users.email,
      firstName: users.firstName,
      emailReminders: reminderSettings.emailReminders,
      inAppNotifications: reminderSettings.inAppNotifications,
    })
    .from(users)
    .leftJoin(reminderSettings, eq(reminderSettings.userId, users.id))
    .where(eq(users.id, userId));
  return row ?? null;
}
