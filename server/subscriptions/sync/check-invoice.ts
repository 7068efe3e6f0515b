import type Stripe from 'stripe';
import { isFreeAt } from '#shared/rules/free-months.ts';
import { percentOf } from '#shared/rules/money.ts';
import { findInvoice } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { SubscriptionRow } from '../queries.ts';

type Invoice = Pick<Stripe.Invoice, 'billing_reason'> & { lines: { data: Stripe.InvoiceLineItem[] } };
type Row = Pick<SubscriptionRow, 'purchase' | 'monthlyCents' | 'quantity' | 'teamId' | 'freeMonths'>;

/** What an invoice should charge: the subscription itself in cents; beside it prorations, where members come and go. */
export type ExpectedInvoice = { monthCents: number; prorations: boolean };

const isProration = ({ parent }: Stripe.InvoiceLineItem) => parent?.subscription_item_details?.proration === true;

/** The same price for another number of members: one that joins while a renewal is a draft is not on it yet. */
const monthFor = ({ purchase, monthlyCents, quantity }: Row, charged: number) =>
  purchase === null || charged === quantity
    ? monthlyCents
    : purchase.coupons.reduce((left, { percent }) => left - percentOf(left, percent), purchase.unitCents * charged);

/** What an invoice should charge by what the row says; null where we have no figure of our own. */
export function expectedInvoice({ billing_reason: reason, lines }: Invoice, row: Row): ExpectedInvoice | null {
  const own = lines.data.find((line) => !isProration(line));
  const prorations = row.teamId !== null;
  if (reason === 'subscription_create' && row.purchase)
    return { monthCents: row.purchase.trialDays === null ? row.purchase.totalCents : 0, prorations };
  if (reason !== 'subscription_cycle') return null;
  // The row may have the price of the month after it by now.
  if (own && isFreeAt(row.freeMonths, new Date(own.period.start * 1000))) return { monthCents: 0, prorations };
  // What waited for a renewal that never came is charged by itself.
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

/** The job behind an invoice that differs: it fails, so that an administrator hears of it. */
export async function checkInvoice(
  context: Context,
  { invoice: id, ...expected }: ExpectedInvoice & { invoice: string },
): Promise<void> {
  const invoice = await findInvoice(context, id);
  const fault = invoice && invoiceFault(invoice, expected);
  if (fault) throw new Error(`Invoice ${id}: ${fault}`);
}
