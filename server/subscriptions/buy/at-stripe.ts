import type Stripe from 'stripe';
import { sydneyDate } from '#shared/rules/dates.ts';
import { plusDays } from '#shared/rules/billing/part-month.ts';
import { payerOf } from '#server/payers/service.ts';
import {
  createBillSubscription,
  createInvoice,
  endStripeSubscription,
  findInvoice,
  findStripeSubscription,
  idOf,
  isOver,
  periodOf,
  type StripeLine,
  voidInvoice,
} from '#server/stripe/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { linesFor, withTerms } from '../bill/mirror.ts';
import type { BillRecord } from '../bill/queries-bills.ts';
import { termsOf } from '../bill/terms.ts';
import { partText } from '../bill/words.ts';
import { slotsOf, toBillRow } from '../queries.ts';

/** What an attempt's bill has once Stripe has made its invoice. */
type Made = { values: Partial<BillRecord> & { stripeInvoiceId: string }; invoice: Stripe.Invoice };

/** Makes what the attempt asks for, or finds what an earlier call under the same key made. */
export const makeAtStripe = (context: Context, bill: BillRecord): Promise<Made> =>
  bill.kind === 'first' ? makeFirst(context, bill) : makePart(context, bill);

/** What the invoice charges, and what the customer's balance took off. */
const totalsOf = ({ amount_due: totalCents, total }: Stripe.Invoice) => ({
  totalCents,
  creditCents: total - totalCents,
});

/** The amounts of a new subscription. Where all its tools cost nothing at first, one keeps its price, which the mirror takes off. */
function firstLines({ lines }: BillRecord): StripeLine[] {
  const charged = linesFor(lines);
  return charged.length > 0 ? charged : lines.slice(0, 1).map((line) => ({ ...line, cents: line.baseCents }));
}

/**
 * The payer's subscription: its first invoice waits for payment, or its first month begins at `startsAt`. Rows on trial may change before
 * a call is repeated, which has to say the same: their terms are the mirror's.
 */
export async function makeSubscription(context: Context, bill: BillRecord, startsAt: Date | null) {
  const payer = payerOf(bill);
  const rows = startsAt ? [] : (await slotsOf(context.db, payer)).map((row) => toBillRow(row));
  const lines = withTerms(firstLines(bill), termsOf(rows));
  return createBillSubscription(context, { payer, billId: bill.id, attempt: bill.attempt, lines, startsAt });
}

/** Months are counted from Stripe's moment, which may be another day than ours a second before. */
async function makeFirst(context: Context, bill: BillRecord): Promise<Made> {
  const subscription = await makeSubscription(context, bill, null);
  const { start, end } = periodOf(subscription);
  const invoice = await findInvoice(context, idOf(subscription.latest_invoice)!);
  if (!invoice) throw new Error(`Stripe has no first invoice of ${subscription.id}`);
  const dates = { from: sydneyDate(start), to: plusDays(sydneyDate(end), -1) };
  const lines = bill.lines.map((line) => ({ ...line, ...dates }));
  const ids = { stripeSubscriptionId: subscription.id, stripeInvoiceId: invoice.id };
  return { values: { ...ids, at: start, until: end, lines, ...totalsOf(invoice) }, invoice };
}

async function makePart(context: Context, bill: BillRecord): Promise<Made> {
  const items = bill.parts.map((part) => {
    const { cents, toolId, from, to } = part;
    return { key: `part:${bill.id}`, cents, toolId, from, to, description: partText(part) };
  });
  const order = { payer: payerOf(bill), billId: bill.id, attempt: bill.attempt, items, collect: false };
  const invoice = await createInvoice(context, order);
  return { values: { stripeInvoiceId: invoice.id, ...totalsOf(invoice) }, invoice };
}

type Asked = Pick<BillRecord, 'kind' | 'stripeSubscriptionId'> & { stripeInvoiceId: string | null };

/** Makes sure that nobody can pay the attempt any more; false where it is paid. */
export async function voidAtStripe(context: Context, { kind, stripeSubscriptionId, stripeInvoiceId }: Asked) {
  if (stripeInvoiceId && !(await voidInvoice(context, stripeInvoiceId))) {
    const invoice = await findInvoice(context, stripeInvoiceId);
    if (invoice?.status === 'paid') return false;
    // A payment is being processed: whether it goes through is known in a moment.
    if (invoice?.status === 'open') throw new AppError('conflict');
  }
  if (kind !== 'tool' && stripeSubscriptionId) await endIfRunning(context, stripeSubscriptionId);
  return true;
}

async function endIfRunning(context: Context, id: string): Promise<void> {
  const subscription = await findStripeSubscription(context, id);
  if (subscription && !isOver(subscription)) await endStripeSubscription(context, id);
}
