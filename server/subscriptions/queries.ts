import { and, asc, eq, getTableColumns, gte, ne, or, sql } from 'drizzle-orm';
import type { BillRow } from '#shared/rules/billing/bill.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import type { OwnPrice, PriceDecision } from '#shared/rules/billing/own-price.ts';
import type { SubscriptionStatus } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { toolSubscriptions, trialUses } from '#shared/schema/subscriptions.ts';
import { codeRedemptions } from '#shared/schema/discount-codes.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import {
  columnsOf,
  ofPayer,
  type Payer,
  payingAdviser,
  payingTeam,
  practices,
  rowsByPayer,
} from '#server/payers/service.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { asBilled } from './join/old-row.ts';

export type SubscriptionRow = typeof toolSubscriptions.$inferSelect;

const s = toolSubscriptions;

/** Needs the joins of both payers. */
export const cardOnFile = sql<boolean>`coalesce(${payingAdviser.cardLast4}, ${payingTeam.cardLast4}) is not null`;

/** Whether the practice that pays opens its tools for a client only. Needs the join of its team. */
const needsClient = sql<boolean>`coalesce(${payingTeam.needsClient}, false)`;

/** The newest row per payer and tool for each person asked about: their own, and those of their teams. */
const picked = sql`(select asked.id as asked_by, pick.id
  from unnest(${sql.placeholder('userIds')}::uuid[]) asked (id) cross join lateral (
    (select distinct on (own.tool_id) own.id from tool_subscriptions own
      where own.user_id = asked.id and own.status <> 'incomplete'
      order by own.tool_id, own.is_active desc, own.created_at desc)
    union all
    (select distinct on (shared.team_id, shared.tool_id) shared.id from tool_subscriptions shared
      where shared.team_id in ${practices.openingTeamIds(sql`asked.id`)} and shared.status <> 'incomplete'
      order by shared.team_id, shared.tool_id, shared.is_active desc, shared.created_at desc)) pick) picked`;

const askedBy = sql<string>`picked.asked_by`;
/** Whether the row is theirs: their own, or they are among those of the team who use it. */
const uses = sql<boolean>`(${s.chosenUsers} is null or ${askedBy} = any(${s.chosenUsers}))`;

const subscriptionsOf = together((db) => {
  const query = db
    .select({
      askedBy,
      uses,
      ...getTableColumns(s),
      toolName: catalogueTool.name,
      toolDescription: catalogueTool.description,
      basePrice: catalogueTool.basePrice,
      teamName: payingTeam.name,
      teamOwnerId: payingTeam.ownerId,
      needsClient,
      cardOnFile,
    })
    .from(s)
    .innerJoin(picked, sql`picked.id = ${s.id}`)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .leftJoin(payingTeam, eq(payingTeam.id, s.teamId))
    .leftJoin(payingAdviser, eq(payingAdviser.id, s.userId))
    .orderBy(sql`${s.createdAt} desc`, s.id)
    .prepare('subscriptions_of');
  return async (userIds) => grouped(await query.execute({ userIds }), (row) => row.askedBy);
});

/** Own and team subscriptions, the newest per payer and tool, newest first, without incomplete ones. */
export const subscriptionRowsOf = async (db: Db, userId: string) => (await subscriptionsOf(db, userId)) ?? [];
export type ListedRow = Awaited<ReturnType<typeof subscriptionRowsOf>>[number];

const rightsOf = together((db) => {
  const { userId, teamId, toolId, status, autoRenew, endDate, trialEndDate, gracePeriodEnd, monthlyCents } = s;
  const own = { userId, teamId, toolId, status, autoRenew, endDate, trialEndDate, gracePeriodEnd, monthlyCents };
  const query = db
    .select({ askedBy, uses, ...own, teamName: payingTeam.name, needsClient, cardOnFile })
    .from(s)
    .innerJoin(picked, sql`picked.id = ${s.id}`)
    .leftJoin(payingTeam, eq(payingTeam.id, s.teamId))
    .leftJoin(payingAdviser, eq(payingAdviser.id, s.userId))
    .orderBy(sql`${s.createdAt} desc`, s.id)
    .prepare('rights_of');
  return async (userIds) => grouped(await query.execute({ userIds }), (row) => row.askedBy);
});

