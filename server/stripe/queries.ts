import { isNull, sql } from 'drizzle-orm';
import { stripeAccount } from '#shared/schema/billing.ts';
import { onFile } from '#server/payers/service.ts';
import { CannotStart } from '#server/platform/cannot-start.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import type { Env } from '#server/platform/env.ts';

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

export const writeEventReading = (db: Db, reading: Partial<EventReading>) => db.update(a).set(reading);

/** Whether what an older release sold is being joined; from then on the database refuses that release. */
export const hasBegunToJoin = async (db: Db): Promise<boolean> => (await findAccount(db))?.oneBillSince != null;

export const noteJoinBegun = (db: Db, at: Date) => db.update(a).set({ oneBillSince: at }).where(isNull(a.oneBillSince));

const names: Record<StripeMode, string> = {
  sandbox: 'the payments sandbox',
  test: "Stripe's test keys",
  live: "Stripe's live keys",
};

export const modeOf = ({ stripe }: Pick<Env, 'stripe'>): StripeMode =>
  stripe === null ? 'sandbox' : /^[sr]k_live_/.test(stripe.secretKey) ? 'live' : 'test';

/** Refuses to start with keys of a mode other than the one the database's customers were made in: Stripe would know none of them. */
export async function checkMode(db: Db, env: Env, { claim = true } = {}): Promise<void> {
  const mode = modeOf(env);
  const used = await onFile.hasCustomers(db);
  const known = claim ? await claimMode(db, mode, used) : used ? (await findAccount(db))?.mode : mode;
  if (known !== undefined && known !== mode)
    throw new CannotStart(
      `This database was used with ${names[known]}, and this start would use ${names[mode]}, which knows none of its ` +
        'customers and subscriptions. Set the keys it was used with, or give DATABASE_URL a database of its own.',
    );
}
