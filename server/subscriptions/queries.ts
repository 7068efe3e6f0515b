import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { canonicalEmail, type MembershipType } from '#shared/rules/accounts.ts';
import { users } from '#shared/schema/accounts.ts';
import { discountTiers, toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Payer } from '#server/billing/service.ts';
import type { Db } from '#server/platform/database.ts';
import { hashToken } from '#server/platform/tokens.ts';

export type SubscriptionRow = typeof toolSubscriptions.$inferSelect;

const s = toolSubscriptions;

/** A subscription with what a list shows of its tool and payer. */
const listed = {
  ...getTableColumns(s),
  toolName: tools.name,
  toolDescription: tools.description,
  basePrice: tools.basePrice,
  teamName: teams.name,
  teamOwnerId: teams.ownerId,
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

export const ofPayer = (payer: Payer) =>
  payer.kind === 'user' ? eq(s.userId, payer.userId) : eq(s.teamId, payer.teamId);

/** The newest row of this payer for the tool, incomplete ones too. */
export const newestRow = async (db: Db, payer: Payer, toolId: string): Promise<SubscriptionRow | null> =>
  (
    await db
      .select()
      .from(s)
      .where(and(ofPayer(payer), eq(s.toolId, toolId)))
      .orderBy(sql`${s.isActive} desc`, sql`${s.createdAt} desc`)
      .limit(1)
  )[0] ?? null;

/** The payer's last subscription to the tool that is over. */
export const newestExpired = async (db: Db, payer: Payer, toolId: string): Promise<SubscriptionRow | null> =>
  (
    await db
      .select()
      .from(s)
      .where(and(ofPayer(payer), eq(s.toolId, toolId), eq(s.status, 'expired')))
      .orderBy(sql`${s.createdAt} desc`)
      .limit(1)
  )[0] ?? null;

/** Whether the offers made for an expired row have been taken, by another row than `except`. */
export const redeemed = async (db: Db, expiredId: string, except: string | null): Promise<boolean> =>
  (await db.select({ id: s.id }).from(s).where(eq(s.winBackOf, expiredId))).some(({ id }) => id !== except);

/** Rows that hold a place of this payer, with the tool's price: what the volume discount counts. */
export const placesOf = (db: Db, payer: Payer) =>
  db
    .select({ ...getTableColumns(s), toolName: tools.name, basePrice: tools.basePrice })
    .from(s)
    .innerJoin(tools, eq(tools.id, s.toolId))
    .where(and(ofPayer(payer), eq(s.isActive, true)));
export type PlaceRow = Awaited<ReturnType<typeof placesOf>>[number];

/** What price and trial depend on at the payer's side, and who is told. */
export type PayerRow = {
  kind: Payer['kind'];
  membershipType: MembershipType;
  freeAccess: boolean;
  members: number;
  cardOnFile: boolean;
  /** The adviser, or the owner of the team. */
  contactId: string;
  teamName: string | null;
  /** Who has one trial of each tool: the person behind the address, whatever alias it is written with, or the team. */
  trialIdentity: string;
};

export async function payerRow(db: Db, payer: Payer): Promise<PayerRow | null> {
  if (payer.kind === 'user') {
    const [user] = await db
      .select({
        membershipType: users.membershipType,
        freeAccess: users.freeAccessGranted,
        cardLast4: users.cardLast4,
        email: users.email,
      })
      .from(users)
      .where(eq(users.id, payer.userId));
    if (!user) return null;
    const { cardLast4, email, ...facts } = user;
    return {
      kind: 'user',
      ...facts,
      members: 1,
      cardOnFile: cardLast4 !== null,
      contactId: payer.userId,
      teamName: null,
      trialIdentity: hashToken(canonicalEmail(email)),
    };
  }
  const [team] = await db
    .select({
      membershipType: teams.membershipType,
      members: sql<number>`(select count(*)::int from team_members member where member.team_id = ${payer.teamId})`,
      cardLast4: teams.cardLast4,
      contactId: teams.ownerId,
      teamName: teams.name,
    })
    .from(teams)
    .where(eq(teams.id, payer.teamId));
  if (!team) return null;
  const { cardLast4, members, ...facts } = team;
  return {
    kind: 'team',
    ...facts,
    freeAccess: false,
    // Closing a team empties it before its subscriptions are ended.
    members: Math.max(1, members),
    cardOnFile: cardLast4 !== null,
    trialIdentity: payer.teamId,
  };
}

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

export const toolNameOf = async (db: Db, toolId: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, toolId)))[0]?.name ?? toolId;

/** Who opens a tool through this row: the adviser, or everybody in the team. */
export const usersOf = async (db: Db, row: SubscriptionRow): Promise<string[]> => {
  if (row.userId !== null) return [row.userId];
  const members = await db
    .select({ id: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, row.teamId!));
  return members.map(({ id }) => id);
};
