import type Stripe from 'stripe';
import {
  billedFrom,
  billOf,
  goOnAfter,
  isOnBill,
  partFrom,
  partUntil,
  priceAt,
  quantityOf,
  totalled,
} from '#shared/rules/billing/bill.ts';
import type { Bill, BillPart } from '#shared/rules/billing/bill-types.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { daysOf } from '#shared/rules/billing/part-month.ts';
import { lockPayer, onFile, type Payer, requirePayerFacts } from '#server/payers/service.ts';
import { endStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { deleteInvoiceItem, pendingItems } from '#server/stripe/invoices.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { changeRow, goingOn, inGrace } from '../effects.ts';
import { type SlotRow, toBillRow } from '../queries.ts';
import { billAdjustment, type BillRecord, insertAdjustment, insertBill, unpaidBillsOf } from './queries-bills.ts';
import { type BillReading, readBill } from './read.ts';
import { tellAutoRenew } from '../tell/changed.ts';

/**
 * Brings a payer's bill to now, from rows and clock alone: a bill whose instant has come is fixed, and what began before the bill
 * joins it. Everything that changes a payer's subscriptions begins with this, in its own transaction.
 */
export async function advance(inside: Context, payer: Payer): Promise<BillReading> {
  await lockPayer(inside.db, payer);
  for (;;) {
    const reading = await readBill(inside, payer);
    const { nextBillAt } = reading.facts;
    if (nextBillAt === null) return reading;
    const now = inside.now();
    const joined = await joinBill(inside, reading, nextBillAt < now ? nextBillAt : now);
    if (joined) continue;
    if (nextBillAt > now) return reading;
    await fixBill(inside, reading, nextBillAt);
  }
}

/** Does the same in a transaction of its own. */
export const advanceNow = (context: Context, payer: Payer): Promise<BillReading> =>
  transaction(context.db, (tx) => advance(within(context, tx), payer));

/** Trials and old periods that ended before the bill join it: their days until then wait as adjustments. */
async function joinBill(inside: Context, { payer, facts, slots, input }: BillReading, until: Date): Promise<boolean> {
  const next = facts.nextBillAt!;
  const start = plusMonths(next, -1, facts.billingDay);
  // What begins while a bill is unpaid is in grace with it.
  const unpaid = (await unpaidBillsOf(inside.db, payer)).find(({ kind }) => kind !== 'old');
  let joined = false;
  for (const row of input.rows) {
    const from = billedFrom(row, facts);
    if (!from || from > until || daysOf(from, next) <= 0) continue;
    joined = true;
    const part = partUntil(row, input, next, start);
    if (part && part.cents !== 0) await keepPart(inside, payer, part, next);
    const before = slots.find(({ id }) => id === row.id)!;
    await changeRow(inside, before, {
      ...(unpaid ? inGrace(unpaid, from) : { status: 'active' as const, endDate: next }),
      periodStart: from,
      monthlyCents: priceAt(row, input, from).totalCents,
      quantity: quantityOf(facts, row),
      stripeSubscriptionId: facts.stripeSubscriptionId,
      purchase: null,
    });
  }
  return joined;
}

/** Writes a part of a month down, for the next bill. */
export const keepPart = (inside: Context, payer: Payer, part: BillPart, periodEnd: Date) => {
  if (part.cause === 'purchase') throw new Error('a purchase has an invoice of its own');
  const { id: _none, gstCents: _gst, cause, ...adjustment } = part;
  return insertAdjustment(inside.db, payer, { ...adjustment, cause, periodEnd, createdAt: inside.now() });
};

/** Fixes the bill of that instant: what happens later is for the next one. */
async function fixBill(inside: Context, reading: BillReading, at: Date): Promise<void> {
  const { payer, facts, slots, input } = reading;
  const bill = billOf({ ...input, now: at }, at);
  if (!goOnAfter(input, bill)) return void (await closeBill(inside, reading, at));
  if (bill.lines.length > 0 || bill.parts.length > 0) {
    await issueBill(inside, reading, 'month', bill);
    await keepRests(inside, reading, bill);
  }
  for (const line of bill.lines) {
    const row = slots.find(({ id }) => id === line.subscriptionId)!;
    await changeRow(inside, row, {
      ...goingOn(bill.until),
      periodStart: at,
      monthlyCents: line.cents,
      quantity: line.quantity,
      stripeSubscriptionId: facts.stripeSubscriptionId,
      purchase: null,
      ...(offerIsOver(row, bill) && { winBack: null }),
    });
  }
  await onFile.storeBill(inside.db, payer, { nextBillAt: bill.until });
}

const offerIsOver = ({ winBack }: SlotRow, { until }: Bill) =>
  winBack?.endsAt != null && new Date(winBack.endsAt) <= until;

/** What the bill could not take of a credit waits for the one after it. */
async function keepRests(inside: Context, { payer, waiting }: BillReading, { parts }: Bill): Promise<void> {
  for (const { id, ...whole } of waiting) {
    const part = parts.find((one) => one.id === id);
    const cents = part ? whole.cents - part.cents : 0;
    if (cents !== 0)
      await insertAdjustment(inside.db, payer, { ...whole, periodEnd: inside.now(), cents, splitOf: id });
  }
}

/** Fixes a bill, and has a job follow its invoice. What waits is on it with the sums of its parts. */
export async function issueBill(
  inside: Context,
  { payer, facts: { stripeSubscriptionId } }: BillReading,
  kind: 'month' | 'closing',
  bill: Bill,
): Promise<BillRecord> {
  const written = await insertBill(inside.db, payer, bill, { kind, status: 'draft', stripeSubscriptionId });
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

/**
 * Somebody ended the payer's subscription in Stripe's dashboard: what is paid stays open until its end and does not renew, and a last
 * bill has what still waits. Where grace.ts has ended it, this does nothing: the bill that was not paid says so.
 */
export const billEndedAtStripe = (context: Context, payer: Payer, { id }: Stripe.Subscription): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    const reading = await readBill(inside, payer);
    if (reading.facts.stripeSubscriptionId !== id) return;
    if ((await unpaidBillsOf(tx, payer)).some(({ graceEnd }) => graceEnd && graceEnd <= inside.now())) return;
    const { facts, slots } = reading;
    for (const row of slots) {
      const from = row.status === 'grace_period' ? row.endDate : billedFrom(toBillRow(row), facts);
      const isLater = row.status === 'trial' && !isOnBill(toBillRow(row), facts, facts.nextBillAt!);
      if (!row.autoRenew || !from || isLater || row.purchase !== null) continue;
      const after = await changeRow(inside, row, { autoRenew: false });
      if (!after) throw new Error(`the subscription ${row.id} changed under its payer's lock`);
      await tellAutoRenew(inside, after);
    }
    await closeBill(inside, reading);
  });

/** Ends the payer's subscription at Stripe at once, with all that waits for its next invoice. It may be repeated. */
export async function endBillAtStripe(context: Context, payer: Payer, subscription: string | null): Promise<void> {
  if (subscription === null) return;
  const { stripeCustomerId: customer } = await requirePayerFacts(context.db, payer);
  await endStripeSubscription(context, subscription);
  const waiting = customer === null ? [] : await pendingItems(context, customer, subscription);
  for (const { id } of waiting) await deleteInvoiceItem(context, id);
}
