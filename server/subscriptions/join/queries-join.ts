import { and, asc, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { ofPayer, type Payer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const s = toolSubscriptions;
const isOldRow = and(isNotNull(s.purchase), isNotNull(s.stripeSubscriptionId));

/** Whose invoice it is that an older release's subscription was charged by; null where none of ours has been. */
export const findOwnerOfOldInvoice = (db: Db, stripeSubscriptionId: string) =>
  first(
    db
      .select({ subscriptionId: s.id, userId: s.userId, teamId: s.teamId, toolName: catalogueTool.name })
      .from(s)
      .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
      .where(and(eq(s.stripeSubscriptionId, stripeSubscriptionId), isNotNull(s.purchase), ne(s.status, 'incomplete'))),
  );

export const oldRowsOf = (db: Db, payer: Payer) =>
  db
    .select()
    .from(s)
    .where(and(ofPayer(s, payer), eq(s.isActive, true), isOldRow))
    .orderBy(asc(s.createdAt), asc(s.id));

/** Such rows that this release has not read yet, or not since then. */
export const oldRowsToRead = (db: Db, readBefore: Date, limit: number) =>
  db
    .select()
    .from(s)
    .where(and(eq(s.isActive, true), isOldRow, or(eq(s.unitCents, 0), isNull(s.syncedAt), lte(s.syncedAt, readBefore))))
    .orderBy(sql`${s.syncedAt} nulls first`, asc(s.id))
    .limit(limit);

export const findOldRow = (db: Db, stripeSubscriptionId: string) =>
  first(
    db
      .select()
      .from(s)
      .where(and(eq(s.stripeSubscriptionId, stripeSubscriptionId), isNotNull(s.purchase))),
  );

type Version = Pick<typeof s.$inferSelect, 'id' | 'revision'>;

/** Notes that row and Stripe agreed; its revision stays. Null where it has changed since it was read. */
export const noteRead = (db: Db, { id, revision }: Version, syncedAt: Date) =>
  first(
    db
      .update(s)
      .set({ syncedAt })
      .where(and(eq(s.id, id), eq(s.revision, revision)))
      .returning(),
  );

/** Notes that it was looked at in vain. */
export const touchRow = async (db: Db, { id }: Pick<Version, 'id'>, syncedAt: Date): Promise<void> => {
  await db.update(s).set({ syncedAt }).where(eq(s.id, id));
};
