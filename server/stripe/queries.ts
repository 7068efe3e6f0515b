import { isNull, sql } from 'drizzle-orm';
import { stripeAccount } from '#shared/schema/billing.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const a = stripeAccount;
export type StripeMode = (typeof a.$inferSelect)['mode'];

/** Stores the mode of the keys; a database with customers keeps the mode they were made in. Answers the stored mode. */
export async function claimMode(db: Db, mode: StripeMode, hasCustomers: boolean): Promise<StripeMode> {
  const fresh = { mode, eventsReadUntil: null, eventsReadingSince: null, eventsCursor: null };
  const [row] = await db
    .insert(a)
    .values({ mode })
    .onConflictDoUpdate({ target: a.id, set: fresh, setWhere: sql`${a.mode} <> ${mode} and not ${hasCustomers}` })
    .returning();
  return row?.mode ?? (await findAccount(db))?.mode ?? mode;
}

/** What is known of the account at Stripe; null where the database has never been started. */
export const findAccount = (db: Db) => first(db.select().from(a));

/** How far the list of events has been read. */
type EventReading = Pick<typeof a.$inferSelect, 'eventsReadUntil' | 'eventsReadingSince' | 'eventsCursor'>;

export const writeEventReading = async (db: Db, reading: Partial<EventReading>): Promise<void> => {
  await db.update(a).set(reading);
};

/** Whether what an older release sold is being joined; from then on the database refuses that release. */
export const hasBegunToJoin = async (db: Db): Promise<boolean> => (await findAccount(db))?.oneBillSince != null;

/** Notes that it has begun. */
export const noteJoinBegun = async (db: Db, at: Date) => {
  await db.update(a).set({ oneBillSince: at }).where(isNull(a.oneBillSince));
};
