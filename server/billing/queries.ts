import { eq, sql } from 'drizzle-orm';
import { stripeEvents } from '#shared/schema/billing.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export type NewEvent = typeof stripeEvents.$inferInsert;

/** Records the event once; false where it is known already. */
export const insertEvent = async (db: Db, event: NewEvent): Promise<boolean> =>
  (await db.insert(stripeEvents).values(event).onConflictDoNothing().returning({ id: stripeEvents.id })).length > 0;

export const eventById = async (db: Db, id: string) =>
  (await db.select().from(stripeEvents).where(eq(stripeEvents.id, id)))[0] ?? null;

export const markEvent = async (db: Db, id: string, status: 'processed' | 'ignored') => {
  await db
    .update(stripeEvents)
    .set({ status, processedAt: sql`now()`, lastError: null, attempts: sql`${stripeEvents.attempts} + 1` })
    .where(eq(stripeEvents.id, id));
};

/** A failed attempt; the last one parks the event for the administrator. */
export const noteFailedEvent = async (db: Db, id: string, lastError: string, parked: boolean) => {
  await db
    .update(stripeEvents)
    .set({ lastError, attempts: sql`${stripeEvents.attempts} + 1`, ...(parked && { status: 'parked' as const }) })
    .where(eq(stripeEvents.id, id));
};

export const toolName = async (db: Db, toolId: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, toolId)))[0]?.name ?? toolId;