/** Those rows with only what decides whether they open their tool: tools ask thousands of times a second. */
export const rightsRowsOf = async (db: Db, userId: string) => (await rightsOf(db, userId)) ?? [];
export type RightsRow = Awaited<ReturnType<typeof rightsRowsOf>>[number];

export const subscriptionIdsOf = async (db: Db, payer: Payer): Promise<string[]> =>
  (await db.select({ id: s.id }).from(s).where(ofPayer(s, payer))).map(({ id }) => id);

export const findSubscription = (db: Db, id: string) => first(db.select().from(s).where(eq(s.id, id)));

/** The newest row of this payer for the tool, incomplete ones too; or their newest one of that status. */
export const findNewest = (db: Db, payer: Payer, toolId: string, status?: SubscriptionStatus) =>
  first(
    db
      .select()
      .from(s)
      .where(and(ofPayer(s, payer), eq(s.toolId, toolId), status && eq(s.status, status)))
      .orderBy(sql`${s.isActive} desc`, sql`${s.createdAt} desc`)
      .limit(1),
  );

/** Whether an offer made for an expired row has been taken, by a row other than `except`. */
export const isRedeemed = async (db: Db, expiredId: string, except: string | null): Promise<boolean> =>
  (await db.select({ id: s.id }).from(s).where(eq(s.winBackOf, expiredId))).some(({ id }) => id !== except);

/** The rows that take one of the payer's slots, oldest first: each payer has one slot per tool. With the tool's name and price. */
export const slotsOf = rowsByPayer(s, (db, isAskedFor, by) =>
  db
    .select({
      ...getTableColumns(s),
      toolName: catalogueTool.name,
      basePrice: catalogueTool.basePrice,
      toolPriceNumber: catalogueTool.priceNumber,
    })
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .where(and(isAskedFor, eq(s.isActive, true)))
    .orderBy(asc(s.createdAt), asc(s.id))
    .prepare(`slots_by_${by}`),
);
export type SlotRow = Awaited<ReturnType<typeof slotsOf>>[number];

/** The subscription's own price; one that has cost nothing so far has the tool's. */
const ownPriceOf = ({ unitCents, priceNumber: number, risesFrom, basePrice, toolPriceNumber }: SlotRow): OwnPrice =>
  unitCents === 0 ? { unitCents: centsOf(basePrice), number: toolPriceNumber } : { unitCents, number, risesFrom };

/** A slot as the bill needs it; `decisions` are those about its tool's price. */
export const toBillRow = (row: SlotRow, decisions: readonly PriceDecision[] = []): BillRow => ({
  ...row,
  ...asBilled(row),
  price: ownPriceOf(row),
  decisions,
  offer: row.winBack,
});

const trialsOf = together((db) => {
  const query = db
    .select({ identity: trialUses.identity, toolId: trialUses.toolId })
    .from(trialUses)
    .leftJoin(s, eq(s.id, trialUses.subscriptionId))
    .where(
      and(
        sql`${trialUses.identity} = any(${sql.placeholder('identities')}::text[])`,
        sql`${s.status} is distinct from 'incomplete'`,
      ),
    )
    .prepare('trials_of');
  return async (identities) => grouped(await query.execute({ identities }), ({ identity }) => identity);
});

/** Whether this person has used their trial of the tool; an unconfirmed attempt does not count. */
export async function isTrialUsed(db: Db, toolId: string, identities: string[]): Promise<boolean> {
  const taken = await Promise.all(identities.map((identity) => trialsOf(db, identity)));
  return taken.flatMap((trials) => trials ?? []).some((trial) => trial.toolId === toolId);
}

/** The tools this payer has, or has had since then, by name. */
export const toolsPaidSince = (db: Db, payer: Payer, since: Date) =>
  db
    .selectDistinct({ toolId: s.toolId, toolName: catalogueTool.name })
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .where(and(ofPayer(s, payer), ne(s.status, 'incomplete'), or(eq(s.isActive, true), gte(s.expiredAt, since))))
    .orderBy(catalogueTool.name);

