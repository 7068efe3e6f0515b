import { and, asc, eq, isNotNull, isNull, lt, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import type { Db } from '#server/platform/database.ts';
import type { SubscriptionRow } from './queries.ts';

const s = toolSubscriptions;
/** Rows a job takes at a time. */
const batch = 50;

const rowsWhere = (db: Db, condition: SQL | undefined, order: SQL): Promise<SubscriptionRow[]> =>
  db.select().from(s).where(condition).orderBy(order, asc(s.id)).limit(batch);

/**
 * Purchases whose call to Stripe has no known outcome. Most calls end within two seconds of real time; repeating one that
 * still runs does no harm, since both use the same idempotency key.
 */
export const interruptedPurchases = (db: Db) =>
  rowsWhere(
    db,
    and(eq(s.status, 'incomplete'), isNull(s.stripeSubscriptionId), sql`${s.updatedAt} < now() - interval '2 seconds'`),
    sql`${s.updatedAt}`,
  );

/** Purchases nobody paid, started before `before`. */
export const abandonedPurchases = (db: Db, before: Date) =>
  rowsWhere(db, and(eq(s.status, 'incomplete'), lte(s.createdAt, before)), sql`${s.createdAt}`);

/** Live rows whose next date has passed and that were not synced since `syncedBefore`. */
export const rowsDue = (db: Db, now: Date, syncedBefore: Date) =>
  rowsWhere(
    db,
    and(
      eq(s.isActive, true),
      ne(s.status, 'incomplete'),
      or(isNull(s.syncedAt), lte(s.syncedAt, syncedBefore)),
      sql`case ${s.status}
            when 'trial' then ${s.trialEndDate}
            when 'active' then ${s.endDate}
            when 'grace_period' then ${s.gracePeriodEnd}
            else greatest(${s.endDate}, ${s.gracePeriodEnd})
          end <= ${now}`,
    ),
    sql`${s.syncedAt} nulls first`,
  );

/** Cancelled rows whose access has ended since the last sync. */
export const rowsWithoutAccess = (db: Db, now: Date) =>
  rowsWhere(
    db,
    and(
      eq(s.isActive, true),
      eq(s.status, 'cancelled'),
      lte(s.endDate, now),
      or(isNull(s.syncedAt), lt(s.syncedAt, s.endDate)),
    ),
    sql`${s.endDate}`,
  );

const atStripe = and(eq(s.isActive, true), isNotNull(s.stripeSubscriptionId));

export const countAtStripe = (db: Db) => db.$count(s, atStripe);

/** Rows with a Stripe subscription that were not synced since `syncedBefore`. */
export const rowsToReconcile = (db: Db, syncedBefore: Date) =>
  rowsWhere(db, and(atStripe, lte(s.syncedAt, syncedBefore)), sql`${s.syncedAt}`);
