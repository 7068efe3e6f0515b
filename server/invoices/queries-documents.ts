import { and, asc, desc, eq, gte, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Seller } from '#shared/brand.ts';
import { sydneyMidnight } from '#shared/rules/dates.ts';
import { adjustmentNotes, invoices, sellers } from '#shared/schema/billing.ts';
import { ofPayer, type Payer, practices } from '#server/payers/service.ts';
import { type Db, first, pick } from '#server/platform/data/database.ts';

/** From the first moment to before the last. */
export type Range = { from: Date; to: Date };
/** From the 1st of July in Sydney to before the next. */
export const rangeOf = (financialYear: number): Range => ({
  from: sydneyMidnight(`${financialYear - 1}-07-01`),
  to: sydneyMidnight(`${financialYear}-07-01`),
});

const within = (column: typeof invoices.issuedAt | typeof adjustmentNotes.issuedAt, range: Range | undefined) =>
  range && and(gte(column, range.from), lt(column, range.to));

/** The payer's invoices that asked for money. */
const invoicesOf = (payer: Payer) => and(ofPayer(invoices, payer), ne(invoices.totalCents, 0));

/** As `isRefund` in notes.ts. */
const isRefund = (note: string) =>
  sql.raw(`(invoices.status = 'paid' and (invoices.paid_at is null or ${note}.issued_at >= invoices.paid_at))`);
const refundedCents = sql<number>`(
  select coalesce(sum(note.total_cents), 0)::int from adjustment_notes note
  where note.invoice_id = invoices.id and ${isRefund('note')}
)`;

/** The payer's newest invoices that asked for money, with what was refunded of each. */
export const newestInvoices = (db: Db, payer: Payer, limit: number) =>
  db
    .select({
      ...pick(invoices, 'id', 'stripeInvoiceId', 'number', 'description', 'status', 'totalCents'),
      paidCents: invoices.amountPaidCents,
      dueCents: invoices.dueCents,
      issuedAt: invoices.issuedAt,
      refundedCents,
    })
    .from(invoices)
    .where(invoicesOf(payer))
    .orderBy(desc(invoices.issuedAt), invoices.id)
    .limit(limit);

const documents = (db: Db, payer: Payer, range?: Range) =>
  db
    .select({
      id: invoices.id,
      kind: sql<'invoice' | 'adjustment_note'>`'invoice'`.as('kind'),
      number: sql<string | null>`${invoices.number}`.as('number'),
      status: sql<string>`case
        when ${invoices.totalCents} > 0 and ${invoices.totalCents} <= ${refundedCents}
        then 'refunded' else ${invoices.status} end`.as('status'),
      description: sql<string>`${invoices.description}`.as('description'),
      totalCents: sql<number>`${invoices.totalCents}`.as('total_cents'),
      gstCents: sql<number>`${invoices.gstCents}`.as('gst_cents'),
      issuedAt: sql<Date>`${invoices.issuedAt}`.mapWith(invoices.issuedAt).as('issued_at'),
    })
    .from(invoices)
    .where(and(invoicesOf(payer), within(invoices.issuedAt, range)))
    .unionAll(
      db
        .select({
          id: adjustmentNotes.id,
          kind: sql<'invoice' | 'adjustment_note'>`'adjustment_note'`.as('kind'),
          number: sql<string | null>`${adjustmentNotes.number}`.as('number'),
          status: sql<string>`'issued'`.as('status'),
          description:
            sql<string>`case when ${isRefund('adjustment_notes')} then 'Refund for ' else 'Taken off: ' end || ${invoices.description}`.as(
              'description',
            ),
          totalCents: sql<number>`${adjustmentNotes.totalCents}`.as('total_cents'),
          gstCents: sql<number>`${adjustmentNotes.gstCents}`.as('gst_cents'),
          issuedAt: sql<Date>`${adjustmentNotes.issuedAt}`.mapWith(invoices.issuedAt).as('issued_at'),
        })
        .from(adjustmentNotes)
        .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
        .where(and(ofPayer(invoices, payer), within(adjustmentNotes.issuedAt, range))),
    );

/**
 * One page, newest first. Within one second (Stripe's times are no finer) notes come before invoices, then the higher
 * number, then the higher id, so that pages never overlap.
 */
export const documentPage = (
  db: Db,
  payer: Payer,
  { limit, offset, range }: { limit: number; offset: number; range?: Range | undefined },
) =>
  documents(db, payer, range)
    .orderBy(sql`issued_at desc`, sql`kind`, sql`number desc nulls last`, sql`id desc`)
    .limit(limit)
    .offset(offset);

/** The moments of the payer's first and last documents; null where there are none. */
export async function documentSpan(db: Db, payer: Payer): Promise<{ first: Date; last: Date } | null> {
  const all = documents(db, payer).as('documents');
  const [span] = await db
    .select({
      first: sql<Date | null>`min(${all.issuedAt})`.mapWith(invoices.issuedAt),
      last: sql<Date | null>`max(${all.issuedAt})`.mapWith(invoices.issuedAt),
    })
    .from(all);
  return span?.first && span.last ? { first: span.first, last: span.last } : null;
}

