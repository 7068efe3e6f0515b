import { and, desc, eq, inArray } from 'drizzle-orm';
import { stripeEvents } from '#shared/schema/billing.ts';
import type { Db } from '#server/platform/database.ts';

export const parkedEvents = (db: Db, limit: number) =>
  db
    .select({
      id: stripeEvents.id,
      type: stripeEvents.type,
      objectId: stripeEvents.objectId,
      attempts: stripeEvents.attempts,
      lastError: stripeEvents.lastError,
      receivedAt: stripeEvents.receivedAt,
    })
    .from(stripeEvents)
    .where(eq(stripeEvents.status, 'parked'))
    .orderBy(desc(stripeEvents.receivedAt), stripeEvents.id)
    .limit(limit);

/** Those of `ids` that still wait for their effect. */
export async function pendingEvents(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: stripeEvents.id })
    .from(stripeEvents)
    .where(and(inArray(stripeEvents.id, ids), eq(stripeEvents.status, 'pending')));
  return new Set(rows.map((row) => row.id));
}

/** Takes the event out of the park; of any number of callers at once one gets `taken`. Null: no such event. */
export async function unparkEvent(db: Db, id: string): Promise<'taken' | 'settled' | null> {
  const taken = await db
    .update(stripeEvents)
    .set({ status: 'pending' })
    .where(and(eq(stripeEvents.id, id), eq(stripeEvents.status, 'parked')))
    .returning({ id: stripeEvents.id });
  if (taken.length > 0) return 'taken';
  const known = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id));
  return known.length > 0 ? 'settled' : null;
}
