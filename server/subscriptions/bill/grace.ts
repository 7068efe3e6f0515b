import type Stripe from 'stripe';
import type { Charge, Confirmation } from '#shared/api/charge.ts';
import { billOf, goOnAfter } from '#shared/rules/billing/bill.ts';
import type { BillLine } from '#shared/rules/billing/bill-types.ts';
import { billKeyOf, copyInvoice } from '#server/invoices/service.ts';
import { lockPayer, onFile, type Payer, payerFor, payerOf } from '#server/payers/service.ts';
import { creditOpenInvoice } from '#server/stripe/credit-notes.ts';
import {
  confirmationOf,
  findInvoice,
  isProcessing,
  nothingToConfirm,
  payInvoice,
  stopInvoice,
  switchCollection,
} from '#server/stripe/invoices.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/data/database.ts';
import { agreedCharge, refuseDisallowed } from '../buy/agreed.ts';
import { purchaseRows } from '../buy/order.ts';
import { changeRow, expired, goingOn, hangsOn, rowsOn } from '../effects.ts';
import { joinFirst } from '../join/join.ts';
import type { SlotRow, SubscriptionRow } from '../queries.ts';
import { tellExpired } from '../tell/events.ts';
import { advanceNow, endBillAtStripe } from './advance.ts';
import {
  type BillRecord,
  closeAdjustments,
  findBill,
  openBillsOf,
  unpaidBillsOf,
  updateBill,
} from './queries-bills.ts';
import { type BillReading, readBill } from './read.ts';
import { settleBill } from './settle.ts';

type Request = { teamId?: string | undefined; charge?: Charge | undefined };

/** `POST /api/billing/pay`: pays what is owed with the card on file, as the button said. */
export async function payBill(context: Context, actor: ActorRow, { teamId, charge }: Request): Promise<Confirmation> {
  const payer = await payerFor(context, actor, teamId);
  await joinFirst(context, payer);
  return retryOnConflict(() => payOwed(context, actor, payer, charge));
}

/** Pays all that was not paid, or buys as one first bill what is in grace since free access ended. Null where something changed. */
export async function payOwed(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const reading = await advanceNow(context, payer);
  const bills = await unpaidBills(context, payer);
  const rows = reading.slots.filter(({ status }) => status === 'grace_period');
  if (bills.length + rows.length === 0) throw new AppError('nothing_to_pay');
  const tools = bills.length > 0 ? bills.flatMap(({ lines }) => lines) : rows;
  for (const { toolId } of tools) await refuseDisallowed(context, actor, toolId);
  return bills.length > 0 ? payInvoices(context, payer, bills, charge) : purchaseRows(context, reading, charge);
}

/** The payer's bills in grace, as Stripe has them. */
export async function unpaidBills(context: Context, payer: Payer): Promise<BillRecord[]> {
  for (const { id, status } of await openBillsOf(context.db, payer))
    if (status !== 'draft') await settleBill(context, id);
  return unpaidBillsOf(context.db, payer);
}

/** The bill that a tool in grace hangs on. */
export const unpaidBillOf = async (context: Context, payer: Payer, row: SubscriptionRow): Promise<BillRecord | null> =>
  (await unpaidBills(context, payer)).find((bill) => hangsOn(bill)(row)) ?? null;

async function payInvoices(
  context: Context,
  payer: Payer,
  bills: readonly BillRecord[],
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const invoices: Stripe.Invoice[] = [];
  for (const { stripeInvoiceId } of bills) {
    const invoice = await findInvoice(context, stripeInvoiceId!);
    if (invoice?.status !== 'open') return null;
    if (isProcessing(invoice)) throw new AppError('payment_processing');
    invoices.push(invoice);
  }
  const cents = invoices.reduce((sum, { amount_remaining: due }) => sum + due, 0);
  const { isPress, card } = await agreedCharge(context, payer, charge, () => ({ cents }));
  let confirmation = nothingToConfirm;
  for (const [index, { id }] of invoices.entries()) {
    if (isPress && card) await payInvoice(context, id, card);
    await settleBill(context, bills[index]!.id);
    const after = await findInvoice(context, id);
    if (after?.status === 'open' && confirmation.intent === 'none') confirmation = confirmationOf(after);
  }
  return confirmation;
}

/** What is over with a bill that is void: the payer's own bill, a subscription at Stripe. */
type Over = { isPayers: boolean; bill: boolean; subscription: string | null };

/** A month of the payer's bill ends it, unless other tools go on; what an older release sold ends with its own subscription. */
function overWith(bill: BillRecord, { input, facts }: BillReading, gone: readonly { id: string }[]): Over {
  const { kind, stripeSubscriptionId } = bill;
  const isPayers = kind === 'month' && stripeSubscriptionId === facts.stripeSubscriptionId && facts.nextBillAt !== null;
  if (!isPayers) return { isPayers, bill: false, subscription: kind === 'old' ? stripeSubscriptionId : null };
  const rows = input.rows.filter((row) => !gone.some(({ id }) => id === row.id));
  const left = { ...input, rows, adjustments: [] };
  const goesOn = goOnAfter(left, billOf(left, facts.nextBillAt!));
  return { isPayers, bill: !goesOn, subscription: goesOn ? null : stripeSubscriptionId };
}

