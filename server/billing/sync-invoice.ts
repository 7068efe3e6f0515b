import type Stripe from 'stripe';
import { copyInvoice, findInvoiceByStripeId, type InvoiceOwner, type InvoiceRow } from '#server/invoices/service.ts';
import { columnsOf, findPayerOfCustomer } from '#server/payers/service.ts';
import { findInvoice, idOf } from '#server/stripe/service.ts';
import { findRowOfInvoice } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

/** Brings our copy of an invoice to what Stripe has; null where it is not ours, or not issued yet. */
export async function syncInvoice(context: Context, id: string): Promise<InvoiceRow | null> {
  const invoice = await findInvoice(context, id);
  if (!invoice) return null;
  const owner = await findOwner(context, invoice);
  if (!owner) return null;
  await copyInvoice(context.db, invoice, owner);
  return findInvoiceByStripeId(context.db, id);
}

/** The payer of its subscription, else of its customer. An unconfirmed purchase bills nobody yet. */
async function findOwner(context: Context, invoice: Stripe.Invoice): Promise<InvoiceOwner | null> {
  const subscription = idOf(invoice.parent?.subscription_details?.subscription);
  if (subscription) {
    const row = await findRowOfInvoice(context.db, subscription);
    if (!row || row.status === 'incomplete') return null;
    const { userId, teamId, subscriptionId, toolName } = row;
    return { userId, teamId, subscriptionId, toolName };
  }
  const customer = idOf(invoice.customer);
  const payer = customer ? await findPayerOfCustomer(context.db, customer) : null;
  return payer && { ...columnsOf(payer), subscriptionId: null, toolName: null };
}
