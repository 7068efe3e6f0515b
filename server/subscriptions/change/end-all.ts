import { customerDetails, lockPayer, type Payer } from '#server/payers/service.ts';
import { endStripeSubscription, findCardAndCredit, findMonthInvoice, payInvoice } from '#server/stripe/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/data/database.ts';
import { advanceNow } from '../bill/advance.ts';
import { closeBill, endBillAtStripe, stopInvoice } from '../bill/closing.ts';
import {
  type BillRecord,
  closeAdjustments,
  findAttempt,
  findBill,
  openBillsOf,
  updateBill,
} from '../bill/queries-bills.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { settleBill } from '../bill/settle.ts';
import { withdrawPurchases } from '../buy/attempt.ts';
import { changeRow } from '../effects.ts';
import { expired } from '../expire.ts';
import { tellClosed } from '../tell/events.ts';

/**
 * Ends every subscription of this payer at once, here and at Stripe. Bills that were not paid are void; what still waits is a last bill,
 * charged now or paid back. Repeating it is safe: where Stripe is away it throws, and the next try ends what is left. Answers whether
 * anything was ended.
 */
export async function endEverything(context: Context, payer: Payer): Promise<boolean> {
  let ended = false;
  await retryOnConflict(async () => {
    await withdrawPurchases(context, payer, context.now());
    const reading = await advanceNow(context, payer);
    if (!reading) return true;
    const open = (await openBillsOf(context.db, payer)).filter(({ kind }) => kind !== 'closing');
    const isEnded = reading.slots.length + open.length === 0 && reading.facts.stripeSubscriptionId === null;
    // A webhook or a purchase may have come in between, so we look again until nothing is left.
    if (isEnded) return (await findAttempt(context.db, payer)) === null || null;
    const stopped = await stopBilling(context, reading, open);
    const last = await writeEnd(context, payer, stopped);
    ended = true;
    if (last) await chargeNow(context, payer, last);
    return null;
  });
  return ended;
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
const writeEnd = (context: Context, payer: Payer, stopped: readonly string[]): Promise<BillRecord | null> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockPayer(tx, payer);
    // What waits since then is of days that nobody paid for.
    if (stopped.length > 0) await closeAdjustments(tx, payer);
    const reading = await readBill(inside, payer);
    if (!reading) return null;
    for (const id of stopped) {
      const bill = await findBill(tx, id);
      if (bill?.status === 'unpaid') await updateBill(tx, bill, { status: 'void', problem: null });
    }
    for (const row of reading.slots.filter(({ status }) => status !== 'incomplete')) {
      await changeRow(inside, row, expired(inside.now()));
    }
    const closing = await closeBill(inside, reading);
    await tellClosed(inside, payer, closing);
    return closing && closing.totalCents > 0 ? closing : null;
  });

/** Charges the last bill while there is a card. Where that fails, it is in grace like any bill, and void in the end. */
async function chargeNow(context: Context, payer: Payer, { id }: BillRecord): Promise<void> {
  try {
    await settleBill(context, id);
    const { stripeCustomerId } = await customerDetails(context.db, payer);
    const { card } = await findCardAndCredit(context, stripeCustomerId);
    const invoice = (await findBill(context.db, id))?.stripeInvoiceId;
    if (card && invoice) await payInvoice(context, invoice, card, { offSession: true, key: `closing:${id}` });
    await settleBill(context, id);
  } catch (error) {
    context.log.error({ err: error, bill: id }, 'a last bill could not be charged');
  }
}
