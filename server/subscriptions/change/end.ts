import type { Charge } from '#shared/api/charge.ts';
import { isLive, overSince } from '#shared/rules/billing/subscriptions.ts';
import { lockPayer, type Payer, payerOf } from '#server/payers/service.ts';
import { endStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { findCardAndCredit } from '#server/stripe/customers.ts';
import { findMonthInvoice, payInvoice, stopInvoice } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/data/database.ts';
import { advance, advanceNow, closeBill, endBillAtStripe } from '../bill/advance.ts';
import {
  type BillRecord,
  closeAdjustments,
  findAttempt,
  findBill,
  openBillsOf,
  unpaidBillsOf,
  updateBill,
} from '../bill/queries-bills.ts';
import { type BillReading, closingNow, isUnpayable, readBill } from '../bill/read.ts';
import { settleBill } from '../bill/settle.ts';
import { agreedCharge } from '../buy/agreed.ts';
import { withCredit, withdrawPurchases } from '../buy/attempt.ts';
import { changeRow, expired } from '../effects.ts';
import { type EndedRow, tellClosed, tellExpired, tellStarted } from '../tell/events.ts';
import { isOld } from '../join/old-row.ts';
import { syncOldSubscription } from '../join/old-rows.ts';
import type { SlotRow, SubscriptionRow } from '../queries.ts';

/**
 * Ends every subscription of this payer at once, here and at Stripe. Bills that were not paid are void; what still waits is a last bill,
 * charged now or paid back. A charge has to be agreed to (409). Repeating it is safe: where Stripe is away it throws, and the next try
 * ends what is left.
 */
export async function endEverything(context: Context, payer: Payer, charge?: Charge): Promise<void> {
  await retryOnConflict(async () => {
    await withdrawPurchases(context, payer, context.now());
    const reading = await advanceNow(context, payer);
    const open = (await openBillsOf(context.db, payer)).filter(({ kind }) => kind !== 'closing');
    const isEnded = reading.slots.length + open.length === 0 && reading.facts.stripeSubscriptionId === null;
    // A webhook or a purchase may have come in between, so we look again until nothing is left.
    if (isEnded) return (await findAttempt(context.db, payer)) === null || null;
    const agreedCents = await agreedClosing(context, reading, open, charge);
    const stopped = await stopBilling(context, reading, open);
    const last = await writeEnd(context, payer, { stopped, agreedCents });
    if (last) await chargeNow(context, payer, last);
    return null;
  });
}

/** The last charge, with card and credit as Stripe has them; 409 where the payer has not agreed to it. */
async function agreedClosing(context: Context, reading: BillReading, open: BillRecord[], charge?: Charge) {
  const centsWith = ({ input }: BillReading) => closingNow(input, open).totalCents;
  if (centsWith(reading) === 0 && charge === undefined) return 0;
  const dueOf = (creditCents: number) => ({ cents: centsWith(withCredit(reading, creditCents)) });
  const { isPress, cents } = await agreedCharge(context, reading.payer, charge, dueOf);
  if (!isPress) throw new AppError('price_changed');
  return cents;
}

/** Ends at Stripe whatever would be charged, and answers the bills that never will be. */
async function stopBilling(
  context: Context,
  { payer, facts, slots }: BillReading,
  open: BillRecord[],
): Promise<string[]> {
  const stopped: string[] = [];
  for (const bill of open) {
    // Noted first: without a grace that is over, a void invoice was forgiven, and its tools go on.
    const over = await updateBill(context.db, bill, { status: 'unpaid', graceEnd: context.now() });
    if (!over) throw new AppError('conflict');
    const { stripeInvoiceId, stripeSubscriptionId, at, id } = over;
    const invoice =
      stripeInvoiceId ?? (stripeSubscriptionId && (await findMonthInvoice(context, stripeSubscriptionId, at)));
    if (!invoice || (await stopInvoice(context, invoice))) stopped.push(id);
    else await settleBill(context, id);
  }
  await endBillAtStripe(context, payer, facts.stripeSubscriptionId);
  for (const { purchase, stripeSubscriptionId: old } of slots)
    if (purchase !== null && old !== null) await endStripeSubscription(context, old);
  return stopped;
}

/** Writes the end of everything, and the last bill; that is null where nothing is left to charge. */
const writeEnd = (
  context: Context,
  payer: Payer,
  { stopped, agreedCents }: { stopped: readonly string[]; agreedCents: number },
): Promise<BillRecord | null> =>
  inTransaction(context, async (inside, tx) => {
    await lockPayer(tx, payer);
    // What waits since then is of days that nobody paid for.
    if (stopped.length > 0 || isUnpayable((await readBill(inside, payer)).input)) await closeAdjustments(tx, payer);
    const reading = await readBill(inside, payer);
    for (const id of stopped) {
      const bill = await findBill(tx, id);
      if (bill?.status === 'unpaid') await updateBill(tx, bill, { status: 'void', problem: null });
    }
    for (const row of reading.slots.filter(({ status }) => status !== 'incomplete')) {
      await changeRow(inside, row, expired(inside.now()));
    }
    const closing = await closeBill(inside, reading);
    // Somebody left or joined in this moment, or an unpaid bill was paid after all.
    if (closing && closing.totalCents > agreedCents) throw new AppError('price_changed');
    await tellClosed(inside, payer, closing);
    return closing && closing.totalCents > 0 ? closing : null;
  });

/** Charges the last bill while there is a card. Where that fails, it is in grace like any bill, and void in the end. */
async function chargeNow(context: Context, payer: Payer, { id }: BillRecord): Promise<void> {
  try {
    await settleBill(context, id);
    const { card } = await findCardAndCredit(context, payer);
    const invoice = (await findBill(context.db, id))?.stripeInvoiceId;
    if (card && invoice) await payInvoice(context, invoice, card, { offSession: true, key: `closing:${id}` });
    await settleBill(context, id);
  } catch (error) {
    context.log.error({ err: error, bill: id }, 'a last bill could not be charged');
  }
}

/** Brings the payer of a row to now: bills whose instant has come are fixed, and whatever of theirs is over by the clock expires. */
export async function expireIfOver(context: Context, row: SubscriptionRow): Promise<void> {
  // Stripe may have renewed what an older release sold without our knowing.
  if (isOld(row)) await syncOldSubscription(context, row.stripeSubscriptionId, () => Promise.resolve());
  await inTransaction(context, async (inside) => {
    const reading = await advance(inside, payerOf(row));
    await goOnFree(inside, reading);
    await expireOver(inside, reading);
  });
}

/** A trial that ends goes on at no cost where the adviser has free access. */
async function goOnFree(inside: Context, { facts, slots }: BillReading): Promise<void> {
  const isOver = ({ status, trialEndDate }: SlotRow) => status === 'trial' && trialEndDate! <= inside.now();
  for (const row of facts.freeAccess ? slots.filter((one) => isOver(one) && !isOld(one)) : []) {
    const free = { status: 'active' as const, autoRenew: true, monthlyCents: 0, endDate: null, gracePeriodEnd: null };
    const after = await changeRow(inside, row, free);
    if (after) await tellStarted(inside, after);
  }
}

/** What is over by the clock, but not what hangs on a bill in grace: that ends with its bill, once its invoice is void. */
async function expireOver(inside: Context, { payer, facts, slots }: BillReading): Promise<void> {
  const now = inside.now();
  const unpaid = await unpaidBillsOf(inside.db, payer);
  const over = slots.filter((row) => {
    if (row.status === 'incomplete' || isLive({ ...row, cardOnFile: facts.cardOnFile }, now)) return false;
    if (row.status === 'trial' && facts.freeAccess) return false;
    if (isOld(row) && (row.status === 'trial' || row.status === 'grace_period')) return false;
    return !unpaid.some(({ stripeInvoiceId }) => row.paymentProblem?.invoiceId === stripeInvoiceId);
  });
  for (const isTrial of [true, false]) {
    const ended: EndedRow[] = [];
    for (const row of over.filter(({ status }) => (status === 'trial') === isTrial)) {
      const after = await changeRow(inside, row, expired(overSince(row) ?? now));
      if (after) ended.push({ ...row, ...after });
    }
    await tellExpired(inside, ended, { isTrial });
  }
}