export const countDocuments = async (db: Db, payer: Payer, range?: Range): Promise<number> => {
  const [invoiceCount, noteCount] = await Promise.all([
    db.$count(invoices, and(invoicesOf(payer), within(invoices.issuedAt, range))),
    db
      .select({ count: sql<number>`count(*)::int` })
      .from(adjustmentNotes)
      .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
      .where(and(ofPayer(invoices, payer), within(adjustmentNotes.issuedAt, range))),
  ]);
  return invoiceCount + (noteCount[0]?.count ?? 0);
};

const documentsOfId = (db: Db, id: string, mayRead?: SQL) =>
  first(
    db
      .select({ invoice: invoices, note: adjustmentNotes })
      .from(invoices)
      .leftJoin(adjustmentNotes, and(eq(adjustmentNotes.invoiceId, invoices.id), eq(adjustmentNotes.id, id)))
      .where(and(or(eq(invoices.id, id), eq(adjustmentNotes.id, id)), mayRead)),
  );
export type Document = NonNullable<Awaited<ReturnType<typeof documentsOfId>>>;

/** An invoice, or a note with its invoice, whosever it is. */
export const findDocument = (db: Db, id: string) => documentsOfId(db, id);

/** What was paid, and what was taken off it or paid back, with the moment; for joins. PostgreSQL inlines the subquery. */
export const paidDocuments = new QueryBuilder()
  .select({
    ...pick(invoices, 'id', 'userId', 'teamId', 'issuedAt'),
    at: sql<Date>`coalesce(${invoices.paidAt}, ${invoices.issuedAt})`.mapWith(invoices.issuedAt).as('at'),
  })
  .from(invoices)
  .where(and(eq(invoices.status, 'paid'), ne(invoices.totalCents, 0)))
  .unionAll(
    new QueryBuilder()
      .select({
        id: adjustmentNotes.id,
        userId: invoices.userId,
        teamId: invoices.teamId,
        issuedAt: adjustmentNotes.issuedAt,
        at: sql<Date>`greatest(${adjustmentNotes.issuedAt}, ${invoices.paidAt})`.mapWith(invoices.issuedAt).as('at'),
      })
      .from(adjustmentNotes)
      .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
      .where(eq(invoices.status, 'paid')),
  )
  .as('paid_documents');

/** One that this adviser may read: their own, or one of a team whose invoices they may see. */
export const findReadableDocument = (db: Db, id: string, readerId: string) =>
  documentsOfId(
    db,
    id,
    or(eq(invoices.userId, readerId), inArray(invoices.teamId, practices.teamIdsOfInvoices(readerId))),
  );

/** What was refunded of an invoice or taken off it, the newest first. */
export const notesOf = (db: Db, invoiceId: string) =>
  db
    .select(pick(adjustmentNotes, 'id', 'number', 'totalCents', 'issuedAt'))
    .from(adjustmentNotes)
    .where(eq(adjustmentNotes.invoiceId, invoiceId))
    .orderBy(desc(adjustmentNotes.issuedAt), adjustmentNotes.id);

/** Notes who sells from now on, unless that is who sold before. */
export const noteSeller = async (db: Db, details: Seller, since: Date): Promise<void> => {
  const [newest] = await db.select().from(sellers).orderBy(desc(sellers.since), desc(sellers.id)).limit(1);
  const same =
    newest && (Object.keys(details) as (keyof Seller)[]).every((key) => newest.details[key] === details[key]);
  if (!same) await db.insert(sellers).values({ details, since });
};

/** Who sold on that day. The first seller noted is also that of older invoices. */
export const sellerOn = async (db: Db, day: Date): Promise<Seller | null> => {
  const one = db.select({ details: sellers.details }).from(sellers);
  const found =
    (await first(one.where(lte(sellers.since, day)).orderBy(desc(sellers.since), desc(sellers.id)).limit(1))) ??
    (await first(
      db.select({ details: sellers.details }).from(sellers).orderBy(asc(sellers.since), asc(sellers.id)).limit(1),
    ));
  return found?.details ?? null;
};
/** Every invoice and note of a payer in a range, the oldest first, with all that a PDF needs. */
export async function documentsIn(db: Db, payer: Payer, range: Range): Promise<Document[]> {
  const issued = await db
    .select({ invoice: invoices })
    .from(invoices)
    .where(and(invoicesOf(payer), within(invoices.issuedAt, range)));
  const notes = await db
    .select({ invoice: invoices, note: adjustmentNotes })
    .from(adjustmentNotes)
    .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
    .where(and(ofPayer(invoices, payer), within(adjustmentNotes.issuedAt, range)));
  const at = ({ invoice, note }: Document) => (note ?? invoice).issuedAt.getTime();
  return [...issued.map((one) => ({ ...one, note: null })), ...notes].toSorted((a, b) => at(a) - at(b));
}
