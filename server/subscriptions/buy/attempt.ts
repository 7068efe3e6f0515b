import type Stripe from 'stripe';
import type { Confirmation } from '#shared/api/charge.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { lockPayer, onFile, type Payer, payerOf, requirePayerFacts } from '#server/payers/service.ts';
import { idOf, isRefusal, isReusedKey, unlessRefused } from '#server/stripe/ask.ts';
import {
  createBillSubscription,
  endStripeSubscription,
  findStripeSubscription,
  isOver,
  periodOf,
  type StripeLine,
} from '#server/stripe/bill-subscription.ts';
import { confirmationOf, createInvoice, findInvoice, payInvoice, voidInvoice } from '#server/stripe/invoices.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { advance, keepPart } from '../bill/advance.ts';
import { itemFor, linesFor, termsOf, withTerms } from '../bill/mirror.ts';
import {
  type BillRecord,
  deleteAttempt,
  findAttempt,
  findBill,
  insertBill,
  rowIdsOf,
  updateBill,
} from '../bill/queries-bills.ts';
import type { BillReading } from '../bill/read.ts';
import { followInvoice, settleBill, startRow } from '../bill/settle.ts';
import { deleteRow, findSubscription, slotsOf, type SubscriptionRow, toBillRow } from '../queries.ts';
import { tellStarted } from '../tell/events.ts';
import { type Agreed, keepTypedCard, refuseUnpaid } from './agreed.ts';
import { isDeferred, type Order, type Sale } from './quote.ts';

/** An attempt is a purchase under way: a bill that waits for its payer. Each payer has one at most. */

/** What an attempt charges for, without ids: two that say the same are the same purchase. */
export const askedBy = ({ kind, lines, parts }: Pick<BillRecord, 'kind' | 'lines' | 'parts'>): string =>
  JSON.stringify([
    kind,
    lines.map(({ toolId, quantity, unitCents, discounts, cents, from }) => [
      toolId,
      quantity,
      unitCents,
      discounts.map(({ label, cents: off }) => [label, off]),
      cents,
      from,
    ]),
    parts.map(({ toolId, from, to, cents }) => [toolId, from, to, cents]),
  ]);

/** What was read, with the credit that Stripe has. */
export const withCredit = (reading: BillReading, creditCents: number): BillReading => ({
  ...reading,
  input: { ...reading.input, payer: { ...reading.input.payer, creditCents } },
});

/** Writes the rows of an order, as they are until it is paid; null where one has changed or its slot is taken. */
export type WriteRows = (inside: Context, order: Order, reading: BillReading) => Promise<SubscriptionRow[] | null>;

export type Wanted = {
  /** The payer's bill, brought to now. */
  reading: BillReading;
  sale: Sale;
  write: WriteRows;
  /** Rows in grace are bought again, since nothing else pays for them. */
  paysGrace?: boolean;
};

/**
 * Writes down what will be asked of Stripe, before it is asked. What is too little to charge begins at once instead. Null where
 * another purchase is under way, or where it would be another one by now than what the payer agreed to, or was shown.
 */
export const claim = (
  context: Context,
  { reading: { payer }, sale, write, paysGrace = false }: Wanted,
  { asked, creditCents }: { asked: string; creditCents: number },
): Promise<BillRecord | 'begun' | null> =>
  inTransaction(context, async (inside, tx) => {
    const reading = await advance(inside, payer);
    if (await findAttempt(tx, payer)) return null;
    if (!paysGrace) await refuseUnpaid(inside, reading);
    const order = sale(withCredit(reading, creditCents));
    if (askedBy(order.bill) !== asked) return null;
    const rows = await write(inside, order, reading);
    if (!rows) return null;
    const { stripeSubscriptionId } = reading.facts;
    const bill = { ...order.bill, stripeSubscriptionId };
    if (!isDeferred(bill)) {
      const more = { kind: bill.kind, status: 'attempt', stripeSubscriptionId, createdAt: context.now() } as const;
      return orRefuse(insertBill(tx, payer, bill, more), 'conflict');
    }
    for (const part of bill.parts)
      if (part.cents > 0) await keepPart(inside, payer, { ...part, cause: 'below_minimum' }, bill.until);
    for (const { id } of rows) await tellStarted(inside, await startRow(inside, id, bill));
    return 'begun';
  });

/** The invoice of an attempt, made or found again under its key, and what its bill has once there is one. */
type Made = { values: Partial<BillRecord> & { stripeInvoiceId: string }; invoice: Stripe.Invoice };

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
  const items = bill.parts.map((part) => itemFor(`part:${bill.id}`, part));
  const order = { payer: payerOf(bill), billId: bill.id, attempt: bill.attempt, items, collect: false };
  const invoice = await createInvoice(context, order);
  return { values: { stripeInvoiceId: invoice.id, ...totalsOf(invoice) }, invoice };
}

