import type Stripe from 'stripe';
import { lessPercents } from '#shared/rules/money.ts';
import { isFreeAt } from '#shared/rules/pricing.ts';
import { toolName } from '#server/catalogue/service.ts';
import { copyInvoice, findInvoiceStatus } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { findInvoice } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Payment } from '../notices/sentences.ts';
import type { SubscriptionRow } from '../queries.ts';
import { queueReprice } from './effects.ts';

type Invoice = Pick<Stripe.Invoice, 'billing_reason'> & { lines: { data: Stripe.InvoiceLineItem[] } };
type Row = Pick<SubscriptionRow, 'purchase' | 'monthlyCents' | 'quantity' | 'teamId' | 'freeMonths'>;

/** What an invoice should charge: the subscription itself in cents, and whether prorations may stand beside it (a team's). */
export type ExpectedInvoice = { monthCents: number; prorations: boolean };

const isProration = ({ parent }: Stripe.InvoiceLineItem) => parent?.subscription_item_details?.proration === true;

/** The price for the members on the invoice: one who joins while a renewal is a draft is not on it yet. */
const monthFor = ({ purchase, monthlyCents, quantity }: Row, charged: number) =>
  purchase === null || charged === quantity
    ? monthlyCents
    : lessPercents(purchase.unitCents * charged, purchase.coupons);

/** What an invoice should charge by what the row says; null where we have no figure of our own. */
export function expectedInvoice({ billing_reason: reason, lines }: Invoice, row: Row): ExpectedInvoice | null {
  const own = lines.data.find((line) => !isProration(line));
  const prorations = row.teamId !== null;
  if (reason === 'subscription_create' && row.purchase)
    return { monthCents: row.purchase.trialDays === null ? row.purchase.totalCents : 0, prorations };
  if (reason !== 'subscription_cycle') return null;
  // By now the row may have the price of the month after it.
  if (own && isFreeAt(row.freeMonths, new Date(own.period.start * 1000))) return { monthCents: 0, prorations };
  // Prorations that waited for a renewal that never came are charged by themselves.
  return { monthCents: own ? monthFor(row, own.quantity ?? row.quantity) : 0, prorations };
}

/** How the invoice differs from what it should charge, in words for the administrator; null where it does not. */
export function invoiceFault({ lines }: Invoice, { monthCents, prorations }: ExpectedInvoice): string | null {
  const cents = (of: Stripe.InvoiceLineItem[]) =>
    of.reduce(
      (sum, line) => (line.discount_amounts ?? []).reduce((net, off) => net - off.amount, sum + line.amount),
      0,
    );
  const month = cents(lines.data.filter((line) => !isProration(line)));
  const prorated = cents(lines.data.filter(isProration));
  if (month !== monthCents) return `Stripe bills ${month} cents for the subscription, and we quoted ${monthCents}`;
  return prorated !== 0 && !prorations ? `Stripe bills a proration of ${prorated} cents that nobody ordered` : null;
}

/** The latest invoice, once it is no longer a draft and the subscription has begun. */
function writtenInvoiceOf({ status, latest_invoice: invoice }: Stripe.Subscription) {
  if (!invoice || typeof invoice === 'string' || invoice.status === 'draft') return null;
  return status === 'incomplete' || status === 'incomplete_expired' ? null : invoice;
}

/** Whether Stripe has written an invoice that we have not read yet; until it is read, the row keeps the price to check it by. */
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
  // While the renewal was a draft, the row had its price; now the invoice after it counts.
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

/** The job behind an invoice that differs: it fails, so that an administrator hears of it. */
export async function checkInvoice(
  context: Context,
  { invoice: id, ...expected }: ExpectedInvoice & { invoice: string },
): Promise<void> {
  const invoice = await findInvoice(context, id);
  const fault = invoice && invoiceFault(invoice, expected);
  if (fault) throw new Error(`Invoice ${id}: ${fault}`);
}
