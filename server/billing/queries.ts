import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { invoices, stripeEvents } from '#shared/schema/billing.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';
import type { Card } from './cards.ts';

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

export const payerById = async (db: Db, userId: string) => {
  const [payer] = await db
    .select({
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      mobile: users.mobile,
      abn: users.abn,
      stripeCustomerId: users.stripeCustomerId,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!payer) throw new Error(`no user ${userId}`);
  return payer;
};

/** Sets the customer unless another replica was first; answers the one that stands. */
export async function claimCustomer(db: Db, userId: string, customerId: string): Promise<string> {
  const [claimed] = await db
    .update(users)
    .set({ stripeCustomerId: customerId })
    .where(and(eq(users.id, userId), isNull(users.stripeCustomerId)))
    .returning({ id: users.id });
  if (claimed) return customerId;
  return (await payerById(db, userId)).stripeCustomerId ?? customerId;
}

export const storeCard = async (db: Db, userId: string, card: Card) => {
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear } = card;
  await db.update(users).set({ cardBrand, cardLast4, cardExpMonth, cardExpYear }).where(eq(users.id, userId));
};

export const toolName = async (db: Db, toolId: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, toolId)))[0]?.name ?? toolId;

/** Our copy of an invoice follows the provider's. */
export const upsertInvoice = async (db: Db, invoice: typeof invoices.$inferInsert) => {
  const { status, totalCents, gstCents, amountPaidCents, paidAt, number, lines } = invoice;
  await db
    .insert(invoices)
    .values(invoice)
    .onConflictDoUpdate({
      target: invoices.stripeInvoiceId,
      set: { status, totalCents, gstCents, amountPaidCents, paidAt, number, lines, updatedAt: sql`now()` },
    });
};
