import type Stripe from 'stripe';
import type { Charge, Confirmation } from '#shared/api/charge.ts';
import { billOf, goOnAfter } from '#shared/rules/billing/bill.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { copyInvoice } from '#server/invoices/service.ts';
import {
  findPayerFacts,
  lockPayer,
  noBill,
  type Payer,
  payerFor,
  payerOf,
  storeBillState,
  toolRulesFor,
} from '#server/payers/service.ts';
import { creditOpenInvoice } from '#server/stripe/credit-notes.ts';
import {
  confirmationOf,
  findInvoice,
  isProcessing,
  lineKey,
  nothingToConfirm,
  payInvoice,
  switchCollection,
} from '#server/stripe/invoices.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/data/database.ts';
import { agreedCharge, refuseDisallowed } from '../buy/agreed.ts';
import { purchaseRows } from '../buy/order.ts';
import { changeRow } from '../effects.ts';
import { expired } from '../expire.ts';
import { joinFirst } from '../join/join.ts';
import { type SlotRow, slotsOf, type SubscriptionRow } from '../queries.ts';
import { tellExpired } from '../tell/events.ts';
import { advanceNow } from './advance.ts';
import { type BillRecord, closeAdjustments, findBill, openBillsOf, updateBill } from './queries-bills.ts';
import { type BillReading, readBill } from './read.ts';
import { settleBill } from './settle.ts';
import { endBillAtStripe, stopInvoice } from './stop.ts';
import { goingOn } from './unpaid.ts';

type Request = { teamId?: string | undefined; charge?: Charge | undefined };

/** `POST /api/billing/pay`: pays what is owed with the card on file, as the button said. */
export async function payBill(context: Context, actor: ActorRow, { teamId, charge }: Request): Promise<Confirmation> {
  const payer = await payerFor(context, actor, teamId);
  await joinFirst(context, payer);
  return retryOnConflict(() => payOwed(context, actor, payer, charge));
}

/**
 * Pays what was not paid, whole; or where free access ended, buys what is in grace as one first bill. Null where something has changed
 * meanwhile.
 */
export async function payOwed(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const reading = await advanceNow(context, payer);
  const bills = await unpaidBills(context, payer);
  const rows = (reading?.slots ?? []).filter(({ status }) => status === 'grace_period');
  if (bills.length + rows.length === 0) throw new AppError('nothing_to_pay');
  const tools = bills.length > 0 ? bills.flatMap(({ lines }) => lines) : rows;
  for (const { toolId } of tools) await refuseDisallowed(context, actor, toolId);
  return bills.length > 0 ? payInvoices(context, payer, bills, charge) : purchaseRows(context, payer, rows, charge);
}

/** The payer's bills in grace, as Stripe has them: one, and while an older release's are paid off, one of those too. */
export async function unpaidBills(context: Context, payer: Payer): Promise<BillRecord[]> {
  for (const { id, status } of await openBillsOf(context.db, payer))
    if (status !== 'draft') await settleBill(context, id);
  return (await openBillsOf(context.db, payer)).filter(({ status }) => status === 'unpaid');
}

/** What a new card pays by itself: no bill with a tool that the practice of the person who pays doesn't allow. */
export async function billsForNewCard(context: Context, payer: Payer): Promise<BillRecord[]> {
  const facts = await findPayerFacts(context.db, payer);
  const rules = facts ? await toolRulesFor(context.db, facts.contactId) : [];
  return (await openBillsOf(context.db, payer)).filter(
    ({ status, lines }) => status === 'unpaid' && lines.every(({ toolId }) => toolRefusal(rules, toolId) === null),
  );
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

/** Tools that hang on this bill: they go on if it is paid, and expire if it isn't. */
const hangsOn =
  ({ lines, stripeInvoiceId }: BillRecord) =>
  ({ id, paymentProblem }: SubscriptionRow) =>
    lines.some(({ subscriptionId }) => subscriptionId === id) || paymentProblem?.invoiceId === stripeInvoiceId;

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
  if (!bill?.stripeInvoiceId || !reading) return;
  const over = overWith(bill, reading, reading.slots.filter(hangsOn(bill)));
  if (!(await stopInvoice(context, bill.stripeInvoiceId))) return settleBill(context, bill.id);
  await endBillAtStripe(context, payer, over.subscription);
  const invoice = await findInvoice(context, bill.stripeInvoiceId);
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const ended = await voidBill(inside, bill);
    if (!ended) return;
    if (invoice) await copyInvoice(tx, invoice, ended);
    const rows: SlotRow[] = [];
    for (const row of (await slotsOf(tx, payer)).filter(hangsOn(bill))) {
      const after = await changeRow(inside, row, expired(bill.graceEnd!));
      if (!after) throw new AppError('conflict');
      rows.push({ ...row, ...after });
    }
    // What waits for these tools is of days that nobody paid for.
    if (over.isPayers) await closeAdjustments(tx, payer, over.bill ? null : rows);
    if (over.bill) await storeBillState(tx, payer, noBill);
    await tellExpired(inside, rows, { unpaid: ended });
  });
}

