import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { notifications, reminderSettings } from '#shared/schema/notifications.ts';
import type { Db } from '#server/platform/database.ts';

export type Recipient = { email: string; firstName: string; emailReminders: boolean; inAppNotifications: boolean };

/** Address and preferences of an open account; without a settings row both channels are on (decisions §9). */
export async function recipient(db: Db, userId: string): Promise<Recipient | null> {
  const [row] = await db
    .select({
      email: users.email,
      firstName: users.firstName,
      emailReminders: reminderSettings.emailReminders,
      inAppNotifications: reminderSettings.inAppNotifications,
    })
    .from(users)
    .leftJoin(reminderSettings, eq(reminderSettings.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
  return (
    (row && {
      ...row,
      emailReminders: row.emailReminders ?? true,
      inAppNotifications: row.inAppNotifications ?? true,
    }) ??
    null
  );
}

/** Writes the notice unless its key was used before for this adviser; answers whether it is new. */
export async function insertOnce(db: Db, values: typeof notifications.$inferInsert): Promise<boolean> {
  const added = await db
    .insert(notifications)
    .values(values)
    .onConflictDoNothing({ target: [notifications.userId, notifications.dedupeKey] })
    .returning({ id: notifications.id });
  return added.length === 1;
}

/** Which of these occasions were told before, as `userId key`. */
export async function keysTold(db: Db, occasions: { userId: string; dedupeKey: string }[]): Promise<Set<string>> {
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
