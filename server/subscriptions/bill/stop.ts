import { type Payer, requirePayerFacts } from '#server/payers/service.ts';
import { endStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { deleteInvoiceItem, pendingItems } from '#server/stripe/invoice-items.ts';
import { findInvoice, switchCollection, voidDraft, voidInvoice } from '#server/stripe/invoices.ts';
import type { Context } from '#server/platform/context.ts';

/** Makes sure that an invoice is never charged; false where it was paid, or a payment of it is under way. */
export async function stopInvoice(context: Context, id: string): Promise<boolean> {
  const status = (await findInvoice(context, id))?.status;
  if (status === 'paid') return false;
  if (status !== 'open' && status !== 'draft') return true;
  await switchCollection(context, id, false);
  return status === 'draft' ? voidDraft(context, id) : voidInvoice(context, id);
}

/** Ends the payer's subscription at Stripe at once, with all that waits for its next invoice. It may be repeated. */
export async function endBillAtStripe(context: Context, payer: Payer, subscription: string | null): Promise<void> {
  if (subscription === null) return;
  const { stripeCustomerId: customer } = await requirePayerFacts(context.db, payer);
  await endStripeSubscription(context, subscription);
  const waiting = customer === null ? [] : await pendingItems(context, customer, subscription);
  for (const { id } of waiting) await deleteInvoiceItem(context, id);
}
