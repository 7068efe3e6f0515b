import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { type Db, first, isUuid } from '#server/platform/data/database.ts';

export type InvoiceRow = typeof invoices.$inferSelect;
export type NoteRow = typeof adjustmentNotes.$inferSelect;

/** An invoice never leaves these states, so an older reading that arrives late must not undo them. */
const final = ['paid', 'void'];

/** Brings our copy of an invoice to what Stripe has; what it is for, and its buyer, stay as they were first copied. */
export const upsertInvoice = async (db: Db, invoice: typeof invoices.$inferInsert): Promise<void> => {
  const { status, totalCents, gstCents, amountPaidCents, dueCents, paidAt, number } = invoice;
  await db
    .insert(invoices)
    .values(invoice)
    .onConflictDoUpdate({
      target: invoices.stripeInvoiceId,
      set: {
        status,
        totalCents,
        gstCents,
        amountPaidCents,
        dueCents,
        paidAt,
        number,
        buyer: sql`coalesce(${invoices.buyer}, excluded.buyer)`,
        updatedAt: sql`now()`,
      },
      setWhere: or(notInArray(invoices.status, final), sql`excluded.status in ('paid', 'void')`)!,
    });
};

/** Whether we have a copy of the invoice, with its buyer. */
export const isCopied = async (db: Db, stripeInvoiceId: string): Promise<boolean> =>
  (
    await db
      .select({ id: invoices.id })
      .from(invoices)
      .where(and(eq(invoices.stripeInvoiceId, stripeInvoiceId), sql`${invoices.buyer} is not null`))
  ).length > 0;

export const findInvoiceByStripeId = (db: Db, stripeInvoiceId: string) =>
  first(db.select().from(invoices).where(eq(invoices.stripeInvoiceId, stripeInvoiceId)));

export const findCopiedInvoice = (db: Db, id: string) => first(db.select().from(invoices).where(eq(invoices.id, id)));

/** The invoices that have one of these as their id, as Stripe's id, or as their number. */
export const invoicesKnownAs = (db: Db, keys: string[]): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(
      or(
        inArray(invoices.id, keys.filter(isUuid)),
        inArray(invoices.stripeInvoiceId, keys),
        inArray(invoices.number, keys),
      ),
    );

type NewNote = Omit<typeof adjustmentNotes.$inferInsert, 'invoiceId' | 'number'> & { number: string | null };

/**
 * Brings the notes of one invoice to what Stripe has: where a refund failed later, its note is deleted. Refunds, which
 * Stripe does not number, get our own numbers in the order they arrive; the lock makes two readers agree on them. Answers
 * the notes that are new.
 */
export async function replaceNotes(tx: Db, invoice: InvoiceRow, notes: NewNote[]): Promise<NoteRow[]> {
  await tx.select({ id: invoices.id }).from(invoices).where(eq(invoices.id, invoice.id)).for('no key update');
  const stored = await tx.select().from(adjustmentNotes).where(eq(adjustmentNotes.invoiceId, invoice.id));
  const prefix = `${invoice.number ?? invoice.stripeInvoiceId}-R`;
  let last = Math.max(
    0,
    ...stored.map(({ number }) => (number.startsWith(prefix) ? Number(number.slice(prefix.length)) : 0)),
  );
  const gone = stored.filter(({ providerId }) => !notes.some((note) => note.providerId === providerId));
  if (gone.length > 0)
    await tx.delete(adjustmentNotes).where(
      inArray(
        adjustmentNotes.id,
        gone.map(({ id }) => id),
      ),
    );
  const added: NoteRow[] = [];
  for (const { number, ...note } of notes) {
    if (stored.some(({ providerId }) => providerId === note.providerId)) continue;
    added.push(
      ...(await tx
        .insert(adjustmentNotes)
        .values({ ...note, invoiceId: invoice.id, number: number ?? `${prefix}${(last += 1)}` })
        .returning()),
    );
  }
  return added;
}
