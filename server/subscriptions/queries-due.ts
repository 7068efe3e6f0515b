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
 * Purchases whose call to the provider has no known outcome. Two seconds of real time keep the job out of the way of
 * most calls that are still running; meeting one does no harm, since both use the same key.
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

/** Live rows one of whose dates has passed, not read from the provider since `syncedBefore`. */
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

/** Cancelled rows whose access has ended since they were last looked at: they count for no discount any more. */
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

/** Rows the provider has a part in and that were not read from it since. */
export const rowsToReconcile = (db: Db, syncedBefore: Date) =>
  rowsWhere(
    db,
    and(eq(s.isActive, true), isNotNull(s.stripeSubscriptionId), lte(s.syncedAt, syncedBefore)),
    sql`${s.syncedAt}`,
  );
