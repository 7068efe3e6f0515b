import { and, asc, desc, eq, gt, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { bills } from '#shared/schema/billing.ts';
import { codeRedemptions } from '#shared/schema/discount-codes.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { payingTeam } from '#server/payers/service.ts';
import { person } from '#server/people/service.ts';
import { type Db, isUuid, pick } from '#server/platform/data/database.ts';

export { findBillByInvoice, monthBefore, toldUntil } from './bill/queries-bills.ts';
export { countRedemptions } from './queries.ts';
export { monthCauses } from './tell/news.ts';

const s = toolSubscriptions;
const r = codeRedemptions;
const about = { id: s.id, stripeSubscriptionId: s.stripeSubscriptionId, userId: s.userId, teamId: s.teamId };

/** Subscriptions that go on, of one tool or of all that cost something. */
const goingOn = (toolId: string | undefined) =>
  and(
    toolId === undefined ? ne(s.toolId, lostMoneyTool) : eq(s.toolId, toolId),
    sql`${s.isActive} and ${s.autoRenew} and ${s.status} in ('trial', 'active', 'grace_period')`,
  );
const payerId = sql<string>`coalesce(${s.teamId}, ${s.userId})`;

/** The ids of so many payers of such subscriptions, in order, after one of them. */
export const payersGoingOn = async (db: Db, toolId: string | undefined, after: string | undefined, limit: number) => {
  const rows = await db
    .selectDistinct({ id: payerId })
    .from(s)
    .where(and(goingOn(toolId), after === undefined ? undefined : sql`${payerId} > ${after}::uuid`))
    .orderBy(payerId)
    .limit(limit);
  return rows.map(({ id }) => id);
};

export const subscriptionsGoingOn = (db: Db, toolId: string | undefined, payerIds: string[]) =>
  db
    .select({ ...about, status: s.status })
    .from(s)
    .where(and(goingOn(toolId), sql`${payerId} = any(${sql.param(payerIds)}::uuid[])`));

/** The subscriptions that have one of these as their id, or as the id of the one at Stripe that they are billed by. */
export const subscriptionsKnownAs = (db: Db, keys: string[]) => {
  // Read without an index, so only where such an id is asked for.
  const atStripe = keys.filter((key) => key.startsWith('sub_'));
  return db
    .select({ ...about, toolId: s.toolId })
    .from(s)
    .where(or(inArray(s.id, keys.filter(isUuid)), inArray(s.stripeSubscriptionId, atStripe)));
};

export const payersOfBills = (db: Db, ids: string[]) =>
  db.select({ id: bills.id, userId: bills.userId, teamId: bills.teamId }).from(bills).where(inArray(bills.id, ids));

/** Bills in grace, those that end soonest first. */
export const unpaidBills = (db: Db, limit: number) =>
  db.select().from(bills).where(eq(bills.status, 'unpaid')).orderBy(asc(bills.graceEnd), asc(bills.id)).limit(limit);

const isOpen = sql<boolean>`${s.status} = 'incomplete'`;

/** By code, how often it was redeemed, and how many purchases with it are not yet paid. */
export const redemptionCounts = async (db: Db, codeIds: string[]) => {
  const rows = await db
    .select({
      codeId: r.codeId,
      redeemed: sql<number>`count(*) filter (where not ${isOpen})`.mapWith(Number),
      open: sql<number>`count(*) filter (where ${isOpen})`.mapWith(Number),
    })
    .from(r)
    .innerJoin(s, eq(s.id, r.subscriptionId))
    .where(inArray(r.codeId, codeIds))
    .groupBy(r.codeId);
  return new Map(rows.map(({ codeId, ...counted }) => [codeId, counted]));
};

export const redemptionsOf = (db: Db, codeId: string, { start, limit }: { start: number; limit: number }) =>
  db
    .select({
      ...pick(r, 'id', 'userId', 'teamId'),
      payer: sql<string>`coalesce(${payingTeam.name}, nullif(trim(concat(${person.firstName}, ' ', ${person.lastName})), ''), 'Closed account')`,
      tool: catalogueTool.name,
      isOpen,
      createdAt: r.createdAt,
    })
    .from(r)
    .innerJoin(s, eq(s.id, r.subscriptionId))
    .innerJoin(catalogueTool, eq(catalogueTool.id, r.toolId))
    .leftJoin(payingTeam, eq(payingTeam.id, r.teamId))
    .leftJoin(person, eq(person.id, r.userId))
    .where(eq(r.codeId, codeId))
    .orderBy(desc(r.createdAt), r.id)
    .offset(start)
    .limit(limit);

/** By tool, how many advisers and practices have it now, paid or in grace, and how many on trial; of all tools, or of one. */
export const subscribersByTool = async (db: Db, toolId?: string) => {
  const rows = await db
    .select({
      toolId: s.toolId,
      subscribers: sql<number>`count(*) filter (where ${s.status} in ('active', 'grace_period'))::int`,
      trials: sql<number>`count(*) filter (where ${s.status} = 'trial')::int`,
    })
    .from(s)
    .where(toolId === undefined ? undefined : eq(s.toolId, toolId))
    .groupBy(s.toolId);
  return new Map(rows.map(({ toolId: id, ...counted }) => [id, counted]));
};

/** By team, of these: how many tools it has, paid or in grace, and what a month of those that will renew costs, as last paid. */
export const teamsPay = async (db: Db, teamIds: string[]) => {
  const rows = await db
    .select({
      teamId: s.teamId,
      tools: sql<number>`count(*)::int`,
      monthlyCents: sql<number>`coalesce(sum(${s.monthlyCents}) filter (where ${s.autoRenew}), 0)::int`,
    })
    .from(s)
    .where(and(inArray(s.teamId, teamIds), s.isActive, inArray(s.status, ['active', 'grace_period'])))
    .groupBy(s.teamId);
  return new Map(rows.map(({ teamId, ...paid }) => [teamId, paid]));
};

/** Advisers, or teams, with a subscription of this tool now, by id, from the one after `after`. */
export async function holdersOf(db: Db, toolId: string, who: 'user' | 'team', after: string | null, limit: number) {
  const owner = who === 'user' ? s.userId : s.teamId;
  const later = after === null ? isNotNull(owner) : gt(owner, after);
  const has = and(eq(s.toolId, toolId), eq(s.isActive, true), later);
  const id = sql<string>`${owner}`;
  return (await db.selectDistinct({ id }).from(s).where(has).orderBy(id).limit(limit)).map((row) => row.id);
}

/** For which reasons advisers and practices cancelled this tool, each counted once for a reason. */
export const reasonsOf = (db: Db, toolId: string) =>
  db
    .select({
      reason: s.cancellationReason,
      people: sql<number>`count(distinct coalesce(${s.teamId}, ${s.userId}))::int`,
    })
    .from(s)
    .where(and(eq(s.toolId, toolId), isNotNull(s.cancellationReason)))
    .groupBy(s.cancellationReason);
