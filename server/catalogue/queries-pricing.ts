import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Tier } from '#shared/rules/billing/pricing.ts';
import { tierChanges } from '#shared/schema/discount-changes.ts';
import { discountTiers } from '#shared/schema/subscriptions.ts';
import { toolPrices } from '#shared/schema/tool-prices.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const p = toolPrices;
const t = discountTiers;
const c = tierChanges;
/** How many changes a page shows. */
const shown = 100;

export const insertToolPrice = (db: Db, row: typeof toolPrices.$inferInsert) => db.insert(p).values(row);

export const toolPricesOf = (db: Db, toolId: string) =>
  db.select().from(p).where(eq(p.toolId, toolId)).orderBy(desc(p.createdAt), desc(p.id)).limit(shown);

export const toolPriceNumbered = (db: Db, toolId: string, number: number) =>
  first(
    db
      .select()
      .from(p)
      .where(and(eq(p.toolId, toolId), eq(p.number, number))),
  );

/** Makes other changes of the discounts wait until the transaction ends. */
export const lockDiscounts = (db: Db) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtext('discounts'), hashtext('tiers'))`);

export type TierChangeRow = typeof c.$inferSelect;

export const tierChangesOf = (db: Db) => db.select().from(c).orderBy(desc(c.number)).limit(shown);

export const newestTierChange = (db: Db) => first(db.select().from(c).orderBy(desc(c.number)).limit(1));

export const insertTierChange = (db: Db, row: typeof c.$inferInsert) => db.insert(c).values(row);

/** Makes these the volume discounts from that moment on. What is the same before and after goes on. */
export async function replaceTiers(db: Db, before: Tier[], after: Tier[], at: Date, now: Date): Promise<void> {
  const without = (tiers: Tier[], others: Tier[]) =>
    tiers.filter(
      (one) => !others.some((tier) => tier.toolCount === one.toolCount && tier.discountPercent === one.discountPercent),
    );
  const ended = without(before, after).map(({ toolCount }) => toolCount);
  // One that a change before this has ended makes room for the next of its number of tools.
  await db.update(t).set({ isActive: false }).where(isNotNull(t.endsAt));
  await db
    .update(t)
    .set({ endsAt: at, isActive: false })
    .where(and(inArray(t.toolCount, ended), isNull(t.endsAt), or(t.isActive, isNotNull(t.startsAt))));
  const begun = without(after, before).map(({ toolCount, discountPercent }) => ({
    toolCount,
    discountPercent: discountPercent.toFixed(2),
    description: `${toolCount} tools: ${discountPercent}% off`,
    startsAt: at,
    createdAt: now,
  }));
  if (begun.length > 0) await db.insert(t).values(begun);
}

/** Withdraws the change that was to come at that moment. */
export async function keepTiers(db: Db, at: Date): Promise<void> {
  await db.delete(t).where(eq(t.startsAt, at));
  await db.update(t).set({ endsAt: null, isActive: true }).where(eq(t.endsAt, at));
}