/** Writes that the bill will never be charged; null where that is written already, or it was paid. */
async function voidBill(inside: Context, { id, ...bill }: BillRecord): Promise<BillRecord | null> {
  await lockPayer(inside.db, payerOf(bill));
  const current = await findBill(inside.db, id);
  return current?.status === 'unpaid' ? updateBill(inside.db, current, { status: 'void', problem: null }) : null;
}

/** What a cancellation in grace has done at Stripe. */
export type Credited = {
  bill: BillRecord;
  /** Whether its line was credited, or the invoice voided; `joined`: it has no line, since its trial ended in the grace. */
  done: 'credited' | 'voided' | 'joined';
  over: Over;
};

/**
 * Takes the coming month of a tool off a bill in grace, at Stripe: its line is credited, or where it is the last one, the invoice is
 * voided. Null where the bill has changed meanwhile. 409 while a payment is processed.
 */
export async function creditLine(
  context: Context,
  bill: BillRecord,
  row: SlotRow,
  reading: BillReading,
): Promise<Credited | null> {
  const line = bill.lines.find(({ subscriptionId }) => subscriptionId === row.id);
  const over = overWith(bill, reading, [row]);
  if (!line) return { bill, done: 'joined', over };
  const invoice = await findInvoice(context, bill.stripeInvoiceId!);
  if (invoice?.status !== 'open') return null;
  if (isProcessing(invoice)) throw new AppError('payment_processing');
  if (bill.lines.length > 1) {
    const credit = { cents: line.cents, key: `cancelled:${bill.id}:${row.id}`, memo: `${row.toolName}, cancelled` };
    const keys = [`line:${row.toolId}`, `mend:line:${row.toolId}`];
    const isOfRow = (one: Stripe.InvoiceLineItem) => keys.includes(lineKey(one).key ?? `line:${lineKey(one).toolId}`);
    const isCredited = line.cents === 0 || (await creditOpenInvoice(context, invoice, credit, isOfRow));
    return isCredited ? { bill, done: 'credited', over } : null;
  }
  const ending = await endGrace(context, bill);
  if (!ending) return null;
  if (!(await stopInvoice(context, invoice.id))) {
    await updateBill(context.db, ending, { graceEnd: bill.graceEnd });
    await switchCollection(context, invoice.id, true);
    return null;
  }
  await endBillAtStripe(context, reading.payer, over.subscription);
  return { bill: ending, done: 'voided', over };
}

/** Writes what `creditLine` has done, beside the row's cancellation; false where the bill has changed meanwhile. */
export async function writeCredit(inside: Context, { bill, done, over }: Credited, rowId: string): Promise<boolean> {
  if (done === 'joined') return true;
  if (done === 'credited') return removeLine(inside, bill, rowId);
  const payer = payerOf(bill);
  if (!(await voidBill(inside, bill))) return false;
  // What joined the grace since owes nothing yet, and goes on.
  for (const row of (await slotsOf(inside.db, payer)).filter(hangsOn(bill))) {
    if (row.id === rowId || row.status !== 'grace_period') continue;
    await changeRow(inside, row, goingOn(bill.until));
  }
  if (!over.bill) return true;
  await closeAdjustments(inside.db, payer);
  await storeBillState(inside.db, payer, noBill);
  return true;
}

async function removeLine(inside: Context, bill: BillRecord, rowId: string): Promise<boolean> {
  const line = bill.lines.find(({ subscriptionId }) => subscriptionId === rowId)!;
  const less = (cents: number) => Math.max(0, cents - line.cents);
  const after = await updateBill(inside.db, bill, {
    lines: bill.lines.filter((one) => one !== line),
    totalCents: less(bill.totalCents),
    gstCents: bill.gstCents - line.gstCents,
    problem: bill.problem && { ...bill.problem, dueCents: less(bill.problem.dueCents) },
  });
  return after !== null;
}

/** No grace is longer, so that two bills are never open at once. */
export const longestGrace = 21 * day;

/** Whether the bill is in a grace that is over. */
export const isGraceOver = ({ status, graceEnd, at }: BillRecord, now: Date): boolean =>
  status === 'unpaid' && ((graceEnd !== null && graceEnd <= now) || plus(at, longestGrace) <= now);
