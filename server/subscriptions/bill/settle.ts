import type Stripe from 'stripe';
import { day, plus } from '#shared/rules/dates.ts';
import { graceMs } from '#shared/rules/billing/subscriptions.ts';
import { sumCents } from '#shared/rules/billing/money.ts';
import { billKeyOf, copyInvoice } from '#server/invoices/service.ts';
import { lockPayer, onFile, type Payer, payerOf, requirePayerFacts } from '#server/payers/service.ts';
import { refund } from '#server/stripe/credit-notes.ts';
import {
  addToDraft,
  createInvoice,
  findInvoice,
  findMonthInvoice,
  isProcessing,
  problemOf,
  stopInvoice,
  switchCollection,
} from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { changeRow, goingOn, hangsOn, inGrace, queueMirror, rowsOn } from '../effects.ts';
import { findSubscription, notCancelled, slotsOf, type SubscriptionRow } from '../queries.ts';
import { keepTypedCard } from '../buy/agreed.ts';
import { takenFrom } from '../buy/quote.ts';
import { tellForgiven, tellPaid, tellUnpaid } from '../tell/events.ts';
import { keepPart } from './advance.ts';
import { itemsFor, linesFor } from './mirror.ts';
import {
  type BillRecord,
  closeAdjustments,
  findBill,
  findBillByInvoice,
  newestBills,
  rowIdsOf,
  touchBill,
  updateBill,
} from './queries-bills.ts';

/** Work in the same transaction as the write, such as marking one of Stripe's events. */
export type AlsoWrite = (tx: Db) => Promise<void>;

/** Brings one bill to what Stripe has: held against its draft, issued, paid or unpaid. It may run at any time and twice. */
export async function settleBill(
  context: Context,
  billId: string,
  also: AlsoWrite = async () => undefined,
): Promise<void> {
  const bill = await findBill(context.db, billId);
  if (!bill) return;
  await touchBill(context.db, bill.id, context.now());
  const ready = bill.status === 'draft' ? await holdAgainstDraft(context, bill) : bill;
  if (!ready?.stripeInvoiceId) return transaction(context.db, also);
  const invoice = await findInvoice(context, ready.stripeInvoiceId);
  if (ready.status === 'attempt' && invoice?.status === 'paid') await keepTypedCard(context, payerOf(ready));
  if (invoice) await followInvoice(context, ready, invoice, also);
}

/** Does it for the bill of an invoice; false where it is none of ours. */
export async function settleInvoice(context: Context, stripeInvoiceId: string, also: AlsoWrite): Promise<boolean> {
  const bill = await findBillByInvoice(context.db, stripeInvoiceId);
  if (bill) await settleBill(context, bill.id, also);
  return bill !== null;
}

/** Stripe's invoice of a fixed bill, once it says the same; null while there is none. */
async function holdAgainstDraft(context: Context, bill: BillRecord): Promise<BillRecord | null> {
  const payer = payerOf(bill);
  if (bill.kind === 'closing') return issueClosing(context, payer, bill);
  const id =
    bill.stripeInvoiceId ??
    (bill.stripeSubscriptionId && (await findMonthInvoice(context, bill.stripeSubscriptionId, bill.at)));
  if (!id) {
    if (plus(bill.at, day) < context.now()) throw new Error(`Stripe has no invoice for the bill ${bill.id}`);
    return null;
  }
  const invoice = await findInvoice(context, id);
  if (!invoice) return null;
  if (invoice.status === 'draft') {
    const { chargesPaused } = await requirePayerFacts(context.db, payer);
    if (chargesPaused) await stopInvoice(context, id);
    else await mendDraft(context, bill, invoice);
  }
  const late = invoice.status === 'draft' ? [] : differencesOf(bill, invoice);
  return inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    const issued = await updateBill(tx, bill, { status: 'issued', stripeInvoiceId: id });
    if (issued) for (const difference of late) await correct(inside, payer, issued, difference);
    return issued;
  });
}

/** What Stripe charged too much or too little before we saw its draft is made good on the next bill. */
async function correct(inside: Context, payer: Payer, bill: BillRecord, [key, difference]: Difference): Promise<void> {
  const { cents, toolId } = difference;
  const { from, to, toolName } = originOf(bill, key, toolId);
  const of = { toolId, toolName: toolName || 'Correction', subscriptionId: null, person: null, from, to, days: 0 };
  await keepPart(inside, payer, { ...of, id: null, cause: 'correction', cents, gstCents: 0 }, bill.until);
  inside.log.error({ bill: bill.id, key, cents }, 'Stripe issued a bill before it was held against ours');
}

type Difference = [key: string, missing: { cents: number; toolId: string }];

