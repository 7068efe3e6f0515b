import { count, desc, eq, inArray, sql } from 'drizzle-orm';
import { codeRedemptions } from '#shared/schema/discount-codes.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { payingTeam } from '#server/payers/service.ts';
import { person } from '#server/people/service.ts';
import type { Db } from '#server/platform/data/database.ts';

const r = codeRedemptions;
const isOpen = sql<boolean>`${toolSubscriptions.status} = 'incomplete'`;

/** How often each of these codes was redeemed, and how many purchases with it are not yet paid. */
export async function redemptionCounts(
  db: Db,
  codeIds: string[],
): Promise<Map<string, { redeemed: number; open: number }>> {
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
}

export const redemptionsOf = (db: Db, codeId: string, { start, limit }: { start: number; limit: number }) =>
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

export const redemptionTotal = async (db: Db, codeId: string): Promise<number> =>
  (await db.select({ total: count() }).from(r).where(eq(r.codeId, codeId)))[0]!.total;
