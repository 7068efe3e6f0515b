import { partFrom, totalled } from '#shared/rules/billing/bill.ts';
import { noBill, type Payer, storeBillState } from '#server/payers/service.ts';
import { refund } from '#server/stripe/credit-notes.ts';
import type { Context } from '#server/platform/context.ts';
import { billAdjustment, type BillRecord, insertBill, newestBills } from './queries-bills.ts';
import type { BillReading } from './read.ts';

const sumOf = (parts: readonly { cents: number }[]) => parts.reduce((sum, { cents }) => sum + cents, 0);

/**
 * Ends the payer's bill with a last one: all that still waits, and no month of any tool. Null where nothing waits. What it comes to is
 * charged, or paid back; too little to charge is written off.
 */
export async function closeBill(
  inside: Context,
  { payer, facts, waiting }: BillReading,
  at = inside.now(),
): Promise<BillRecord | null> {
  await storeBillState(inside.db, payer, noBill);
  if (waiting.length === 0) return null;
  const parts = waiting.map(partFrom);
  const { totalCents, creditCents, gstCents } = totalled({ at, until: at, lines: [], parts }, facts.creditCents);
  const bill = await insertBill(inside.db, payer, {
    kind: 'closing',
    status: 'draft',
    at,
    until: at,
    lines: [],
    parts,
    totalCents,
    creditCents,
    gstCents,
    stripeSubscriptionId: facts.stripeSubscriptionId,
  });
  if (!bill) throw new Error(`a second bill of ${at.toISOString()}`);
  for (const { id, cents } of waiting) await billAdjustment(inside.db, id, bill.id, cents);
  await inside.queue.send(inside.db, 'settle-bill', { billId: bill.id });
  return bill;
}

/** How many of the payer's newest bills may give a credit back. */
const newest = 24;

/**
 * Pays back what a closing bill comes to below zero, from the payer's newest paid invoices; what can't be fails the job, so that an
 * administrator hears of it. It may be repeated.
 */
export async function refundClosing(context: Context, payer: Payer, { id, parts }: BillRecord): Promise<void> {
  let left = -sumOf(parts);
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
