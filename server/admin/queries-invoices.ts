import { desc, eq, sql } from 'drizzle-orm';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { ofPayer, type Payer } from '#server/payers/service.ts';
import { type Db, first } from '#server/platform/database.ts';

/** A payer's newest invoices, and how much of each was refunded. */
export const newestInvoices = (db: Db, payer: Payer, limit: number) =>
  db
    .select({
      id: invoices.id,
      number: invoices.number,
      description: invoices.description,
      status: invoices.status,
      totalCents: invoices.totalCents,
      paidCents: invoices.amountPaidCents,
      dueCents: invoices.dueCents,
      issuedAt: invoices.issuedAt,
      refundedCents: sql<number>`(
        select coalesce(sum(note.total_cents), 0)::int from ${adjustmentNotes} note where note.invoice_id = invoices.id
      )`,
    })
    .from(invoices)
    .where(ofPayer(invoices, payer))
    .orderBy(desc(invoices.issuedAt), invoices.id)
    .limit(limit);

/** The id at Stripe of one of our subscriptions. */
export const stripeSubscriptionOf = async (db: Db, subscriptionId: string): Promise<string | null> =>
  (
    await first(
      db
        .select({ id: toolSubscriptions.stripeSubscriptionId })
        .from(toolSubscriptions)
        .where(eq(toolSubscriptions.id, subscriptionId)),
    )
  )?.id ?? null;
