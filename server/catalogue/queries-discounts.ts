import { and, asc, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { DatedTier, Tier } from '#shared/rules/pricing.ts';
import { tierChanges, winBackChanges } from '#shared/schema/discount-changes.ts';
import { discountTiers } from '#shared/schema/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, first } from '#server/platform/database.ts';
import { oneForAll } from '#server/platform/together.ts';

const t = discountTiers;
const c = tierChanges;
const w = winBackChanges;
const shown = 100;

/** Every volume discount that holds, held or will hold, with its dates, and the number of the newest change: of one moment. */
const tierRows = oneForAll((db) => {
  const query = db
    .select({
      id: t.id,
      toolCount: t.toolCount,
      discountPercent: t.discountPercent,
      description: t.description,
      startsAt: t.startsAt,
      endsAt: t.endsAt,
      number: sql<number>`coalesce((select max(number) from tier_changes), 0)`,
    })
    .from(t)
    .where(sql`${t.isActive} or ${t.startsAt} is not null or ${t.endsAt} is not null`)
    .orderBy(asc(t.toolCount))
    .prepare('tier_rows');
  return () => query.execute();
});

/** The volume discounts with their dates, and how often they were changed. */
export type TierSchedule = { number: number; tiers: DatedTier[] };

export async function tierSchedule({ db }: Pick<Context, 'db'>): Promise<TierSchedule> {
  const rows = await tierRows(db);
  return {
    number: rows[0]?.number ?? 0,
    tiers: rows.map(({ toolCount, discountPercent, startsAt, endsAt }) => ({
      toolCount,
      discountPercent: Number(discountPercent),
      from: startsAt,
      until: endsAt,
    })),
  };
}

/** `GET /api/discounts/tiers`: those that hold now, smallest first. */
export async function tiersNow({ db, now }: Pick<Context, 'db' | 'now'>) {
  const at = now();
  const rows = await tierRows(db);
  return rows.filter(({ startsAt, endsAt }) => (!startsAt || startsAt <= at) && (!endsAt || endsAt > at));
}

export async function insertFirstTiers(db: Db, rows: (typeof t.$inferInsert)[]): Promise<void> {
  if ((await db.select({ id: t.id }).from(t).limit(1)).length > 0) return;
  await db.insert(t).values(rows).onConflictDoNothing();
}

/** Changes of the discounts follow each other, until the transaction ends. */
export const lockDiscounts = (db: Db, which: 'tiers' | 'win-back') =>
  db.execute(sql`select pg_advisory_xact_lock(hashtext('discounts'), hashtext(${which}))`);

export type TierChangeRow = typeof c.$inferSelect;

/** The newest first. */
export const tierChangesOf = (db: Db) => db.select().from(c).orderBy(desc(c.number)).limit(shown);

export const newestTierChange = (db: Db) => first(db.select().from(c).orderBy(desc(c.number)).limit(1));

export const tierChangeNumbered = (db: Db, number: number) => first(db.select().from(c).where(eq(c.number, number)));

export const insertTierChange = async (db: Db, row: typeof c.$inferInsert) => {
  await db.insert(c).values(row);
};

const lasting = and(isNull(t.endsAt), or(t.isActive, sql`${t.startsAt} is not null`));

const added = ({ toolCount, discountPercent }: Tier, startsAt: Date, createdAt: Date) => ({
  toolCount,
  discountPercent: discountPercent.toFixed(2),
  description: `${toolCount} tools: ${discountPercent}% off`,
  startsAt,
  createdAt,
});

/** Has the volume discounts be these for invoices of that moment and later. What is the same goes on. */
export async function replaceTiers(db: Db, before: Tier[], after: Tier[], at: Date, now: Date): Promise<void> {
  const isIn = (tiers: Tier[], one: Tier) =>
    tiers.some((tier) => tier.toolCount === one.toolCount && tier.discountPercent === one.discountPercent);
  const begins = at <= now;
  for (const tier of before.filter((one) => !isIn(after, one)))
    await db
      .update(t)
      .set({ endsAt: at, ...(begins && { isActive: false }) })
      .where(and(eq(t.toolCount, tier.toolCount), lasting));
  for (const tier of after.filter((one) => !isIn(before, one)))
    await db.insert(t).values({ ...added(tier, at, now), isActive: begins });
}

/** The discounts that were to change at that moment stay. */
export async function keepTiers(db: Db, at: Date): Promise<void> {
  await db.delete(t).where(eq(t.startsAt, at));
  await db.update(t).set({ endsAt: null }).where(eq(t.endsAt, at));
}

/** Marks as holding what holds now, for whoever reads no dates. */
export async function noteTiersInForce(db: Db, now: Date): Promise<void> {
  await db
    .update(t)
    .set({ isActive: false })
    .where(and(eq(t.isActive, true), lte(t.endsAt, now)));
  await db
    .update(t)
    .set({ isActive: true })
    .where(and(eq(t.isActive, false), lte(t.startsAt, now), or(isNull(t.endsAt), gt(t.endsAt, now))));
}

/** The newest setting of the offers to come back, in a list of at most one. */
export const newestWinBack = oneForAll((db) => {
  const query = db
    .select({ number: w.number, after: w.after })
    .from(w)
    .orderBy(desc(w.number))
    .limit(1)
    .prepare('newest_win_back');
  return () => query.execute();
});

/** The newest first. */
export const winBackChangesOf = (db: Db) => db.select().from(w).orderBy(desc(w.number)).limit(shown);

export const insertWinBackChange = async (db: Db, row: typeof w.$inferInsert) => {
  await db.insert(w).values(row);
};
