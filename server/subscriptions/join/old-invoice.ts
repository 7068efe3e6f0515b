import type Stripe from 'stripe';
import type { BillDiscount, BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { daysOf } from '#shared/rules/billing/part-month.ts';
import type { DiscountKind } from '#shared/rules/billing/pricing.ts';
import type { OldPurchase } from '#shared/schema/subscriptions.ts';
import { toolName as nameOf } from '#server/catalogue/service.ts';
import { findInvoiceByStripeId } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { findInvoice } from '#server/stripe/invoices.ts';
import { hasBegunToJoin } from '#server/stripe/queries.ts';
import type { Context } from '#server/platform/context.ts';
import { findBillByInvoice, insertBill } from '../bill/queries-bills.ts';
import type { SubscriptionRow } from '../queries.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const sum = (amounts: readonly { amount: number }[] | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

/** A change of members within a month, as the older release had Stripe charge it. */
export const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration === true || parent?.invoice_item_details?.proration === true;

/** What the invoice charges for the month itself; null where it charges only changes of members. */
export const monthLineOf = ({ lines }: Stripe.Invoice) => lines.data.find((line) => !isProration(line)) ?? null;

/** After its discounts. */
export const centsOf = (line: Stripe.InvoiceLineItem) => line.amount - sum(line.discount_amounts);

const daysIn = ({ period }: Stripe.InvoiceLineItem) => {
  const [start, end] = [at(period.start), at(period.end)];
  return { from: sydneyDate(start), to: plusDays(sydneyDate(end), -1), days: daysOf(start, end) };
};

/** What the coupons' ids begin with. */
const kinds: Record<string, DiscountKind> = {
  FREE: 'free',
  GIFT: 'free_month',
  PARTNER: 'partner',
  BULK: 'bulk',
  TEAM: 'team',
  WB: 'win_back',
  CODE: 'code',
};

function discountsOf(line: Stripe.InvoiceLineItem, { coupons = [] }: OldPurchase): BillDiscount[] {
  const taken = (line.discount_amounts ?? []).filter(({ amount }) => amount > 0);
  return taken.map(({ amount: cents }, index) => {
    const { id = '', name: label = 'Discount', percent = 0 } = coupons[index] ?? {};
    const [, kind = 'bulk'] = Object.entries(kinds).find(([prefix]) => id.startsWith(prefix)) ?? [];
    return { kind, label, percent, cents, endsAt: null };
  });
}

type Of = { row: SubscriptionRow & { purchase: OldPurchase }; toolName: string };

function lineOf(line: Stripe.InvoiceLineItem, { row, toolName }: Of): BillLine {
  const quantity = line.quantity ?? 1;
  const { days: _days, ...dates } = daysIn(line);
  return {
    subscriptionId: row.id,
    toolId: row.toolId,
    toolName,
    quantity,
    baseCents: line.amount,
    unitCents: Math.round(line.amount / Math.max(1, quantity)),
    discounts: discountsOf(line, row.purchase),
    cents: centsOf(line),
    gstCents: sum(line.taxes),
    ...dates,
  };
}

function partOf(line: Stripe.InvoiceLineItem, { row, toolName }: Of): BillPart {
  const { days, ...dates } = daysIn(line);
  const person = `${line.quantity} ${line.quantity === 1 ? 'member' : 'members'}`;
  return {
    id: null,
    cause: 'join_one_bill',
    subscriptionId: row.id,
    toolId: row.toolId,
    toolName,
    person,
    ...dates,
    days: line.amount < 0 ? -days : days,
    cents: centsOf(line),
    gstCents: sum(line.taxes),
  };
}

/**
 * The bill of an invoice that an old subscription has made since join-one-bill began, so that receipt, grace and mails are the usual ones;
 * null where there is none.
 */
export async function billOfOldInvoice(
  context: Context,
  row: SubscriptionRow & { purchase: OldPurchase; stripeSubscriptionId: string },
  { status }: Stripe.Subscription,
  id: string,
): Promise<{ id: string; isNew: boolean } | null> {
  const { db } = context;
  if (status === 'incomplete' || status === 'incomplete_expired') return null;
  const known = await findBillByInvoice(db, id);
  if (known || !(await hasBegunToJoin(db))) return known && { id: known.id, isNew: false };
  if (['paid', 'void'].includes((await findInvoiceByStripeId(db, id))?.status ?? '')) return null;
  const invoice = await findInvoice(context, id);
  if (!invoice || invoice.total === 0 || (invoice.status !== 'open' && invoice.status !== 'paid')) return null;
  const of = { row, toolName: await nameOf(db, row.toolId) };
  const month = monthLineOf(invoice);
  const charged = {
    at: at(month?.period.start ?? invoice.created),
    until: at(month?.period.end ?? invoice.created),
    lines: invoice.lines.data.flatMap((line) => (isProration(line) ? [] : [lineOf(line, of)])),
    parts: invoice.lines.data.flatMap((line) => (isProration(line) ? [partOf(line, of)] : [])),
    totalCents: invoice.amount_due,
    creditCents: invoice.total - invoice.amount_due,
    gstCents: sum(invoice.total_taxes),
  };
  const written = await insertBill(db, payerOf(row), charged, {
    kind: 'old',
    status: 'issued',
    stripeSubscriptionId: row.stripeSubscriptionId,
    stripeInvoiceId: id,
    createdAt: context.now(),
  });
  // Another process may have written it.
  return { id: written?.id ?? '', isNew: written !== null };
}
