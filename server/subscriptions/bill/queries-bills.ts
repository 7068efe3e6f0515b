import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { adjustments, bills, toldBills } from '#shared/schema/billing.ts';
import { columnsOf, ofPayer, type Payer, rowsByPayer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const b = bills;
const a = adjustments;
const t = toldBills;

export type BillRecord = typeof b.$inferSelect;
type Version = Pick<BillRecord, 'id' | 'revision'>;

type Computed = Pick<Bill, 'at' | 'until' | 'lines' | 'parts' | 'totalCents' | 'creditCents' | 'gstCents'>;

/** Stores a bill as it was computed; null where the payer has a bill of that instant, or another purchase under way. */
export const insertBill = (
  db: Db,
  payer: Payer,
  { at, until, lines, parts, totalCents, creditCents, gstCents }: Computed,
  more: Omit<typeof b.$inferInsert, keyof Computed | 'userId' | 'teamId'>,
) => {
  const computed = { at, until, lines, parts, totalCents, creditCents, gstCents };
  const values = { ...columnsOf(payer), ...computed, ...more };
  return first(db.insert(b).values(values).onConflictDoNothing().returning());
};

export const rowIdsOf = ({ lines, parts }: Pick<BillRecord, 'lines' | 'parts'>): string[] => [
  ...new Set([...lines, ...parts].flatMap(({ subscriptionId }) => subscriptionId ?? [])),
];

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

/** For one of which nothing was charged: what it began is stored with the payer. */
export const deleteAttempt = async (db: Db, id: string): Promise<void> => {
  await db.delete(b).where(and(eq(b.id, id), eq(b.status, 'attempt')));
};

/**
 * Attempts that a job may have to look at: those whose call to Stripe has no known outcome, old ones, and parts of a month, which end
 * with their bill. Most calls end within two seconds of real time; a call that still runs is repeated under its key.
 */
export const attemptsToResume = (db: Db, tooOld: Date) =>
  db
    .select()
    .from(b)
    .where(
      and(
        eq(b.status, 'attempt'),
        or(
          and(isNull(b.stripeInvoiceId), sql`${b.updatedAt} < now() - interval '2 seconds'`),
          lte(b.createdAt, tooOld),
          eq(b.kind, 'tool'),
        ),
      ),
    )
    .orderBy(asc(b.createdAt), asc(b.id))
    .limit(500);

/** The payer's bills that are fixed and not paid yet, oldest first; no purchases under way. */
export const openBillsOf = rowsByPayer(b, (db, isAskedFor, by) =>
  db
    .select()
    .from(b)
    .where(and(isAskedFor, inArray(b.status, ['draft', 'issued', 'unpaid'])))
    .orderBy(asc(b.at))
    .prepare(`open_bills_by_${by}`),
);

/** Those of them that are in grace: one, and while an older release's are paid off, one of those too. */
export const unpaidBillsOf = async (db: Db, payer: Payer): Promise<BillRecord[]> =>
  (await openBillsOf(db, payer)).filter(({ status }) => status === 'unpaid');

/** Notes that the bill was looked at; its revision stays. */
export const touchBill = (db: Db, id: string, checkedAt: Date) => db.update(b).set({ checkedAt }).where(eq(b.id, id));

/** The payer's newest bills, whatever became of them. */
export const newestBills = (db: Db, payer: Payer, limit: number) =>
  db
    .select()
    .from(b)
    .where(and(ofPayer(b, payer), ne(b.status, 'attempt')))
    .orderBy(desc(b.at), desc(b.id))
    .limit(limit);

/** The adjustments that wait for the payer's next bill, oldest first; of one moment, the rest of a credit that was begun. */
export const waitingAdjustments = rowsByPayer(a, (db, isAskedFor, by) =>
  db
    .select()
    .from(a)
    .where(and(isAskedFor, eq(a.state, 'waiting')))
    .orderBy(asc(a.createdAt), asc(isNull(a.splitOf)), asc(a.id))
    .prepare(`waiting_adjustments_by_${by}`),
);

export const insertAdjustment = async (
  db: Db,
  payer: Payer,
  adjustment: Omit<typeof a.$inferInsert, 'userId' | 'teamId'>,
): Promise<void> => {
  await db.insert(a).values({ ...columnsOf(payer), ...adjustment });
};

export const findAdjustment = (db: Db, id: string) => first(db.select().from(a).where(eq(a.id, id)));

/** What was written for this person's seat in a period, in order; closed ones too. */
export const seatChanges = (db: Db, subscriptionId: string, personId: string, periodEnd: Date) =>
  db
    .select()
    .from(a)
    .where(and(eq(a.subscriptionId, subscriptionId), eq(a.personId, personId), eq(a.periodEnd, periodEnd)))
    .orderBy(asc(a.createdAt), asc(a.id));

export const billAdjustment = (db: Db, id: string, billId: string, cents: number) =>
  db.update(a).set({ state: 'billed', billId, cents }).where(eq(a.id, id));

/** Closes what waits for this payer, or for these of their subscriptions: nothing of it will be charged. */
export const closeAdjustments = async (db: Db, payer: Payer, of: readonly { id: string }[] | null = null) => {
  const ids = of?.map(({ id }) => id);
  await db
    .update(a)
    .set({ state: 'closed' })
    .where(and(ofPayer(a, payer), eq(a.state, 'waiting'), ids && inArray(a.subscriptionId, ids)));
};

export type ToldRow = typeof t.$inferSelect;

type Kept = Omit<typeof t.$inferInsert, 'userId' | 'teamId' | 'lines' | 'parts'> &
  Partial<Pick<ToldRow, 'lines' | 'parts'>>;

export const insertTold = (db: Db, payer: Payer, told: Kept) =>
  db.insert(t).values({ lines: [], parts: [], ...columnsOf(payer), ...told });

const newest = (db: Db, where: SQL | undefined, limit: number, offset = 0) =>
  db.select().from(t).where(where).orderBy(desc(t.toldAt), desc(t.id)).limit(limit).offset(offset);

/** The coming bill as the payer was told it last; by mails of these kinds, where they are named. */
export const lastTold = (db: Db, payer: Payer, kinds?: readonly string[]) =>
  first(newest(db, and(ofPayer(t, payer), eq(t.tellsBill, true), kinds && inArray(t.kind, [...kinds])), 1));

export const toldUntil = (db: Db, payer: Payer, at: Date) =>
  first(newest(db, and(ofPayer(t, payer), lte(t.toldAt, at)), 1));

/** Whether the month that began then was given: its bill is void. */
export const isMonthGiven = async (db: Db, payer: Payer, at: Date): Promise<boolean> =>
  (await db.$count(b, and(ofPayer(b, payer), eq(b.at, at), eq(b.kind, 'month'), eq(b.status, 'void')))) > 0;

/** The payer's monthly or first bill before that instant. */
export const monthBefore = (db: Db, payer: Payer, at: Date) =>
  first(
    db
      .select()
      .from(b)
      .where(and(ofPayer(b, payer), lt(b.at, at), inArray(b.kind, ['first', 'month']), ne(b.status, 'attempt')))
      .orderBy(desc(b.at))
      .limit(1),
  );

export const toldPage = async (db: Db, payer: Payer, page: number, perPage: number) => ({
  told: await newest(db, ofPayer(t, payer), perPage, (page - 1) * perPage),
  total: await db.$count(t, ofPayer(t, payer)),
});