/** Whether this payer has any subscription that is not over. */
export const holdsSubscription = async (db: Db, payer: Payer): Promise<boolean> =>
  (await db.$count(s, and(ofPayer(s, payer), eq(s.isActive, true)))) > 0;

type Version = Pick<SubscriptionRow, 'id' | 'revision'>;
export type NewRow = typeof toolSubscriptions.$inferInsert;

const unchangedSince = ({ id, revision }: Version) => and(eq(s.id, id), eq(s.revision, revision));

export const payerColumns = (payer: Payer) => ({
  ...columnsOf(payer),
  subscriptionType: payer.kind === 'team' ? ('team' as const) : ('individual' as const),
});

export const notCancelled = { cancelledAt: null, cancellationReason: null, cancellationDetails: null };

/** Changes the row; null where it has changed since it was read. `updated_at` is real time, other dates are business time. */
export const updateRow = (db: Db, read: Version, values: Partial<NewRow>) =>
  first(
    db
      .update(s)
      .set({ ...values, revision: read.revision + 1, updatedAt: sql`now()` })
      .where(unchangedSince(read))
      .returning(),
  );

/** Deletes a purchase that was never paid, and the trial it may have used; false where the row has changed since. */
export async function deleteRow(db: Db, read: Version): Promise<boolean> {
  await db
    .delete(trialUses)
    .where(and(eq(trialUses.subscriptionId, read.id), sql`exists (select 1 from ${s} where ${unchangedSince(read)!})`));
  return hasChanged(db.delete(s).where(unchangedSince(read)));
}

/** Takes the payer's slot for the tool; null where it is taken. */
export const insertRow = (db: Db, row: NewRow) =>
  first(
    db
      .insert(s)
      .values({ revision: 1, ...row })
      .onConflictDoNothing()
      .returning(),
  );

export const endFreeTool = async (db: Db, payer: Payer, at: Date) => {
  await db
    .update(s)
    .set({ status: 'expired', isActive: false, expiredAt: at, revision: sql`${s.revision} + 1`, updatedAt: sql`now()` })
    .where(and(ofPayer(s, payer), eq(s.toolId, lostMoneyTool), eq(s.isActive, true)));
};

/** Uses the trial of the tool that these identities have together; false where another subscription has used it. */
export async function takeTrial(
  db: Db,
  identities: readonly string[],
  toolId: string,
  subscriptionId: string,
): Promise<boolean> {
  // In one order everywhere, so that two that wait for each other's row can't both wait.
  const taken = await db
    .insert(trialUses)
    .values(identities.toSorted().map((identity) => ({ identity, toolId, subscriptionId })))
    .onConflictDoUpdate({ target: [trialUses.identity, trialUses.toolId], set: { toolId } })
    .returning({ subscriptionId: trialUses.subscriptionId });
  return taken.every((one) => one.subscriptionId === subscriptionId);
}

/** Whoever has taken these trials goes by another identity as well: they are taken for both. */
export const copyTrials = (db: Db, from: string, to: string) =>
  db.execute(sql`insert into trial_uses (identity, tool_id, subscription_id, created_at)
    select ${to}, tool_id, subscription_id, created_at from trial_uses where identity = ${from}
    on conflict do nothing`);

const r = codeRedemptions;

export const redemptionOf = (db: Db, subscriptionId: string) =>
  first(db.select({ codeId: r.codeId }).from(r).where(eq(r.subscriptionId, subscriptionId)));

export const hasRedeemed = async (db: Db, codeId: string, payer: Payer, toolId: string): Promise<boolean> =>
  (await db.$count(r, and(ofPayer(r, payer), eq(r.codeId, codeId), eq(r.toolId, toolId)))) > 0;

export const countRedemptions = (db: Db, codeId: string) => db.$count(r, eq(r.codeId, codeId));

export const insertRedemption = async (
  db: Db,
  payer: Payer,
  row: Pick<typeof r.$inferInsert, 'codeId' | 'toolId' | 'subscriptionId' | 'createdAt'>,
) => {
  await db.insert(r).values({ ...columnsOf(payer), ...row });
};

export const giveCodeBack = async (db: Db, subscriptionId: string) => {
  await db.delete(r).where(eq(r.subscriptionId, subscriptionId));
};
