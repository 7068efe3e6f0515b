import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { adjustments, bills } from '#shared/schema/billing.ts';
import { columnsOf, ofPayer, type Payer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';

const b = bills;
const a = adjustments;

export type BillRecord = typeof b.$inferSelect;
export type AdjustmentRecord = typeof a.$inferSelect;
type Version = Pick<BillRecord, 'id' | 'revision'>;

/** Null where the payer has a bill of that instant, or another purchase under way. */
export const insertBill = (db: Db, payer: Payer, bill: Omit<typeof b.$inferInsert, 'userId' | 'teamId'>) =>
  first(
    db
      .insert(b)
      .values({ ...columnsOf(payer), ...bill })
      .onConflictDoNothing()
      .returning(),
  );

/** Changes the bill; null where it has changed since it was read. */
export const updateBill = (db: Db, { id, revision }: Version, values: Partial<typeof b.$inferInsert>) =>
  first(
    db
      .update(b)
      .set({ ...values, revision: revision + 1, updatedAt: sql`now()` })
      .where(and(eq(b.id, id), eq(b.revision, revision)))
      .returning(),
  );

export const findBill = (db: Db, id: string) => first(db.select().from(b).where(eq(b.id, id)));

export const findBillByInvoice = (db: Db, stripeInvoiceId: string) =>
  first(db.select().from(b).where(eq(b.stripeInvoiceId, stripeInvoiceId)));

/** The payer's purchase under way. */
export const findAttempt = (db: Db, payer: Payer) =>
  first(
    db
      .select()
      .from(b)
      .where(and(ofPayer(b, payer), eq(b.status, 'attempt'))),
  );

const openStatuses = ['draft', 'issued', 'unpaid'] as const;

const openBillsBy = (payer: 'userId' | 'teamId') =>
  together((db) => {
    const query = db
      .select()
      .from(b)
      .where(and(sql`${b[payer]} = any(${sql.placeholder('ids')}::uuid[])`, inArray(b.status, [...openStatuses])))
      .orderBy(asc(b.at))
      .prepare(`open_bills_by_${payer}`);
    return async (ids) => grouped(await query.execute({ ids }), (row) => row[payer]!);
  });
const openBillsOfAdviser = openBillsBy('userId');
const openBillsOfTeam = openBillsBy('teamId');

/** The payer's bills that are fixed and not paid yet, oldest first; no purchases under way. */
export const openBillsOf = async (db: Db, payer: Payer): Promise<BillRecord[]> =>
  (await (payer.kind === 'user' ? openBillsOfAdviser(db, payer.userId) : openBillsOfTeam(db, payer.teamId))) ?? [];

/** Notes that the bill was looked at; its revision stays. */
export const touchBill = async (db: Db, id: string, checkedAt: Date) => {
  await db.update(b).set({ checkedAt }).where(eq(b.id, id));
};

/** The payer's newest bills, whatever became of them. */
export const newestBills = (db: Db, payer: Payer, limit: number) =>
  db
    .select()
    .from(b)
    .where(and(ofPayer(b, payer), ne(b.status, 'attempt')))
    .orderBy(desc(b.at), desc(b.id))
    .limit(limit);

const waitingBy = (payer: 'userId' | 'teamId') =>
  together((db) => {
    const query = db
      .select()
      .from(a)
      .where(and(sql`${a[payer]} = any(${sql.placeholder('ids')}::uuid[])`, eq(a.state, 'waiting')))
      .orderBy(asc(a.createdAt), asc(a.id))
      .prepare(`waiting_adjustments_by_${payer}`);
    return async (ids) => grouped(await query.execute({ ids }), (row) => row[payer]!);
  });
const waitingOfAdviser = waitingBy('userId');
const waitingOfTeam = waitingBy('teamId');

/** The adjustments that wait for the payer's next bill, oldest first. */
export const waitingAdjustments = async (db: Db, payer: Payer): Promise<AdjustmentRecord[]> =>
  (await (payer.kind === 'user' ? waitingOfAdviser(db, payer.userId) : waitingOfTeam(db, payer.teamId))) ?? [];

export const insertAdjustment = async (
  db: Db,
  payer: Payer,
  adjustment: Omit<typeof a.$inferInsert, 'userId' | 'teamId'>,
): Promise<AdjustmentRecord> =>
  (
    await db
      .insert(a)
      .values({ ...columnsOf(payer), ...adjustment })
      .returning()
  )[0]!;

export const findAdjustment = (db: Db, id: string) => first(db.select().from(a).where(eq(a.id, id)));

/** What was written for this person's seat in a period, in order; closed ones too. */
export const seatChanges = (db: Db, subscriptionId: string, personId: string, periodEnd: Date) =>
  db
    .select()
    .from(a)
    .where(and(eq(a.subscriptionId, subscriptionId), eq(a.personId, personId), eq(a.periodEnd, periodEnd)))
    .orderBy(asc(a.createdAt), asc(a.id));

export const billAdjustment = async (db: Db, id: string, billId: string, cents: number) => {
  await db.update(a).set({ state: 'billed', billId, cents }).where(eq(a.id, id));
};

/** Closes what waits for this payer, or for these of their subscriptions: nothing of it will be charged. */
export const closeAdjustments = (db: Db, payer: Payer, subscriptions: readonly { id: string }[] | null = null) => {
  const ids = subscriptions?.map(({ id }) => id);
  return db
    .update(a)
    .set({ state: 'closed' })
    .where(and(ofPayer(a, payer), eq(a.state, 'waiting'), ids && inArray(a.subscriptionId, ids)))
    .returning();
};
