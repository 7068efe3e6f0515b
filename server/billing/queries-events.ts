import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { stripeEvents } from '#shared/schema/billing.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const e = stripeEvents;
export type NewEvent = typeof e.$inferInsert;
export type InboxEvent = typeof e.$inferSelect;
/** An event about an object that is read again. */
export type EventOfObject = InboxEvent & { objectId: string };

/** Records the event; false where it is known already. */
export const insertEvent = async (db: Db, event: NewEvent): Promise<boolean> =>
  (await db.insert(e).values(event).onConflictDoNothing().returning({ id: e.id })).length > 0;

export const findEvent = (db: Db, id: string) => first(db.select().from(e).where(eq(e.id, id)));

/** How far those of `ids` are that are known. */
export const statusesOfEvents = async (db: Db, ids: string[]): Promise<Map<string, InboxEvent['status']>> =>
  new Map((await db.select().from(e).where(inArray(e.id, ids))).map(({ id, status }) => [id, status]));

/** The ids of other events of these types about the object that wait for their job. */
export const waitingAbout = async (db: Db, { id, objectId }: EventOfObject, types: string[]): Promise<string[]> =>
  (
    await db
      .select({ id: e.id })
      .from(e)
      .where(and(eq(e.status, 'pending'), eq(e.objectId, objectId), inArray(e.type, types), ne(e.id, id)))
  ).map((other) => other.id);

const attempts = sql`${e.attempts} + 1`;

export const markEvents = async (db: Db, ids: string[], status: 'processed' | 'ignored') => {
  await db
    .update(e)
    .set({ status, attempts, processedAt: sql`now()`, lastError: null })
    .where(inArray(e.id, ids));
};

/** Records a failed attempt; `parked` leaves the event to the administrator. One that another worker has processed stays processed. */
export const noteFailedEvent = (db: Db, id: string, lastError: string, parked: boolean) =>
  db
    .update(e)
    .set({ lastError, attempts, ...(parked && { status: 'parked' as const }) })
    .where(and(eq(e.id, id), inArray(e.status, ['pending', 'parked'])));

/** Whether another event of the object waits for the administrator. */
export const isOtherParked = async (db: Db, { id, objectId }: EventOfObject): Promise<boolean> =>
  (await db.$count(e, and(eq(e.objectId, objectId), eq(e.status, 'parked'), ne(e.id, id)))) > 0;

/** Closes the parked events of an object that no longer needs attention. */
export const closeParkedEvents = (db: Db, objectId: string) =>
  db
    .update(e)
    .set({ status: 'processed', processedAt: sql`now()`, lastError: null })
    .where(and(eq(e.objectId, objectId), eq(e.status, 'parked')));

/** Events whose job must have died, since all its attempts would be over by now. */
export const strandedEvents = (db: Db) =>
  db
    .select({ id: e.id, lastError: e.lastError, old: sql<boolean>`${e.receivedAt} < now() - interval '1 day'` })
    .from(e)
    .where(and(eq(e.status, 'pending'), lt(e.receivedAt, sql`now() - interval '1 hour'`)))
    .limit(200);

export const parkedEvents = (db: Db, limit: number) =>
  db.select().from(e).where(eq(e.status, 'parked')).orderBy(desc(e.receivedAt), e.id).limit(limit);

/** Makes a parked event pending again. Of any number of callers at once, one does. */
export async function unparkEvent(db: Db, id: string): Promise<boolean> {
  const isParked = and(eq(e.id, id), eq(e.status, 'parked'));
  return (await db.update(e).set({ status: 'pending' }).where(isParked).returning({ id: e.id })).length > 0;
}