/** By key, how an invoice differs from the bill: what is missing on it, in cents. */
function differencesOf({ lines, parts }: BillRecord, invoice: Stripe.Invoice): Difference[] {
  const missing = new Map<string, Difference[1]>();
  const add = (key: string, toolId: string, cents: number) =>
    missing.set(key, { toolId, cents: (missing.get(key)?.cents ?? 0) + cents });
  for (const { toolId, cents } of linesFor(lines)) add(`line:${toolId}`, toolId, cents);
  for (const { key, toolId, cents } of itemsFor({ parts })) add(key, toolId, cents);
  for (const line of invoice.lines.data) {
    const { key, toolId } = billKeyOf(line);
    add(key, toolId, -line.amount);
  }
  return [...missing].filter(([, { cents }]) => cents !== 0);
}

/** Makes a draft what the bill says, with one amount for each difference, while it is not collected. */
async function mendDraft(context: Context, bill: BillRecord, invoice: Stripe.Invoice): Promise<void> {
  const differences = differencesOf(bill, invoice);
  if (differences.length === 0) {
    if (invoice.auto_advance === false) await switchCollection(context, invoice.id, true);
    return;
  }
  await switchCollection(context, invoice.id, false);
  for (const [key, { cents, toolId }] of differences) {
    const { toolName, from, to } = originOf(bill, key, toolId);
    // What somebody added at Stripe is of no tool.
    const description = toolName ? `${toolName}, correction` : 'Correction';
    await addToDraft(context, invoice, { key: `mend:${key}`, cents, toolId, from, to, description });
  }
  const mended = await findInvoice(context, invoice.id);
  if (!mended || differencesOf(bill, mended).length > 0)
    throw new Error(`The invoice ${invoice.id} can't be made the bill ${bill.id}`);
  await switchCollection(context, invoice.id, true);
}

/** The days and the tool of what has that key. */
function originOf({ lines, parts }: BillRecord, key: string, toolId: string) {
  const line = lines.find((one) => `line:${one.toolId}` === key);
  const { from, to, toolName } = line ??
    parts.find(({ id }) => id === key) ?? { ...(lines[0] ?? parts[0])!, toolName: toolId };
  return { from, to, toolName };
}

/** The last invoice: what is left when the last tool has gone. Too little is written off, a credit is paid back. */
async function issueClosing(context: Context, payer: Payer, bill: BillRecord): Promise<BillRecord | null> {
  if (bill.totalCents === 0 && bill.creditCents <= 0) {
    await refundClosing(context, payer, bill);
    return updateBill(context.db, bill, { status: 'paid' });
  }
  const items = itemsFor(bill);
  const invoice = await createInvoice(context, { payer, billId: bill.id, attempt: bill.attempt, items, collect: true });
  return updateBill(context.db, bill, { status: 'issued', stripeInvoiceId: invoice.id });
}

/** How many of the payer's newest bills may give a credit back. */
const newest = 24;

/**
 * Pays back what a closing bill comes to below zero, from the payer's newest paid invoices; what can't be fails the job, so that an
 * administrator hears of it. It may be repeated.
 */
async function refundClosing(context: Context, payer: Payer, { id, parts }: BillRecord): Promise<void> {
  let left = -sumCents(parts);
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

/** Writes what has become of a bill's invoice. */
export async function followInvoice(
  context: Context,
  bill: BillRecord,
  invoice: Stripe.Invoice,
  also: AlsoWrite,
): Promise<void> {
  await inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payerOf(bill));
    const current = await findBill(tx, bill.id);
    if (current) await write(inside, current, invoice);
    await also(tx);
  });
}

/** Paid is read from the invoice alone: with money, with credit, or nothing as told. A trial's own invoice comes to nothing. */
const isPaid = (bill: BillRecord, { status, total, amount_paid: cents }: Stripe.Invoice) =>
  status === 'paid' && (cents > 0 || total > 0 || bill.totalCents === 0);

/** What was charged in the end: credit that came after the bill was fixed has paid the rest. */
const charged = ({ totalCents, creditCents }: BillRecord, { amount_paid: cents }: Stripe.Invoice) => ({
  totalCents: cents,
  creditCents: creditCents + totalCents - cents,
});

