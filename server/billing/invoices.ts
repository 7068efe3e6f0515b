import type Stripe from 'stripe';
import type { Db } from '#server/platform/database.ts';
import { upsertInvoice } from './queries.ts';

export type InvoiceOwner = { userId: string | null; teamId: string | null; subscriptionId: string; toolName: string };

const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);

/** Keeps our copy of the provider's invoice (decisions §6); drafts are not yet invoices. */
export async function copyInvoice(db: Db, invoice: Stripe.Invoice, owner: InvoiceOwner): Promise<void> {
  if (!invoice.id || invoice.status === 'draft' || invoice.status === null) return;
  const { toolName, ...payer } = owner;
  await upsertInvoice(db, {
    ...payer,
    stripeInvoiceId: invoice.id,
    number: invoice.number,
    status: invoice.status,
    description: toolName,
    totalCents: invoice.total,
    gstCents: (invoice.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0),
    amountPaidCents: invoice.amount_paid,
    lines: invoice.lines.data.map((line) => ({
      description: line.description ?? toolName,
      quantity: line.quantity ?? 1,
      cents: line.amount,
    })),
    issuedAt: at(invoice.status_transitions.finalized_at) ?? new Date(invoice.created * 1000),
    paidAt: at(invoice.status_transitions.paid_at),
  });
}
