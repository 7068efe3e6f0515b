import type Stripe from 'stripe';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { Db } from '#server/platform/database.ts';
import { payerOf } from './payer.ts';
import { buyerOf } from './queries-buyer.ts';
import { invoiceExists, upsertInvoice } from './queries-invoices.ts';

export type InvoiceOwner = {
  userId: string | null;
  teamId: string | null;
  subscriptionId: string | null;
  /** Null where the invoice is for no tool: it then speaks for itself. */
  toolName: string | null;
};

const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const sum = (amounts: { amount: number }[] | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

/** Keeps our copy of the provider's invoice (decisions §6); drafts are not yet invoices. */
export async function copyInvoice(db: Db, invoice: Stripe.Invoice, owner: InvoiceOwner): Promise<void> {
  if (!invoice.id || invoice.status === 'draft' || invoice.status === null) return;
  const { toolName, ...columns } = owner;
  const lines = invoice.lines.data.map((line) => lineOf(line, toolName));
  await upsertInvoice(db, {
    ...columns,
    stripeInvoiceId: invoice.id,
    number: invoice.number,
    status: invoice.status,
    description: describe(invoice, toolName ?? lines[0]?.description ?? 'Invoice'),
    totalCents: invoice.total,
    gstCents: sum(invoice.total_taxes),
    amountPaidCents: invoice.amount_paid,
    dueCents: invoice.status === 'open' ? invoice.amount_remaining : 0,
    lines,
    ...(!(await invoiceExists(db, invoice.id)) && { buyer: await buyerOf(db, payerOf(owner)) }),
    issuedAt: at(invoice.status_transitions.finalized_at) ?? new Date(invoice.created * 1000),
    paidAt: at(invoice.status_transitions.paid_at),
  });
}

function describe(invoice: Pick<Stripe.Invoice, 'billing_reason' | 'total'>, name: string): string {
  if (invoice.billing_reason === 'subscription_update') return `${name}, change of members`;
  return invoice.billing_reason === 'subscription_create' && invoice.total === 0 ? `${name}, no charge` : name;
}

/** A line as our invoice prints it: what for and when, in place of the provider's "1 × Name (at $30.00 / month)". */
function lineOf(line: Stripe.InvoiceLineItem, toolName: string | null): InvoiceLine {
  const details = line.parent?.subscription_item_details ?? null;
  const discountCents = sum(line.discount_amounts);
  const ownWords = details?.proration === true || toolName === null;
  const period = `${formatSydneyDate(new Date(line.period.start * 1000))} to ${formatSydneyDate(new Date(line.period.end * 1000))}`;
  return {
    description: ownWords ? (line.description ?? toolName ?? 'Invoice') : `${toolName}, ${period}`,
    quantity: line.quantity ?? 1,
    cents: line.amount,
    ...(discountCents > 0 && { discountCents }),
  };
}
