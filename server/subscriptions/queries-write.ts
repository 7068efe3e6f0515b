import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { toolSubscriptions, trialUses } from '#shared/schema/subscriptions.ts';
import { teams } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { columnsOf, type Payer } from '#server/billing/service.ts';
import type { Db } from '#server/platform/database.ts';
import { ofPayer, type SubscriptionRow } from './queries.ts';

const s = toolSubscriptions;
type Version = Pick<SubscriptionRow, 'id' | 'version'>;
type NewRow = typeof toolSubscriptions.$inferInsert;

const unchangedSince = ({ id, version }: Version) => and(eq(s.id, id), eq(s.version, version));

/** Changes of one payer's subscriptions follow each other, so that the last one to end sees that it is the last. */
export const lockPayer = async (db: Db, payer: Payer) => {
  if (payer.kind === 'user')
    await db.select({ id: users.id }).from(users).where(eq(users.id, payer.userId)).for('no key update');
  else await db.select({ id: teams.id }).from(teams).where(eq(teams.id, payer.teamId)).for('no key update');
};

/** The columns that say whose row it is. */
export const payerColumns = (payer: Payer) => ({
  ...columnsOf(payer),
  subscriptionType: payer.kind === 'team' ? ('team' as const) : ('individual' as const),
});

/** Writes the row as it was read; null where somebody else was first. `updated_at` is real time, other dates business time. */
export const updateRow = async (db: Db, read: Version, values: Partial<NewRow>): Promise<SubscriptionRow | null> =>
  (
    await db
      .update(s)
      .set({ ...values, version: read.version + 1, updatedAt: sql`now()` })
      .where(unchangedSince(read))
      .returning()
  )[0] ?? null;

/**
 * The same for what was read of the provider: null also where somebody has read the provider since and found nothing
 * new, since what we read may be older than that.
 */
export const updateAsRead = async (
  db: Db,
  read: Version & Pick<SubscriptionRow, 'syncedAt'>,
  values: Partial<NewRow>,
): Promise<SubscriptionRow | null> =>
  (
    await db
      .update(s)
      .set({ ...values, version: read.version + 1, updatedAt: sql`now()` })
      .where(and(unchangedSince(read), read.syncedAt === null ? isNull(s.syncedAt) : eq(s.syncedAt, read.syncedAt)))
      .returning()
  )[0] ?? null;

/**
 * Notes that the provider was read and agreed. The version stays, so that readers who agree do not stand in each other's
 * way; null where the row has changed since.
 */
export const touchRow = async (db: Db, read: Version, syncedAt: Date): Promise<SubscriptionRow | null> =>
  (await db.update(s).set({ syncedAt }).where(unchangedSince(read)).returning())[0] ?? null;

/** Removes a purchase that was never paid, with the trial it may have taken; false where the row has changed since. */
export async function deleteRow(db: Db, read: Version): Promise<boolean> {
  await db
    .delete(trialUses)
    .where(and(eq(trialUses.subscriptionId, read.id), sql`exists (select 1 from ${s} where ${unchangedSince(read)!})`));
  return (await db.delete(s).where(unchangedSince(read)).returning({ id: s.id })).length > 0;
}

/** Takes the payer's place for the tool; null where it is taken. */
export const insertRow = async (db: Db, row: NewRow): Promise<SubscriptionRow | null> =>
  (await db.insert(s).values(row).onConflictDoNothing().returning())[0] ?? null;

/** Adds the free tool, unless it is there or not offered. */
export const insertFreeTool = async (db: Db, payer: Payer, at: Date) => {
  const [tool] = await db
    .select({ id: tools.id })
    .from(tools)
    .where(and(eq(tools.id, lostMoneyTool), eq(tools.isActive, true)));
  if (tool)
    await insertRow(db, {
      ...payerColumns(payer),
      toolId: tool.id,
      status: 'active',
      monthlyCents: 0,
      createdAt: at,
    });
};

export const endFreeTool = async (db: Db, payer: Payer, at: Date) => {
  await db
    .update(s)
    .set({ status: 'expired', isActive: false, expiredAt: at, version: sql`${s.version} + 1`, updatedAt: sql`now()` })
    .where(and(ofPayer(payer), eq(s.toolId, lostMoneyTool), eq(s.isActive, true)));
};

/** Records the trial for this person; false where it was taken by another subscription. */
export async function takeTrial(db: Db, identity: string, toolId: string, subscriptionId: string): Promise<boolean> {
  const [taken] = await db
    .insert(trialUses)
    .values({ identity, toolId, subscriptionId })
    .onConflictDoUpdate({ target: [trialUses.identity, trialUses.toolId], set: { toolId } })
    .returning({ subscriptionId: trialUses.subscriptionId });
  return taken?.subscriptionId === subscriptionId;
}

export const giveTrialBack = async (db: Db, subscriptionId: string) => {
  await db.delete(trialUses).where(eq(trialUses.subscriptionId, subscriptionId));
};
