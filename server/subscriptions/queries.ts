import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { discountTiers, toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teams } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export type SubscriptionRow = typeof toolSubscriptions.$inferSelect;

const s = toolSubscriptions;

/** A subscription with what a list shows of its tool and payer. */
const listed = {
  ...getTableColumns(s),
  toolName: tools.name,
  toolDescription: tools.description,
  basePrice: tools.basePrice,
  teamName: teams.name,
  cardOnFile: sql<boolean>`coalesce(${users.cardLast4}, ${teams.cardLast4}) is not null`,
};

const prepareSubscriptionsOf = (db: Db) =>
  db
    .select(listed)
    .from(s)
    .innerJoin(tools, eq(tools.id, s.toolId))
    .leftJoin(teams, eq(teams.id, s.teamId))
    .leftJoin(users, eq(users.id, s.userId))
    .where(
      sql`${s.id} in (
        (select distinct on (own.tool_id) own.id from tool_subscriptions own
          where own.user_id = ${sql.placeholder('userId')} and own.status <> 'incomplete'
          order by own.tool_id, own.is_active desc, own.created_at desc)
        union all
        (select distinct on (shared.team_id, shared.tool_id) shared.id from tool_subscriptions shared
          join team_members member on member.team_id = shared.team_id and member.user_id = ${sql.placeholder('userId')}
          join teams team on team.id = shared.team_id and team.is_active
          where shared.status <> 'incomplete'
          order by shared.team_id, shared.tool_id, shared.is_active desc, shared.created_at desc))`,
    )
    .orderBy(sql`${s.createdAt} desc`, s.id)
    .prepare('subscriptions_of');

const prepared = new WeakMap<Db, ReturnType<typeof prepareSubscriptionsOf>>();

/** Own and team subscriptions, the newest per payer and tool, newest first; incomplete ones never. One prepared query. */
export function subscriptionRowsOf(db: Db, userId: string) {
  const query = prepared.get(db) ?? prepareSubscriptionsOf(db);
  prepared.set(db, query);
  return query.execute({ userId });
}
export type ListedRow = Awaited<ReturnType<typeof subscriptionRowsOf>>[number];

export const subscriptionById = async (db: Db, id: string): Promise<SubscriptionRow | null> =>
  (await db.select().from(s).where(eq(s.id, id)))[0] ?? null;

export const subscriptionByProviderId = async (db: Db, id: string): Promise<SubscriptionRow | null> =>
  (await db.select().from(s).where(eq(s.stripeSubscriptionId, id)))[0] ?? null;

/** The newest row of this adviser for the tool, incomplete ones too. */
export const newestRow = async (db: Db, userId: string, toolId: string): Promise<SubscriptionRow | null> =>
  (
    await db
      .select()
      .from(s)
      .where(and(eq(s.userId, userId), eq(s.toolId, toolId)))
      .orderBy(sql`${s.isActive} desc`, sql`${s.createdAt} desc`)
      .limit(1)
  )[0] ?? null;

/** Rows that hold a place of this adviser, with the tool's price: what the volume discount counts. */
export const placesOf = (db: Db, userId: string) =>
  db
    .select({ ...getTableColumns(s), toolName: tools.name, basePrice: tools.basePrice })
    .from(s)
    .innerJoin(tools, eq(tools.id, s.toolId))
    .where(and(eq(s.userId, userId), eq(s.isActive, true)));
export type PlaceRow = Awaited<ReturnType<typeof placesOf>>[number];

/** What the price depends on at the payer's side. */
export const userPayer = async (db: Db, userId: string) =>
  (
    await db
      .select({
        membershipType: users.membershipType,
        freeAccessGranted: users.freeAccessGranted,
        cardLast4: users.cardLast4,
      })
      .from(users)
      .where(eq(users.id, userId))
  )[0] ?? null;

export const activeTiers = (db: Db) =>
  db
    .select({
      id: discountTiers.id,
      toolCount: discountTiers.toolCount,
      discountPercent: discountTiers.discountPercent,
      description: discountTiers.description,
    })
    .from(discountTiers)
    .where(eq(discountTiers.isActive, true))
    .orderBy(asc(discountTiers.toolCount));

/** The tool as a buyer needs it, and whether this person's trial of it is used; an unconfirmed attempt does not count. */
export const toolForPurchase = async (db: Db, toolId: string, identity: string) =>
  (
    await db
      .select({
        id: tools.id,
        name: tools.name,
        description: tools.description,
        basePrice: tools.basePrice,
        comingSoon: tools.comingSoon,
        trialUsed: sql<boolean>`exists (
          select 1 from trial_uses taken left join tool_subscriptions row on row.id = taken.subscription_id
          where taken.identity = ${identity} and taken.tool_id = ${toolId} and row.status is distinct from 'incomplete')`,
      })
      .from(tools)
      .where(and(eq(tools.id, toolId), eq(tools.isActive, true)))
  )[0] ?? null;

export const toolExists = async (db: Db, toolId: string): Promise<boolean> =>
  (await db.select({ id: tools.id }).from(tools).where(eq(tools.id, toolId))).length > 0;

/** What a change of the row needs to know of its payer and tool. */
export async function payerOfRow(db: Db, row: SubscriptionRow) {
  const [found] = await db
    .select({
      toolName: tools.name,
      cardLast4: sql<string | null>`coalesce(${users.cardLast4}, ${teams.cardLast4})`,
    })
    .from(tools)
    .leftJoin(users, row.userId ? eq(users.id, row.userId) : sql`false`)
    .leftJoin(teams, row.teamId ? eq(teams.id, row.teamId) : sql`false`)
    .where(eq(tools.id, row.toolId));
  return { toolName: found?.toolName ?? row.toolId, cardLast4: found?.cardLast4 ?? null };
}
