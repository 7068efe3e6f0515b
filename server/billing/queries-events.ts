import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { stripeEvents } from '#shared/schema/billing.ts';
import type { Db } from '#server/platform/database.ts';

const e = stripeEvents;
export type NewEvent = typeof e.$inferInsert;
export type InboxEvent = typeof e.$inferSelect;

/** Records the event once; false where it is known already. */
export const insertEvent = async (db: Db, event: NewEvent): Promise<boolean> =>
  (await db.insert(e).values(event).onConflictDoNothing().returning({ id: e.id })).length > 0;

export const eventById = async (db: Db, id: string): Promise<InboxEvent | null> =>
  (await db.select().from(e).where(eq(e.id, id)))[0] ?? null;

export const knownEvents = async (db: Db, ids: string[]): Promise<Set<string>> =>
  new Set((await db.select({ id: e.id }).from(e).where(inArray(e.id, ids))).map(({ id }) => id));

const attempts = sql`${e.attempts} + 1`;

export const markEvent = async (db: Db, id: string, status: 'processed' | 'ignored') => {
  await db
    .update(e)
    .set({ status, attempts, processedAt: sql`now()`, lastError: null })
    .where(eq(e.id, id));
};

/** Leaves it to the administrator, with the reason. */
export const parkEvent = async (db: Db, id: string, lastError: string) => {
  await db.update(e).set({ status: 'parked', attempts, lastError }).where(eq(e.id, id));
};

/** A failed attempt; the last one parks the event. One that was worked meanwhile stays so. */
export const noteFailedEvent = async (db: Db, id: string, lastError: string, parked: boolean) => {
  await db
    .update(e)
    .set({ lastError, attempts, ...(parked && { status: 'parked' as const }) })
    .where(and(eq(e.id, id), inArray(e.status, ['pending', 'parked'])));
};

/** What waited for an object to come to an end. */
export const settleEvents = async (db: Db, objectId: string) => {
  await db
    .update(e)
    .set({ status: 'processed', processedAt: sql`now()`, lastError: null })
    .where(and(eq(e.objectId, objectId), eq(e.status, 'parked')));
};

/** When the newest event happened that was received before this much (real) time; null in an empty inbox. */
export const lastSeenBefore = async (db: Db, hours: number): Promise<Date | null> =>
  (
    await db
      .select({ at: sql<Date | null>`max(${e.occurredAt})`.mapWith(e.occurredAt) })
      .from(e)
      .where(lt(e.receivedAt, sql`now() - make_interval(hours => ${hours})`))
  )[0]?.at ?? null;

/** Events whose jobs must have died: their tries would have been over long ago. */
export const strandedEvents = (db: Db) =>
  db
    .select({ id: e.id, lastError: e.lastError, old: sql<boolean>`${e.receivedAt} < now() - interval '1 day'` })
    .from(e)
    .where(and(eq(e.status, 'pending'), lt(e.receivedAt, sql`now() - interval '1 hour'`)))
    .limit(200);
