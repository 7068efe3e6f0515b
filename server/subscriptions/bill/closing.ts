import type Stripe from 'stripe';
import { billedFrom, partFrom, totalled } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { lockPayer, onFile, type Payer, requirePayerFacts } from '#server/payers/service.ts';
import { endStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { refund } from '#server/stripe/credit-notes.ts';
import { deleteInvoiceItem, pendingItems } from '#server/stripe/invoice-items.ts';
import { findInvoice, switchCollection, voidDraft, voidInvoice } from '#server/stripe/invoices.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { changeRow } from '../effects.ts';
import { toBillRow } from '../queries.ts';
import { tellAutoRenew } from '../tell/events.ts';
import { billAdjustment, type BillRecord, insertBill, newestBills, stored, unpaidBillsOf } from './queries-bills.ts';
import { type BillReading, readBill } from './read.ts';

/** Fixes a bill, and has a job follow its invoice. What waits is on it with the sums of its parts. */
export async function issueBill(
  inside: Context,
  { payer, facts: { stripeSubscriptionId } }: BillReading,
  kind: 'month' | 'closing',
  bill: Bill,
): Promise<BillRecord> {
  const written = await insertBill(inside.db, payer, { kind, status: 'draft', ...stored(bill), stripeSubscriptionId });
  if (!written) throw new Error(`a second bill of ${bill.at.toISOString()}`);
  for (const { id, cents } of bill.parts) if (id) await billAdjustment(inside.db, id, written.id, cents);
  await inside.queue.send(inside.db, 'settle-bill', { billId: written.id });
  return written;
}

/**
 * Ends the payer's bill with a last one: all that still waits, and no month of any tool. Null where nothing waits. What it comes to is
 * charged, or paid back; too little to charge is written off.
 */
export async function closeBill(inside: Context, reading: BillReading, at = inside.now()): Promise<BillRecord | null> {
  const { payer, facts, waiting } = reading;
  await onFile.storeBill(inside.db, payer, null);
  if (waiting.length === 0) return null;
  const parts = waiting.map(partFrom);
  const last = totalled({ at, until: at, lines: [], parts }, facts.creditCents);
  return issueBill(inside, reading, 'closing', { ...last, parts });
}

/** How many of the payer's newest bills may give a credit back. */
const newest = 24;

/**
 * Pays back what a closing bill comes to below zero, from the payer's newest paid invoices; what can't be fails the job, so that an
 * administrator hears of it. It may be repeated.
 */
export async function refundClosing(context: Context, payer: Payer, { id, parts }: BillRecord): Promise<void> {
  let left = -parts.reduce((sum, { cents }) => sum + cents, 0);
  if (left <= 0) return;
  for (const { status, stripeInvoiceId } of await newestBills(context.db, payer, newest)) {
    if (left === 0) return;
    if (status !== 'paid' || stripeInvoiceId === null) continue;
    const memo = 'Days that were paid for and not used';
    const credit = { cents: left, key: `closing:${id}`, memo };
    left -= await refund(context, stripeInvoiceId, credit, { part: true });
  }
  if (left > 0) throw new Error(`${left} cents of the closing bill ${id} can't be paid back`);
}

/**
 * Somebody ended the payer's subscription in Stripe's dashboard: what is paid stays open until its end and does not renew, and a last
 * bill has what still waits. Where grace.ts has ended it, this does nothing: the bill that was not paid says so.
 */
export const billEndedAtStripe = (context: Context, payer: Payer, { id }: Stripe.Subscription): Promise<void> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockPayer(tx, payer);
    const reading = await readBill(inside, payer);
    if (reading.facts.stripeSubscriptionId !== id) return;
    if ((await unpaidBillsOf(tx, payer)).some(({ graceEnd }) => graceEnd && graceEnd <= inside.now())) return;
    const { facts, slots } = reading;
    for (const row of slots) {
      const from = row.status === 'grace_period' ? row.endDate : billedFrom(toBillRow(row), facts);
      const isLater = row.status === 'trial' && from !== null && from > facts.nextBillAt!;
      if (!row.autoRenew || !from || isLater || row.purchase !== null) continue;
      const after = await changeRow(inside, row, { autoRenew: false });
      if (!after) throw new Error(`the subscription ${row.id} changed under its payer's lock`);
      await tellAutoRenew(inside, after);
    }
    await closeBill(inside, reading);
  });

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
