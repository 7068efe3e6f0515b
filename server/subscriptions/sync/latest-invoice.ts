import type Stripe from 'stripe';
import { toolName } from '#server/catalogue/service.ts';
import { copyInvoice, findInvoiceStatus } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Payment } from '../notices/status-change.ts';
import type { SubscriptionRow } from '../queries.ts';
import { expectedInvoice, invoiceFault } from './check-invoice.ts';
import { queueReprice } from './effects.ts';

/** The latest invoice, once it is no draft and the subscription has begun. */
function writtenInvoiceOf({ status, latest_invoice: invoice }: Stripe.Subscription) {
  if (!invoice || typeof invoice === 'string' || invoice.status === 'draft') return null;
  return status === 'incomplete' || status === 'incomplete_expired' ? null : invoice;
}

/** Whether Stripe has written an invoice that nobody has read yet: it is checked by the price that the row has till then. */
export async function hasUnreadInvoice({ db }: Context, stripeSubscription: Stripe.Subscription): Promise<boolean> {
  const invoice = writtenInvoiceOf(stripeSubscription);
  return invoice !== null && (await findInvoiceStatus(db, invoice.id)) === null;
}

/** Copies the latest invoice; answers its payment where it has just been paid. */
export async function copyLatestInvoice(
  context: Context,
  row: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
): Promise<Payment | null> {
  const invoice = writtenInvoiceOf(stripeSubscription);
  if (!invoice) return null;
  const known = await findInvoiceStatus(context.db, invoice.id);
  const expected = known === null ? expectedInvoice(invoice, row) : null;
  if (expected && (invoice.lines.has_more || invoiceFault(invoice, expected)))
    await context.queue.send(context.db, 'check-invoice', { invoice: invoice.id, ...expected });
  const lines = await copyInvoice(context.db, invoice, {
    userId: row.userId,
    teamId: row.teamId,
    subscriptionId: row.id,
    toolName: await toolName(context.db, row.toolId),
  });
  // As long as a renewal was a draft, the row had its price; now the one after it counts.
  if (known !== invoice.status) await queueReprice(context, payerOf(row));
  if (invoice.status !== 'paid' || known === 'paid' || invoice.total === 0) return null;
  return {
    invoiceId: invoice.id,
    cents: invoice.amount_paid,
    renewal: invoice.billing_reason === 'subscription_cycle',
    afterTrial: invoice.lines.data.some(({ period }) => period.start * 1000 === row.trialEndDate?.getTime()),
    lines,
  };
}