/** Makes sure that nobody can pay the attempt any more; false where it is paid. */
async function voidAtStripe(context: Context, { kind, stripeSubscriptionId, stripeInvoiceId }: BillRecord) {
  if (stripeInvoiceId && !(await voidInvoice(context, stripeInvoiceId))) {
    const invoice = await findInvoice(context, stripeInvoiceId);
    if (invoice?.status === 'paid') return false;
    // A payment is being processed: whether it goes through is known in a moment.
    if (invoice?.status === 'open') throw new AppError('conflict');
  }
  if (kind === 'tool' || !stripeSubscriptionId) return true;
  const subscription = await findStripeSubscription(context, stripeSubscriptionId);
  if (subscription && !isOver(subscription)) await endStripeSubscription(context, stripeSubscriptionId);
  return true;
}

type Opened = { bill: BillRecord; invoice: Stripe.Invoice | null };

/**
 * The attempt with its invoice, which is made where it has none yet. A refusal ends the attempt. Null where it was withdrawn
 * meanwhile, or where its key was used for something else and a further one is needed.
 */
async function openAtStripe(context: Context, bill: BillRecord): Promise<Opened | null> {
  if (bill.stripeInvoiceId) return { bill, invoice: await findInvoice(context, bill.stripeInvoiceId) };
  try {
    const { values, invoice } = await (bill.kind === 'first' ? makeFirst : makePart)(context, bill);
    const written = await updateBill(context.db, bill, values);
    if (written) return { bill: written, invoice };
    const current = await findBill(context.db, bill.id);
    if (current?.stripeInvoiceId === invoice.id) return { bill: current, invoice };
    await voidAtStripe(context, { ...bill, ...values });
    return null;
  } catch (error) {
    if (isRefusal(error)) await endAttempt(context, bill);
    if (!isReusedKey(error)) throw error;
    await updateBill(context.db, bill, { attempt: bill.attempt + 1 });
    return null;
  }
}

/** What the browser still has to confirm; `started` once it is paid, or needs no payment now. */
export type Bought = { confirmation: Confirmation; started: boolean };

/** Goes on with an attempt: finds or makes its invoice, and charges the card if agreed. Null where another takes its place. */
export async function continueAttempt(
  context: Context,
  attempt: BillRecord,
  due: Agreed | null = null,
): Promise<Bought | null> {
  const opened = await openAtStripe(context, attempt);
  if (!opened) return null;
  const { bill } = opened;
  let { invoice } = opened;
  if (invoice?.status === 'open' && due?.isPress) {
    // The invoice may hold credit that the press did not count on, or lack it.
    if (invoice.amount_remaining !== due.cents || !due.card) return withdrawAttempt(context, bill).then(() => null);
    await payInvoice(context, invoice.id, due.card);
    invoice = await findInvoice(context, invoice.id);
  }
  if (invoice?.status === 'paid') {
    // The receipt names the card.
    if (!due?.isPress) await keepTypedCard(context, payerOf(bill));
    await followInvoice(context, bill, invoice, () => Promise.resolve());
  } else if (invoice?.status !== 'open') return endAttempt(context, bill).then(() => null);
  const current = await findBill(context.db, bill.id);
  return current && { confirmation: confirmationOf(invoice), started: current.status === 'paid' };
}

/** Withdraws an attempt at Stripe and here, so that another can follow; false where it is paid, and then completed. */
export async function withdrawAttempt(context: Context, attempt: BillRecord): Promise<boolean> {
  if (attempt.kind === 'month') return withdrawBegin(context, attempt);
  const opened = await unlessRefused(openAtStripe(context, attempt));
  if (!opened) return (await findBill(context.db, attempt.id))?.status !== 'paid';
  const { bill, invoice } = opened;
  if (!(await voidAtStripe(context, { ...bill, stripeInvoiceId: invoice && bill.stripeInvoiceId }))) {
    await keepTypedCard(context, payerOf(bill));
    await settleBill(context, bill.id);
    return false;
  }
  await endAttempt(context, bill);
  return true;
}

/** Ends what a call for a bill that begins with a trial's end may have made, also where another process has just stored it. */
async function withdrawBegin(context: Context, attempt: BillRecord): Promise<boolean> {
  const payer = payerOf(attempt);
  // Refused where its beginning has passed, and nothing was made.
  const made = await unlessRefused(makeSubscription(context, attempt, attempt.at));
  if (made) {
    await endStripeSubscription(context, made.id);
    await transaction(context.db, async (tx) => {
      await lockPayer(tx, payer);
      const { stripeSubscriptionId } = await requirePayerFacts(tx, payer);
      if (stripeSubscriptionId === made.id) await onFile.storeBill(tx, payer, null);
    });
  }
  await endAttempt(context, attempt);
  return true;
}

/** Ends the attempt here, with the rows that were to begin with it. */
export const endAttempt = (context: Context, attempt: BillRecord): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf(attempt));
    const bill = await findBill(tx, attempt.id);
    if (bill?.status !== 'attempt') return;
    if (bill.kind === 'month') return deleteAttempt(tx, bill.id);
    await updateBill(tx, bill, { status: 'void' });
    for (const rowId of rowIdsOf(bill)) {
      const row = await findSubscription(tx, rowId);
      if (row?.status === 'incomplete') await deleteRow(tx, row);
    }
  });

/** Withdraws a purchase that was begun until then, so that nobody pays for somebody else's. */
export async function withdrawPurchases(context: Context, payer: Payer, until: Date): Promise<void> {
  const open = await findAttempt(context.db, payer);
  if (open && open.createdAt <= until) await withdrawAttempt(context, open);
}
