import { and, eq } from 'drizzle-orm';
import { codeRedemptions } from '#shared/schema/discount-codes.ts';
import { columnsOf, ofPayer, type Payer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const r = codeRedemptions;

/** The code that the subscription was bought with. */
export const redemptionOf = (db: Db, subscriptionId: string) =>
  first(db.select({ codeId: r.codeId }).from(r).where(eq(r.subscriptionId, subscriptionId)));

export const hasRedeemed = async (db: Db, codeId: string, payer: Payer, toolId: string): Promise<boolean> =>
  (await db.$count(r, and(ofPayer(r, payer), eq(r.codeId, codeId), eq(r.toolId, toolId)))) > 0;

export const countRedemptions = (db: Db, codeId: string) => db.$count(r, eq(r.codeId, codeId));

/** False where the payer has used it for the tool already. */
export const insertRedemption = async (
  db: Db,
  payer: Payer,
  row: Pick<typeof r.$inferInsert, 'codeId' | 'toolId' | 'subscriptionId' | 'createdAt'>,
): Promise<boolean> =>
  (await first(
    db
      .insert(r)
      .values({ ...columnsOf(payer), ...row })
      .onConflictDoNothing()
      .returning({ id: r.id }),
  )) !== null;

export const giveCodeBack = async (db: Db, subscriptionId: string) => {
  await db.delete(r).where(eq(r.subscriptionId, subscriptionId));
};