/**
 * Notes that the bill's grace is over, before its invoice is voided: a void invoice whose grace runs was forgiven, and its tools go on.
 * Null where the bill has changed since it was read.
 */
const endGrace = async (context: Context, bill: BillRecord): Promise<BillRecord | null> =>
  bill.status === 'unpaid' && bill.graceEnd && bill.graceEnd <= context.now()
    ? bill
    : updateBill(context.db, bill, { status: 'unpaid', graceEnd: context.now() });

/**
 * Ends a bill that was not paid in time: its invoice is voided and its tools expire; nothing is owed. Each step finds what the one before
 * has done. Where it was paid after all, or a payment is under way, it is settled instead.
 */
export async function expireGrace(context: Context, read: BillRecord): Promise<void> {
  const payer = payerOf(read);
  const [bill, reading] = [await endGrace(context, read), await readBill(context, payer)];
  if (!bill?.stripeInvoiceId) return;
  const over = overWith(bill, reading, reading.slots.filter(hangsOn(bill)));
  if (!(await stopInvoice(context, bill.stripeInvoiceId))) return settleBill(context, bill.id);
  await endBillAtStripe(context, payer, over.subscription);
  const invoice = await findInvoice(context, bill.stripeInvoiceId);
  await inTransaction(context, async (inside, tx) => {
    const rows = await rowsOn(tx, bill);
    const ended = await voidBill(inside, bill, over, rows);
    if (!ended) return;
    if (invoice) await copyInvoice(tx, invoice, ended);
    const gone: SlotRow[] = [];
    for (const row of rows) {
      const after = await orRefuse(changeRow(inside, row, expired(bill.graceEnd!)), 'conflict');
      gone.push({ ...row, ...after });
    }
    await tellExpired(inside, gone, { unpaid: ended });
  });
}

/**
 * Writes that the bill will never be charged, nor what waits for the rows that are gone: those are days that nobody paid for. Null where
 * that is written already, or it was paid.
 */
async function voidBill(
  inside: Context,
  { id, ...bill }: BillRecord,
  { isPayers, bill: endsBill }: Over,
  gone: readonly SubscriptionRow[],
): Promise<BillRecord | null> {
  const payer = payerOf(bill);
  await lockPayer(inside.db, payer);
  const current = await findBill(inside.db, id);
  if (current?.status !== 'unpaid') return null;
  if (isPayers) await closeAdjustments(inside.db, payer, endsBill ? null : gone);
  if (endsBill) await onFile.storeBill(inside.db, payer, null);
  return updateBill(inside.db, current, { status: 'void', problem: null });
}

/** Writes what a cancellation in grace has done at Stripe, beside the row's; false where the bill has changed meanwhile. */
type WriteCredit = (inside: Context) => Promise<boolean>;

/**
 * Takes the coming month of a tool off a bill in grace, at Stripe: its line is credited, or where it is the last one, the invoice is
 * voided. Null where the bill has changed meanwhile. 409 while a payment is processed.
 */
export async function creditLine(
  context: Context,
  bill: BillRecord,
  row: SlotRow,
  reading: BillReading,
): Promise<WriteCredit | null> {
  const line = bill.lines.find(({ subscriptionId }) => subscriptionId === row.id);
  // Its trial ended in the grace.
  if (!line) return () => Promise.resolve(true);
  const invoice = await findInvoice(context, bill.stripeInvoiceId!);
  if (invoice?.status !== 'open') return null;
  if (isProcessing(invoice)) throw new AppError('payment_processing');
  if (bill.lines.length > 1) {
    const credit = { cents: line.cents, key: `cancelled:${bill.id}:${row.id}`, memo: `${row.toolName}, cancelled` };
    const isOfRow = (one: Stripe.InvoiceLineItem) => billKeyOf(one).key === `line:${row.toolId}`;
    const isCredited = line.cents === 0 || (await creditOpenInvoice(context, invoice, credit, isOfRow));
    return isCredited ? (inside) => removeLine(inside, bill, line) : null;
  }
  const over = overWith(bill, reading, [row]);
  const ending = await endGrace(context, bill);
  if (!ending) return null;
  if (!(await stopInvoice(context, invoice.id))) {
    await updateBill(context.db, ending, { graceEnd: bill.graceEnd });
    await switchCollection(context, invoice.id, true);
    return null;
  }
  await endBillAtStripe(context, reading.payer, over.subscription);
  return (inside) => writeVoid(inside, ending, over, row);
}

async function removeLine(inside: Context, bill: BillRecord, line: BillLine): Promise<boolean> {
  const less = (cents: number) => Math.max(0, cents - line.cents);
  const after = await updateBill(inside.db, bill, {
    lines: bill.lines.filter((one) => one !== line),
    totalCents: less(bill.totalCents),
    gstCents: bill.gstCents - line.gstCents,
    problem: bill.problem && { ...bill.problem, dueCents: less(bill.problem.dueCents) },
  });
  return after !== null;
}

/** What joined the grace since owes nothing yet, and goes on. */
async function writeVoid(inside: Context, bill: BillRecord, over: Over, cancelled: { id: string }): Promise<boolean> {
  if (!(await voidBill(inside, bill, over, []))) return false;
  for (const row of await rowsOn(inside.db, bill))
    if (row.id !== cancelled.id && row.status === 'grace_period') await changeRow(inside, row, goingOn(bill.until));
  return true;
}
