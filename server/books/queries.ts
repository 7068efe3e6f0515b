import { and, eq, gt, gte, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import { bookkeepers, mailedCopies, yearStatements } from '#shared/schema/books.ts';
import { documents } from '#server/invoices/service.ts';
import { columnsOf, ofPayer, type Payer, payerOf } from '#server/payers/service.ts';
import { type Db, first, hasChanged, only } from '#server/platform/data/database.ts';

const { paidDocuments } = documents;

export type BookkeeperRow = typeof bookkeepers.$inferSelect;

export const findBookkeeper = (db: Db, payer: Payer) =>
  first(db.select().from(bookkeepers).where(ofPayer(bookkeepers, payer)));

/** Puts a new address in place of the payer's earlier one. The caller has locked the payer. */
export async function putBookkeeper(
  tx: Db,
  payer: Payer,
  row: Pick<BookkeeperRow, 'email' | 'token' | 'askedAt'>,
): Promise<BookkeeperRow> {
  await deleteBookkeeper(tx, payer);
  const values = { ...columnsOf(payer), ...row };
  return only(tx.insert(bookkeepers).values(values).returning());
}

/** Whom the payer has, if asked since that moment. */
export async function deleteBookkeeper(tx: Db, payer: Payer, since = new Date(0)): Promise<BookkeeperRow | null> {
  const asked = and(ofPayer(bookkeepers, payer), gte(bookkeepers.askedAt, since));
  return first(tx.delete(bookkeepers).where(asked).returning());
}

export const deleteBookkeeperById = (tx: Db, id: string): Promise<BookkeeperRow | null> =>
  first(tx.delete(bookkeepers).where(eq(bookkeepers.id, id)).returning());

/** The one whose mailed link has this hash, if they were asked after that moment. */
export const findByToken = (db: Db, token: string, askedAfter: Date) =>
  first(
    db
      .select()
      .from(bookkeepers)
      .where(and(eq(bookkeepers.token, token), gt(bookkeepers.askedAt, askedAfter))),
  );

/** Notes the confirmation; false where it was noted before. */
export const confirm = (tx: Db, id: string, confirmedAt: Date): Promise<boolean> =>
  hasChanged(
    tx
      .update(bookkeepers)
      .set({ confirmedAt })
      .where(and(eq(bookkeepers.id, id), isNull(bookkeepers.confirmedAt))),
  );

/** Documents that confirmed addresses have not been mailed, oldest first; those issued before `from` are left alone. */
export async function dueCopies(db: Db, from: Date, limit: number) {
  const mailed = db
    .select({ one: sql`1` })
    .from(mailedCopies)
    .where(eq(mailedCopies.documentId, paidDocuments.id));
  const dueBy = (by: 'userId' | 'teamId') =>
    db
      .select({ bookkeeperId: bookkeepers.id, documentId: paidDocuments.id, at: paidDocuments.at })
      .from(bookkeepers)
      .innerJoin(paidDocuments, eq(paidDocuments[by], bookkeepers[by]))
      .where(
        and(
          isNotNull(bookkeepers.confirmedAt),
          gt(paidDocuments.issuedAt, from),
          // Stripe's times are whole seconds.
          sql`${paidDocuments.at} >= date_trunc('second', ${bookkeepers.askedAt})`,
          notExists(mailed),
        ),
      )
      .orderBy(paidDocuments.at)
      .limit(limit);
  return [...(await dueBy('userId')), ...(await dueBy('teamId'))];
}

/** Notes that a document is mailed, and answers to whom; null where it was before, or where nobody gets it any more. */
export async function claimCopy(
  tx: Db,
  { documentId, bookkeeperId }: { documentId: string; bookkeeperId: string },
  mailedAt: Date,
): Promise<BookkeeperRow | null> {
  const [to] = await tx
    .select()
    .from(bookkeepers)
    .where(and(eq(bookkeepers.id, bookkeeperId), isNotNull(bookkeepers.confirmedAt)))
    .for('key share');
  if (!to) return null;
  const copy = { documentId, bookkeeperId, mailedAt };
  return (await hasChanged(tx.insert(mailedCopies).values(copy).onConflictDoNothing())) ? to : null;
}

/** Payers with something paid or refunded in the financial year, to whom its statement was not mailed. */
export async function payersWithoutStatement(db: Db, financialYear: number, limit: number): Promise<Payer[]> {
  const { from, to } = documents.rangeOf(financialYear);
  const dueBy = (by: 'userId' | 'teamId') =>
    db
      .selectDistinct({ userId: paidDocuments.userId, teamId: paidDocuments.teamId })
      .from(paidDocuments)
      .where(
        and(
          isNotNull(paidDocuments[by]),
          gte(paidDocuments.issuedAt, from),
          lt(paidDocuments.issuedAt, to),
          notExists(
            db
              .select({ one: sql`1` })
              .from(yearStatements)
              .where(and(eq(yearStatements[by], paidDocuments[by]), eq(yearStatements.financialYear, financialYear))),
          ),
        ),
      )
      .limit(limit);
  return [...(await dueBy('userId')), ...(await dueBy('teamId'))].map(payerOf);
}

/** Notes that a statement is mailed; false where it was before. */
export const claimStatement = (tx: Db, payer: Payer, financialYear: number, mailedAt: Date): Promise<boolean> =>
  hasChanged(
    tx
      .insert(yearStatements)
      .values({ ...columnsOf(payer), financialYear, mailedAt })
      .onConflictDoNothing(),
  );
