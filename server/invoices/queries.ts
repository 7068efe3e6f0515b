import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { adjustmentNotes, type InvoiceLine, invoices } from '#shared/schema/billing.ts';
import { buyerOf, payerOf } from '#server/payers/service.ts';
import { couponName, idOf, prorationLabel } from '#server/stripe/service.ts';
import { type Db, first } from '#server/platform/database.ts';

export type InvoiceRow = typeof invoices.$inferSelect;
export type NoteRow = typeof adjustmentNotes.$inferSelect;

/** An invoice never leaves these states, so an older reading that arrives late must not undo them. */
const final = ['paid', 'void'];

/** Brings our copy of an invoice to what Stripe has; its buyer stays as it was first copied. */
export const upsertInvoice = async (db: Db, invoice: typeof invoices.$inferInsert): Promise<void> => {
  const { status, totalCents, gstCents, amountPaidCents, dueCents, paidAt, number, lines, description } = invoice;
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
        lines,
        description,
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

/** The status of our copy of an invoice; null where we have none yet. */
export const findInvoiceStatus = async (db: Db, stripeInvoiceId: string): Promise<string | null> =>
  (await db.select({ status: invoices.status }).from(invoices).where(eq(invoices.stripeInvoiceId, stripeInvoiceId)))[0]
    ?.status ?? null;

export type InvoiceOwner = {
  userId: string | null;
  teamId: string | null;
  subscriptionId: string | null;
  /** Null where the invoice is for no tool; it then keeps Stripe's descriptions. */
  toolName: string | null;
};

const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const sum = (amounts: { amount: number }[] | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

/** Stores or updates our copy of Stripe's invoice, and answers its lines; drafts are not invoices yet. */
export async function copyInvoice(db: Db, invoice: Stripe.Invoice, owner: InvoiceOwner): Promise<InvoiceLine[]> {
  if (!invoice.id || invoice.status === 'draft' || invoice.status === null) return [];
  const { toolName, ...columns } = owner;
  const lines = invoice.lines.data.map((line) => lineOf(line, toolName, discountLabels(invoice)));
  await upsertInvoice(db, {
    ...columns,
    stripeInvoiceId: invoice.id,
    number: invoice.number,
    status: invoice.status,
    description: descriptionOf(invoice, toolName ?? lines[0]?.description ?? 'Invoice'),
    totalCents: invoice.total,
    gstCents: sum(invoice.total_taxes),
    amountPaidCents: invoice.amount_paid,
    dueCents: invoice.status === 'open' ? invoice.amount_remaining : 0,
    lines,
    ...(!(await isCopied(db, invoice.id)) && { buyer: await buyerOf(db, payerOf(owner)) }),
    issuedAt: at(invoice.status_transitions.finalized_at) ?? new Date(invoice.created * 1000),
    paidAt: at(invoice.status_transitions.paid_at),
  });
  return lines;
}

function descriptionOf(invoice: Pick<Stripe.Invoice, 'billing_reason' | 'total'>, name: string): string {
  if (invoice.billing_reason === 'subscription_update') return `${name}, change of members`;
  return invoice.billing_reason === 'subscription_create' && invoice.total === 0 ? `${name}, no charge` : name;
}

/** What the invoice's discounts are called, by their ids. */
const discountLabels = ({ discounts }: Stripe.Invoice): ReadonlyMap<string, string> =>
  new Map(
    discounts.flatMap((discount) =>
      typeof discount === 'string' || discount.deleted
        ? []
        : [[discount.id, couponName(idOf(discount.source.coupon) ?? '')]],
    ),
  );

/** A line as our invoice prints it: the tool and the period, in place of Stripe's "1 × Name (at $30.00 / month)". */
function lineOf(
  line: Stripe.InvoiceLineItem,
  toolName: string | null,
  labels: ReadonlyMap<string, string>,
): InvoiceLine {
  const details = line.parent?.subscription_item_details ?? null;
  const { quantity, amount, period } = line;
  const dates = `${formatSydneyDate(new Date(period.start * 1000))} to ${formatSydneyDate(new Date(period.end * 1000))}`;
  const own = details?.proration
    ? `${toolName}: ${prorationLabel({ quantity, period, amount })}`
    : `${toolName}, ${dates}`;
  const discounts = (line.discount_amounts ?? [])
    .filter((one) => one.amount > 0)
    .map((one) => ({ label: labels.get(idOf(one.discount) ?? '') ?? 'Discount', cents: one.amount }));
  return {
    description: toolName === null ? (line.description ?? 'Invoice') : own,
    quantity: quantity ?? 1,
    cents: amount,
    ...(discounts.length > 0 && { discounts }),
    gstCents: sum(line.taxes),
  };
}
