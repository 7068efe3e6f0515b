import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { codeRedemptions } from '#shared/schema/discount-codes.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { columnsOf, ofPayer, type Payer, payingTeam } from '#server/payers/service.ts';
import { person } from '#server/people/service.ts';
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

const isOpen = sql<boolean>`${toolSubscriptions.status} = 'incomplete'`;

/** By code, how often it was redeemed, and how many purchases with it are not yet paid. */
export const countsByCode = async (db: Db, codeIds: string[]) => {
  const rows = await db
    .select({
      codeId: r.codeId,
      redeemed: sql<number>`count(*) filter (where not ${isOpen})`.mapWith(Number),
      open: sql<number>`count(*) filter (where ${isOpen})`.mapWith(Number),
    })
    .from(r)
    .innerJoin(toolSubscriptions, eq(toolSubscriptions.id, r.subscriptionId))
    .where(inArray(r.codeId, codeIds))
    .groupBy(r.codeId);
  return new Map(rows.map(({ codeId, ...counted }) => [codeId, counted]));
};

/** Who redeemed the code, the newest first. */
export const newestOf = (db: Db, codeId: string, { start, limit }: { start: number; limit: number }) =>
  db
    .select({
      id: r.id,
      userId: r.userId,
      teamId: r.teamId,
      payer: sql<string>`coalesce(${payingTeam.name}, nullif(trim(concat(${person.firstName}, ' ', ${person.lastName})), ''), 'Closed account')`,
      tool: catalogueTool.name,
      isOpen,
      createdAt: r.createdAt,
    })
    .from(r)
    .innerJoin(toolSubscriptions, eq(toolSubscriptions.id, r.subscriptionId))
    .innerJoin(catalogueTool, eq(catalogueTool.id, r.toolId))
    .leftJoin(payingTeam, eq(payingTeam.id, r.teamId))
    .leftJoin(person, eq(person.id, r.userId))
    .where(eq(r.codeId, codeId))
    .orderBy(desc(r.createdAt), r.id)
    .offset(start)
    .limit(limit);