async function write(inside: Context, bill: BillRecord, invoice: Stripe.Invoice): Promise<void> {
  const isPurchase = bill.kind === 'first' || bill.kind === 'tool';
  if (bill.status === 'void' && invoice.status !== 'paid') return;
  if (isPaid(bill, invoice)) {
    if (bill.status === 'paid') return;
    const paid = await updateBill(inside.db, bill, {
      status: 'paid',
      problem: null,
      graceEnd: null,
      ...charged(bill, invoice),
    });
    if (!paid) return;
    await copyInvoice(inside.db, invoice, paid);
    if (isPurchase) await completePurchase(inside, paid);
    else if (bill.status === 'unpaid') await recover(inside, paid);
    await tellPaid(inside, paid, { recovered: bill.status === 'unpaid', invoice });
    await queueMirror(inside, payerOf(bill));
  } else if (invoice.status === 'open' && !isPurchase) {
    await copyInvoice(inside.db, invoice, bill);
    if (invoice.attempted && !isProcessing(invoice)) await enterGrace(inside, bill, invoice);
  } else if (invoice.status === 'void' || invoice.status === 'uncollectible') {
    await copyInvoice(inside.db, invoice, bill);
    // Where its grace is over, grace.ts has voided it, and ends its tools.
    const isEnding = bill.graceEnd !== null && bill.graceEnd <= inside.now();
    if (!isPurchase && !isEnding && bill.status !== 'void') await forgive(inside, bill);
  }
}

/** Whether its trial ended since a charge was declined, of which nobody here had heard: it is in grace with that bill. */
const joinedSince = ({ periodStart: from, trialEndDate }: SubscriptionRow, declined: Date): boolean =>
  from !== null && from >= declined && from.getTime() === trialEndDate?.getTime();

/** All the bill's tools go on for seven days; the first time it is unpaid, its payer is told. */
async function enterGrace(inside: Context, bill: BillRecord, invoice: Stripe.Invoice): Promise<void> {
  const failedAt = new Date((invoice.status_transitions.finalized_at ?? invoice.created) * 1000);
  const graceEnd = bill.graceEnd ?? plus(failedAt, graceMs);
  const problem = problemOf(invoice);
  const unpaid = await updateBill(inside.db, bill, { status: 'unpaid', problem, graceEnd });
  if (!unpaid) return;
  for (const row of await slotsOf(inside.db, payerOf(bill))) {
    const from = joinedSince(row, failedAt) && bill.kind !== 'old' ? row.periodStart : hangsOn(unpaid)(row) && bill.at;
    if (from && row.status === 'active') await changeRow(inside, row, inGrace(unpaid, from));
  }
  if (bill.status !== 'unpaid') await tellUnpaid(inside, unpaid);
}

/** A bill that was paid in time: everything in grace goes on, also what joined the grace when its trial ended. */
async function recover(inside: Context, bill: BillRecord): Promise<void> {
  for (const row of await rowsOn(inside.db, bill))
    if (row.status === 'grace_period') await changeRow(inside, row, goingOn(bill.until));
}

/** Somebody voided the invoice: its month is given, with the days of who joined or left since, and the tools go on. */
async function forgive(inside: Context, bill: BillRecord): Promise<void> {
  const after = await updateBill(inside.db, bill, { status: 'void', problem: null, graceEnd: null });
  if (!after) return;
  await recover(inside, after);
  const given = after.lines.map(({ subscriptionId: id }) => ({ id }));
  await closeAdjustments(inside.db, payerOf(bill), given);
  await tellForgiven(inside, after);
}

/** What a purchase gives once it is paid: its tools, and with a first bill the payer's billing instant. In the payment's own transaction. */
async function completePurchase(inside: Context, bill: BillRecord): Promise<void> {
  const payer = payerOf(bill);
  const facts = await requirePayerFacts(inside.db, payer);
  const isFirst = bill.kind === 'first';
  const { stripeSubscriptionId } = isFirst ? bill : facts;
  if (isFirst) {
    if (facts.nextBillAt) throw new Error(`the bill ${bill.id} is paid, and its payer has another one`);
    await onFile.storeBill(inside.db, payer, { stripeSubscriptionId, billingAnchor: bill.at, nextBillAt: bill.until });
  }
  for (const id of rowIdsOf(bill)) await startRow(inside, id, { ...bill, stripeSubscriptionId });
}

type Period = Pick<BillRecord, 'kind' | 'at' | 'until' | 'stripeSubscriptionId'>;

/** A row that is paid from now until then. An offer counts its months from the first whole one. */
export async function startRow(
  inside: Context,
  id: string,
  { kind, at, until, stripeSubscriptionId }: Period,
): Promise<SubscriptionRow> {
  const row = await findSubscription(inside.db, id);
  if (!row) throw new Error(`the subscription ${id} is paid, and gone`);
  const after = await changeRow(inside, row, {
    ...goingOn(until),
    isActive: true,
    autoRenew: true,
    periodStart: at,
    stripeSubscriptionId,
    paidUntil: null,
    expiredAt: null,
    ...notCancelled,
    ...(row.status === 'incomplete' &&
      row.winBack && { winBack: takenFrom(kind === 'first' ? at : until, row.winBack) }),
  });
  if (!after) throw new AppError('conflict');
  return after;
}
